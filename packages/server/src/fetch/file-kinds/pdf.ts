import type { PdfOptions, ReadDocument } from "@pergamon-dev/documents/model/reader";
import { defineKind, type DocumentFacts, type ReadOptions } from "./kind.ts";

type PdfParser = ReadOptions["parsers"][number];

/** Returned as base64 when it must not be parsed (contract, section 3.16b). */
export const pdf = defineKind({
  name: "pdf",
  recognisedBy: {
    types: ["application/pdf", "application/x-pdf"],
    magic: { bytes: "%PDF-", type: "application/pdf" },
    isBinary: true,
  },
  inBrowser: "not-shown",
  isReadElsewhere: true,
  isLeft: (options) => !parserIn(options),
  async read({ body, options }, tools) {
    const parser = parserIn(options);
    if (!parser) return {};
    const document = await tools.documents.readPdf(body, pdfOptionsOf(parser, options), tools.signal);
    const { renderedParts } = await import("./rendered-parts.ts");
    return {
      markdown: () => document.markdown,
      metadata: () => document.metadata,
      document: () => factsOf(document, parser),
      layout: () => document.blocks,
      ...renderedParts(document.markdown, tools),
    };
  },
});

function parserIn({ parsers }: ReadOptions): PdfParser | undefined {
  return parsers.find(({ type }) => type === "pdf");
}

function pdfOptionsOf(
  { mode = "auto", maxPages, pageMarkers = false }: PdfParser,
  options: ReadOptions,
): PdfOptions {
  return { mode, maxPages, pageMarkers, languages: options.languages };
}

function factsOf(document: ReadDocument, { pages, pageMarkdown, blocks }: PdfParser): DocumentFacts {
  return {
    numPages: document.pages.length,
    totalPages: document.totalPages,
    ...((pages ?? pageMarkdown) && { pages: document.pages }),
    ...(blocks && { blocks: document.blocks }),
  };
}
