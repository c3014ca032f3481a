import type { OutlineEntry, PdfPage } from "../layout/page/page.ts";
import { withAnnotations } from "./annotations.ts";
import { readWords } from "./glyphs.ts";
import { loadPdfium, type Pdfium } from "./library.ts";
import { readLinks } from "./links.ts";
import { type PdfMetadata, readMetadata } from "./metadata.ts";
import { readOutline } from "./outline.ts";
import { type ColourPicture, drawPage, type GreyPicture, renderPage } from "./render.ts";
import { readShapes } from "./shapes.ts";
import { spaceOf } from "./space.ts";
import { readTags } from "./tags.ts";

/** Reads PDF files. One file is open at a time. */
export interface PdfReader {
  /** @throws UnreadablePdf when the file cannot be opened. */
  open(bytes: Uint8Array): OpenedPdf;
}

/** A file that is open until `close`. Numbers of pages count from 1. */
export interface OpenedPdf {
  readonly pageCount: number;
  metadata(): PdfMetadata;
  outline(): readonly OutlineEntry[];
  /** @throws UnreadablePdf when the page is damaged. */
  page(number: number): PdfPage;
  /** The page as it is seen. @throws UnreadablePdf when the page is damaged. */
  render(number: number, dpi: number): GreyPicture;
  /** The same in colour, with fewer dots where it were larger. @throws UnreadablePdf when the page is damaged. */
  draw(number: number, size: { readonly dpi: number; readonly maxPixels: number }): ColourPicture;
  close(): void;
}

type Reason = "damaged" | "encrypted";

/** A file, or a page of one, that cannot be read. */
export class UnreadablePdf extends Error {
  override readonly name = "UnreadablePdf";
  readonly reason: Reason;

  constructor(reason: Reason, message: string) {
    super(message);
    this.reason = reason;
  }
}

/** fpdfview.h: FPDF_ERR_*. */
const REASONS: ReadonlyMap<number, Reason> = new Map([
  [4, "encrypted"],
  [5, "encrypted"],
]);

export async function openPdfReader(): Promise<PdfReader> {
  const pdfium = await loadPdfium();
  return { open: (bytes) => new PdfiumDocument(pdfium, bytes) };
}

class PdfiumDocument implements OpenedPdf {
  readonly pageCount: number;
  readonly #pdfium: Pdfium;
  readonly #data: number;
  readonly #document: number;
  readonly #isTagged: boolean;

  constructor(pdfium: Pdfium, bytes: Uint8Array) {
    const { call, memory } = pdfium;
    this.#pdfium = pdfium;
    this.#data = memory.place(bytes);
    this.#document = call.FPDF_LoadMemDocument(this.#data, bytes.byteLength, 0);
    if (this.#document === 0) {
      const reason = REASONS.get(call.FPDF_GetLastError()) ?? "damaged";
      memory.free(this.#data);
      throw new UnreadablePdf(reason, `The file is ${reason}.`);
    }
    this.pageCount = Math.max(0, call.FPDF_GetPageCount(this.#document));
    this.#isTagged = call.FPDFCatalog_IsTagged(this.#document) !== 0;
  }

  metadata(): PdfMetadata {
    return readMetadata(this.#pdfium, this.#document);
  }

  outline(): readonly OutlineEntry[] {
    return readOutline(this.#pdfium, this.#document);
  }

  page(number: number): PdfPage {
    return this.#withPage(number, (page) => this.#read(number, page));
  }

  render(number: number, dpi: number): GreyPicture {
    return this.#withPage(number, (page) => renderPage(this.#pdfium, page, dpi));
  }

  draw(number: number, size: Parameters<OpenedPdf["draw"]>[1]): ColourPicture {
    return this.#withPage(number, (page) => drawPage(this.#pdfium, page, size));
  }

  close(): void {
    this.#pdfium.call.FPDF_CloseDocument(this.#document);
    this.#pdfium.memory.free(this.#data);
  }

  #read(number: number, page: number): PdfPage {
    const pdfium = this.#pdfium;
    const isTagged = this.#isTagged;
    const space = spaceOf(pdfium, page);
    const document = this.#document;
    const { text, shapes } = withAnnotations(pdfium, { document, page, number }, (shown) => ({
      text: readWords(pdfium, { page: shown, space, isTagged }),
      shapes: readShapes(pdfium, shown, space),
    }));
    return {
      number,
      width: space.width,
      height: space.height,
      ...text,
      ...shapes,
      links: readLinks(pdfium, { document, page, space }),
      tags: isTagged ? readTags(pdfium, page) : undefined,
      isCut: text.isCut || shapes.isCut,
      source: "native_text",
    };
  }

  #withPage<Value>(number: number, use: (page: number) => Value): Value {
    const { call } = this.#pdfium;
    const page = call.FPDF_LoadPage(this.#document, number - 1);
    if (page === 0) throw new UnreadablePdf("damaged", `Page ${number} is damaged.`);
    try {
      return use(page);
    } finally {
      call.FPDF_ClosePage(page);
    }
  }
}
