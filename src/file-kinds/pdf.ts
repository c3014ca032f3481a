import { renderMarkdown } from "../documents/blocks/render-markdown.ts";
import type { PdfWish, ReadDocument } from "../documents/model/reader.ts";
import { parseHtml } from "../page-content/html/parser/parse.ts";
import { defineKind, type DocumentFacts, type ReadOptions } from "./kind.ts";

type PdfParser = ReadOptions["parsers"][number];

/** Handed over as base64 when it is not to be parsed (contract, section 3.16b). */
export const pdf = defineKind({
  name: "pdf",
  recognisedBy: {
    types: ["application/pdf", "application/x-pdf"],
    magic: { bytes: "%PDF-", type: "application/pdf" },
    isBinary: true,
  },
  inBrowser: "not-shown",
  isReadElsewhere: true,
  read({ body, options }, { documents, stage, signal }) {
    const parser = options.parsers.find(({ type }) => type === "pdf");
    if (!parser) return {};
    return documents.readPdf(body, wishOf(parser, options), signal).then((document) => {
      const html = stage("render", () => renderMarkdown(document.markdown));
      return {
        markdown: () => document.markdown,
        html,
        metadata: () => document.metadata,
        document: () => factsOf(document, parser),
        tree: stage("parse", () => parseHtml(html())),
      };
    });
  },
});

function wishOf({ mode = "auto", maxPages, pageMarkers = false }: PdfParser, options: ReadOptions): PdfWish {
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
