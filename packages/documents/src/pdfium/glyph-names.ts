import type { Pdfium } from "./library.ts";

/** Makes a document with the page alone, at most once; 0 if it cannot be made. */
type CopyPage = () => number;

type Texts = ReadonlyMap<number, string>;

/** Larger copies are not searched. */
const MAX_COPY_BYTES = 64 * 1024 * 1024;

/** What glyphs without a character stand for, by the names that the fonts of a file give them. */
export class GlyphNames {
  readonly #pdfium: Pdfium;
  /** Texts of codes by the names of their fonts. */
  readonly #fonts = new Map<string, Texts>();

  constructor(pdfium: Pdfium) {
    this.#pdfium = pdfium;
  }

  /** Undefined or empty if no name of the font tells it. Copies the page if the font is new. */
  textOf(object: number, code: number, copyPage: CopyPage): string | undefined {
    const { call, memory } = this.#pdfium;
    if (object === 0 || code > LAST_SIMPLE_CODE) return undefined;
    const handle = call.FPDFTextObj_GetFont(object);
    if (handle === 0) return undefined;
    const name = memory.text("latin1", (pointer, size) =>
      call.FPDFFont_GetBaseFontName(handle, pointer, size),
    );
    if (!this.#fonts.has(name)) {
      for (const [font, texts] of name === "" ? [] : this.#read(copyPage)) this.#fonts.set(font, texts);
      if (!this.#fonts.has(name)) this.#fonts.set(name, new Map());
    }
    return this.#fonts.get(name)?.get(code);
  }

  /** pdfium writes each object of a copy uncompressed, but for its streams. */
  #read(copyPage: CopyPage): ReadonlyMap<string, Texts> {
    const { call, memory } = this.#pdfium;
    const copy = copyPage();
    if (copy === 0) return new Map();
    const writer = call.PDFiumExt_OpenFileWriter();
    try {
      call.PDFiumExt_SaveAsCopy(copy, writer);
      const sizeBytes = call.PDFiumExt_GetFileWriterSize(writer);
      if (sizeBytes > MAX_COPY_BYTES) return new Map();
      const pointer = memory.allocate(sizeBytes + 1);
      call.PDFiumExt_GetFileWriterData(writer, pointer, sizeBytes);
      const written = Buffer.from(memory.bytes(pointer, sizeBytes)).toString("latin1");
      memory.free(pointer);
      return namedTexts(written);
    } finally {
      call.PDFiumExt_CloseFileWriter(writer);
      call.FPDF_CloseDocument(copy);
    }
  }
}

const LAST_SIMPLE_CODE = 0xff;

const DICTIONARY = /(?:^|[\r\n])(\d+) 0 obj\r?\n(<<[^\r\n]*)/g;
const BASE_FONT = /\/BaseFont\s*\/([^\s/[\]()<>]+)/;
const ENCODING = /\/Encoding (\d+) 0 R/;
const DIFFERENCES = /\/Differences\s*\[([^\]]*)\]/;

/** Texts of fonts by their names. Fonts of one name that disagree about a code have none for it. */
function namedTexts(written: string): ReadonlyMap<string, Texts> {
  const objects = new Map(Array.from(written.matchAll(DICTIONARY), ([, id = "", body = ""]) => [id, body]));
  const fonts = new Map<string, Map<number, string>>();
  for (const body of objects.values()) {
    const name = BASE_FONT.exec(body)?.[1];
    if (name === undefined) continue;
    const encoding = objects.get(ENCODING.exec(body)?.[1] ?? "") ?? body;
    const texts = fonts.get(name) ?? new Map<number, string>();
    fonts.set(name, texts);
    for (const [code, text] of differencesOf(encoding)) {
      texts.set(code, (texts.get(code) ?? text) === text ? text : "");
    }
  }
  return fonts;
}

/** Codes count up from each number (PDF 1.7, table 114). */
function differencesOf(encoding: string): (readonly [number, string])[] {
  let code = 0;
  const found: (readonly [number, string])[] = [];
  for (const [, first, name] of (DIFFERENCES.exec(encoding)?.[1] ?? "").matchAll(/(\d+)|\/([^\s/]+)/g)) {
    if (first === undefined) found.push([code++, textOfName(name ?? "") ?? ""]);
    else code = Number(first);
  }
  return found;
}

/** By the Adobe Glyph List Specification, section 2. Of the list's names, ligatures have those of letters. */
function textOfName(name: string): string | undefined {
  const [parts = ""] = name.split(".");
  const texts = parts.split("_").map(textOfPart);
  return texts.includes(undefined) ? undefined : texts.join("");
}

function textOfPart(part: string): string | undefined {
  if (/^[A-Za-z]$/.test(part)) return part;
  const units =
    /^uni((?:[\dA-F]{4})+)$/.exec(part)?.[1]?.match(/.{4}/g) ?? /^u([\dA-F]{4,6})$/.exec(part)?.slice(1);
  const codes = units?.map((unit) => Number.parseInt(unit, 16)) ?? [];
  const text = codes.every((code) => code <= 0x10ffff) ? String.fromCodePoint(...codes) : "";
  return SHOWN.test(text) ? text : undefined;
}

/** No blanks, halves of characters or private signs. */
const SHOWN = /^[^\p{C}\p{Z}]+$/u;
