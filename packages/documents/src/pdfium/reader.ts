import type { OutlineEntry, PageLink, PdfPage } from "../layout/page/page.ts";
import { GlyphNames } from "./glyph-names.ts";
import { readWords } from "./glyphs.ts";
import { KnownFonts } from "./looks.ts";
import { loadPdfium, type Pdfium } from "./library.ts";
import { withDrawnSigns } from "./drawn-signs.ts";
import { hiddenLayersOf } from "./layers.ts";
import { type PdfMetadata, readMetadata } from "./metadata.ts";
import { type ColourPicture, drawPage, type GreyPicture, renderPage } from "./render.ts";
import { readShapes } from "./shapes.ts";
import { boxIn, type PageSpace, spaceOf, writtenCorners } from "./space.ts";
import { readTags } from "./tags.ts";

/** Only one file may be open at a time. */
export interface PdfReader {
  /** @throws UnreadablePdf if the file cannot be opened. */
  open(bytes: Uint8Array): OpenedPdf;
}

/** A file that is open until `close`. Page numbers start at 1. */
export interface OpenedPdf {
  readonly pageCount: number;
  metadata(): PdfMetadata;
  outline(): readonly OutlineEntry[];
  /** @throws UnreadablePdf if the page is damaged. */
  page(number: number): PdfPage;
  /** Renders the page in grey. @throws UnreadablePdf if the page is damaged. */
  render(number: number, dpi: number): GreyPicture;
  /**
   * Renders in colour, with a lower resolution if the picture would exceed `maxPixels`. @throws UnreadablePdf
   * if the page is damaged.
   */
  draw(number: number, size: { readonly dpi: number; readonly maxPixels: number }): ColourPicture;
  close(): void;
}

type Reason = "damaged" | "encrypted";

export class UnreadablePdf extends Error {
  override readonly name = "UnreadablePdf";
  readonly reason: Reason;

  constructor(reason: Reason, message: string) {
    super(message);
    this.reason = reason;
  }
}

/** Error codes FPDF_ERR_* of fpdfview.h. */
const REASONS: ReadonlyMap<number, Reason> = new Map([
  [4, "encrypted"],
  [5, "encrypted"],
]);

export async function openPdfReader(): Promise<PdfReader> {
  const pdfium = await loadPdfium();
  const fonts = new KnownFonts();
  return { open: (bytes) => new PdfiumDocument(pdfium, bytes, fonts) };
}

class PdfiumDocument implements OpenedPdf {
  readonly pageCount: number;
  readonly #pdfium: Pdfium;
  readonly #data: number;
  readonly #document: number;
  readonly #isTagged: boolean;
  readonly #fonts: KnownFonts;
  readonly #glyphNames: GlyphNames;

  constructor(pdfium: Pdfium, bytes: Uint8Array, fonts: KnownFonts) {
    const { call, memory } = pdfium;
    this.#pdfium = pdfium;
    this.#fonts = fonts;
    this.#glyphNames = new GlyphNames(pdfium);
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
    const hideLayers = hiddenLayersOf(pdfium, page, space);
    const hasNotes = showsText(pdfium, page);
    const { text, dots, shapes } = withAnnotations(pdfium, { document, page, number, hasNotes }, (shown) => {
      const marked = hideLayers(shown);
      let isCopied = false;
      const copyOnce = () => {
        if (isCopied) return 0;
        isCopied = true;
        return copyOf(pdfium, { document, number });
      };
      const textOfGlyph = (object: number, code: number) => this.#glyphNames.textOf(object, code, copyOnce);
      const source = { page: shown, marked, space, isTagged, fonts: this.#fonts, textOfGlyph };
      const { dots: drawn, ...others } = readShapes(pdfium, shown, space);
      return { text: readWords(pdfium, source), dots: drawn, shapes: others };
    });
    return {
      number,
      width: space.width,
      height: space.height,
      ...text,
      words: withDrawnSigns(pdfium, { page, space, dots, hasForm: hasNotes }, text.words),
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

const MAX_ENTRIES = 5000;
const MAX_DEPTH = 8;

/** The file's outline, in order. Cycles are not followed. */
function readOutline(pdfium: Pdfium, document: number): readonly OutlineEntry[] {
  const { call } = pdfium;
  const entries: OutlineEntry[] = [];
  const seen = new Set<number>();
  const walk = (parent: number, depth: number): void => {
    let bookmark = call.FPDFBookmark_GetFirstChild(document, parent);
    while (bookmark !== 0 && !seen.has(bookmark) && entries.length < MAX_ENTRIES) {
      seen.add(bookmark);
      entries.push({ ...entryOf(pdfium, document, bookmark), depth });
      if (depth < MAX_DEPTH) walk(bookmark, depth + 1);
      bookmark = call.FPDFBookmark_GetNextSibling(document, bookmark);
    }
  };
  walk(0, 1);
  return entries;
}

function entryOf({ call, memory }: Pdfium, document: number, bookmark: number): Omit<OutlineEntry, "depth"> {
  const title = memory.text("utf16le", (pointer, size) =>
    call.FPDFBookmark_GetTitle(bookmark, pointer, size),
  );
  const destination = call.FPDFBookmark_GetDest(document, bookmark);
  const index = destination === 0 ? -1 : call.FPDFDest_GetDestPageIndex(document, destination);
  return { title, page: index < 0 ? undefined : index + 1 };
}

const MAX_LINKS = 2000;

/** PDFACTION_URI of fpdf_doc.h. */
const URI_ACTION = 3;

/** After the four floats of a box, in units of 4 bytes. */
const POSITION = 16;
const LINK = 17;

interface LinkSource {
  readonly document: number;
  readonly page: number;
  readonly space: PageSpace;
}

/** The page's web links with their clickable areas. */
function readLinks(pdfium: Pdfium, source: LinkSource): readonly PageLink[] {
  const { call, memory } = pdfium;
  const links: PageLink[] = [];
  const position = memory.scratch + 4 * POSITION;
  memory.setInteger(POSITION, 0);
  for (let left = MAX_LINKS; left > 0; left -= 1) {
    if (call.FPDFLink_Enumerate(source.page, position, memory.scratch + 4 * LINK) === 0) break;
    const link = linkOf(pdfium, memory.integer(LINK), source);
    if (link) links.push(link);
  }
  return links;
}

function linkOf(pdfium: Pdfium, link: number, { document, space }: LinkSource): PageLink | undefined {
  const { call, memory } = pdfium;
  const action = call.FPDFLink_GetAction(link);
  if (action === 0 || call.FPDFAction_GetType(action) !== URI_ACTION) return undefined;
  const url = memory.text("utf8", (pointer, size) =>
    call.FPDFAction_GetURIPath(document, action, pointer, size),
  );
  if (url === "" || call.FPDFLink_GetAnnotRect(link, memory.scratch) === 0) return undefined;
  const { left, bottom: top, right, top: bottom } = writtenCorners(pdfium);
  return { url, box: boxIn(space.matrix, { left, bottom, right, top }) };
}

/** Annotation types of fpdf_annot.h that show text: free text, stamps, form fields, watermarks. */
const SHOWING_TEXT = new Set([3, 13, 20, 24]);

/** Further annotations are ignored. */
const MAX_ANNOTATIONS = 5000;

/** fpdf_flatten.h: flattens as shown on a screen. */
const FOR_DISPLAY = 0;

interface AnnotatedPage {
  readonly document: number;
  readonly page: number;
  /** From 1. */
  readonly number: number;
  /** True if annotations of the page show text. */
  readonly hasNotes: boolean;
}

/**
 * Uses a page with the text of its annotations: form input, stamps, notes. pdfium flattens them into the page
 * content and forgets their origin, so a copy is used.
 */
function withAnnotations<Value>(
  pdfium: Pdfium,
  annotated: AnnotatedPage,
  use: (page: number) => Value,
): Value {
  const { call } = pdfium;
  const copy = annotated.hasNotes ? copyOf(pdfium, annotated) : 0;
  if (copy === 0) return use(annotated.page);
  try {
    return withFlatPage(pdfium, copy, use) ?? use(annotated.page);
  } finally {
    call.FPDF_CloseDocument(copy);
  }
}

function showsText({ call }: Pdfium, page: number): boolean {
  const count = Math.min(call.FPDFPage_GetAnnotCount(page), MAX_ANNOTATIONS);
  for (let index = 0; index < count; index += 1) {
    const annotation = call.FPDFPage_GetAnnot(page, index);
    if (annotation === 0) continue;
    const subtype = call.FPDFAnnot_GetSubtype(annotation);
    call.FPDFPage_CloseAnnot(annotation);
    if (SHOWING_TEXT.has(subtype)) return true;
  }
  return false;
}

/** A document with that page alone, without inherited properties; 0 if it cannot be made. */
function copyOf(
  { call, memory }: Pdfium,
  { document, number }: Pick<AnnotatedPage, "document" | "number">,
): number {
  const copy = call.FPDF_CreateNewDocument();
  if (copy === 0) return 0;
  memory.setInteger(0, number - 1);
  if (call.FPDF_ImportPagesByIndex(copy, document, memory.scratch, 1, 0) !== 0) return copy;
  call.FPDF_CloseDocument(copy);
  return 0;
}

/** Undefined if the page cannot be loaded again. */
function withFlatPage<Value>(
  { call }: Pdfium,
  copy: number,
  use: (page: number) => Value,
): Value | undefined {
  const annotated = call.FPDF_LoadPage(copy, 0);
  if (annotated === 0) return undefined;
  call.FPDFPage_Flatten(annotated, FOR_DISPLAY);
  call.FPDF_ClosePage(annotated);
  const flat = call.FPDF_LoadPage(copy, 0);
  if (flat === 0) return undefined;
  try {
    return use(flat);
  } finally {
    call.FPDF_ClosePage(flat);
  }
}
