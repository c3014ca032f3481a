import { writeMarkdown } from "./blocks/blocks-markdown.ts";
import { DocumentError } from "./errors.ts";
import { layOut } from "./layout/document.ts";
import { failedPage } from "./layout/laid-out-page.ts";
import type { PdfOptions, ReadDocument } from "./model/reader.ts";
import type { PdfPart, ReadPage } from "./pdf-part.ts";

/** All requested pages of a file. */
interface PdfLayoutOrder extends Omit<PdfPart, "next"> {
  readonly options: PdfOptions;
}

/**
 * Builds the document from its pages.
 * @throws DocumentError `ocr-required` or `ocr-missing` if the pages show something but have no text.
 */
export function layOutPdf({ pages, outline, totalPages, metadata, options }: PdfLayoutOrder): ReadDocument {
  refuseWithoutText(pages, options);
  const laidOut = new Map(
    layOut(
      pages.flatMap(({ draft }) => draft ?? []),
      outline,
    ).map((page) => [page.number, page]),
  );
  const all = pages.map(({ number }) => laidOut.get(number) ?? failedPage(number));
  const written = writeMarkdown(all, { pageMarkers: options.pageMarkers });
  const pictures = new Map(pages.map(({ number, picture }) => [number, picture]));
  return {
    markdown: written.markdown,
    pages: written.pages,
    blocks: written.blocks.map((page) => ({ ...page, ...pictures.get(page.pageNumber) })),
    totalPages,
    metadata: { ...metadata },
  };
}

function refuseWithoutText(pages: readonly ReadPage[], { mode }: PdfOptions): void {
  if (pages.some(({ hasText }) => hasText)) return;
  const lacks = pages.map(({ lacksText }) => lacksText);
  const kind = lacks.includes("scanned") ? "scanned" : lacks.find((lack) => lack !== undefined);
  if (kind === undefined) return;
  throw new DocumentError(mode === "fast" ? "ocr-required" : "ocr-missing", kind);
}
