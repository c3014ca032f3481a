import type { Look, Word } from "../layout/page/page.ts";
import { readActualTexts } from "./actual-texts.ts";
import type { Pdfium } from "./library.ts";
import { type KnownFonts, Looks, type TextStyle } from "./looks.ts";
import type { PageSpace } from "./space.ts";
import { mapX, mapY, type Matrix } from "./matrix.ts";
import type { PdfiumMemory } from "./memory.ts";
import { joinRightToLeft } from "./right-to-left.ts";
import { joinVertical } from "./vertical.ts";

/** Shares of the font size, measured on documents in 13 languages. */
const SAME_BASE = 0.2;
const NEAR_BASE = 0.6;
/** A wider gap separates words even if the file has no space there. */
const WORD_GAP = 0.25;
const GLUED_GAP = 0.2;
/** How far a character may begin before the start of its word. */
const STEP_BACK = 0.3;
const GLUED_STEP_BACK = 2;
/** Boxes of combining marks and of Indic and Thai letters go backwards. */
const COMBINING_STEP_BACK = 1.5;
const COMBINING = /[\u0300-\u036f\u0900-\u0dff\u0e00-\u0eff]/;
const FIRST_COMBINING = 0x300;

/** Text rotated by less counts as upright. */
const UPRIGHT_RADIANS = 0.01;

/** Extent of most letters, as shares of the font size. */
const ABOVE_BASE = 0.8;
const BELOW_BASE = 0.2;

/** Further characters of a page are ignored. */
const MAX_CHARACTERS = 400_000;

interface PageText {
  readonly words: readonly Word[];
  readonly glyphs: number;
  readonly unmapped: number;
  readonly isCut: boolean;
}

interface TextSource {
  readonly page: number;
  /** Objects with marks, and how many. */
  readonly marked: ReadonlyMap<number, number>;
  readonly space: PageSpace;
  readonly isTagged: boolean;
  readonly fonts: KnownFonts;
  /** Text of a code for which pdfium has no character. */
  readonly textOfGlyph: (object: number, code: number) => string | undefined;
}

/**
 * Reads the characters of a page and joins them into words. It makes five calls per character; the rest is
 * once per text object.
 */
export function readWords(pdfium: Pdfium, source: TextSource): PageText {
  const { call } = pdfium;
  const textPage = call.FPDFText_LoadPage(source.page);
  if (textPage === 0) return { words: [], glyphs: 0, unmapped: 0, isCut: false };
  try {
    return wordsOf(pdfium, textPage, source);
  } finally {
    call.FPDFText_ClosePage(textPage);
  }
}

function wordsOf(pdfium: Pdfium, textPage: number, { marked, space, ...source }: TextSource): PageText {
  const { call, memory } = pdfium;
  const looks = new Looks(pdfium, textPage, { ...source, space: space.matrix });
  const builder = new WordBuilder(space.matrix);
  const present = Math.max(0, call.FPDFText_CountChars(textPage));
  const read = Math.min(present, MAX_CHARACTERS);
  const origin = memory.scratch + ORIGIN_OFFSET_BYTES;
  const actual = readActualTexts(pdfium, marked);
  let unmapped = 0;
  let glyphs = 0;
  let highest = 0;
  for (let index = 0; index < read; index += 1) {
    const code = call.FPDFText_GetUnicode(textPage, index);
    const object = call.FPDFText_GetTextObject(textPage, index);
    const isBlank = isSpace(code);
    const isGap = isBlank && (code === SPACE || object === 0);
    const isMapped = isGap || call.FPDFText_HasUnicodeMapError(textPage, index) !== 1;
    const named = isMapped ? undefined : source.textOfGlyph(object, code);
    if (isBlank && !named) {
      builder.space(object !== 0);
      continue;
    }
    const text = actual.get(object);
    if (text && (text.object ??= object) !== object) continue;
    glyphs += 1;
    if (code > highest) highest = code;
    if (!named && (!isMapped || !isVisible(code))) unmapped += 1;
    if (!named && !isVisible(code)) continue;
    const style = builder.isSameObject(object) ? undefined : looks.styleOf({ textPage, index, object });
    if (style) builder.setStyle(object, style);
    // Must come last, as styles are read through the same memory.
    call.FPDFText_GetLooseCharBox(textPage, index, memory.scratch);
    call.FPDFText_GetCharOrigin(textPage, index, origin, origin + 8);
    const isHyphen = code === HYPHEN_AT_LINE_END || code === NO_CHARACTER;
    if (!named) builder.add(isHyphen ? HYPHEN : narrowed(code), memory, text);
    else for (const letter of named) builder.add(letter.codePointAt(0) ?? REPLACEMENT, memory, text);
  }
  const words = builder.finished();
  return {
    words: highest < FIRST_RIGHT_TO_LEFT ? words : joinVertical(joinRightToLeft(words)),
    glyphs,
    unmapped,
    isCut: present > MAX_CHARACTERS,
  };
}

/** The first code of Hebrew. All scripts from the right, and those that run down the page, are behind it. */
const FIRST_RIGHT_TO_LEFT = 0x590;

/** After the four floats of a box. */
const ORIGIN_OFFSET_BYTES = 32;

/** pdfium's two codes for a hyphen at the end of a line. */
const HYPHEN_AT_LINE_END = 2;
const NO_CHARACTER = 0xfffe;
const HYPHEN = 0x2d;

const SPACE = 0x20;
const NO_BREAK_SPACE = 0xa0;
const IDEOGRAPHIC_SPACE = 0x3000;
const REPLACEMENT = 0xfffd;
const BYTE_ORDER_MARK = 0xfeff;
const LAST_CODE = 0x10ffff;

function isSpace(code: number): boolean {
  return (
    code === SPACE ||
    (code >= 9 && code <= 13) ||
    code === NO_BREAK_SPACE ||
    code === IDEOGRAPHIC_SPACE ||
    (code >= 0x2000 && code <= 0x200a)
  );
}

/** False for control characters and replacement characters. */
function isVisible(code: number): boolean {
  if (code === HYPHEN_AT_LINE_END) return true;
  return code >= 0x20 && code !== REPLACEMENT && code !== BYTE_ORDER_MARK && code <= LAST_CODE;
}

/** Unicode ranges of full-width digits, capital and small letters. */
const WIDE = [
  [0xff10, 0xff19],
  [0xff21, 0xff3a],
  [0xff41, 0xff5a],
] as const;
const FIRST_WIDE = WIDE[0][0];

/** Distance from the ASCII characters. */
const OFFSET = 0xfee0;

/** Maps full-width Latin letters and digits to ASCII, so that search finds the words. */
export function narrowed(code: number): number {
  if (code < FIRST_WIDE) return code;
  return WIDE.some(([first, last]) => code >= first && code <= last) ? code - OFFSET : code;
}

type WritableWord = { -readonly [Name in keyof Word]: Word[Name] };

/** Start and end along the text direction, and the baseline across it. */
interface Place {
  start: number;
  end: number;
  base: number;
}

/** Joins consecutive characters into words. */
class WordBuilder {
  readonly #space: Matrix;
  readonly #words: Word[] = [];
  #word: WritableWord | undefined;
  /** Position of the word along the text direction. */
  readonly #wordPlace: Place = { start: 0, end: 0, base: 0 };
  readonly #place: Place = { start: 0, end: 0, base: 0 };
  /** Box of the current character. One object is reused, as pages have thousands. */
  readonly #glyph: Glyph = { x0: 0, y0: 0, x1: 0, y1: 0 };
  #hasSpace = false;
  #hasDrawnSpace = false;
  /** True behind glyphs with a text of their own, of which pdfium knows the first one's place. */
  #isActual = false;
  /** Of the last character, and where its glyph begins in the text of the word. */
  #origin = { x: Number.NaN, y: Number.NaN, left: 0 };
  #glyphStart = 0;
  #object = -1;
  #style: TextStyle | undefined;

  constructor(space: Matrix) {
    this.#space = space;
  }

  /** True if the same object drew the previous character, so that its style is known. */
  isSameObject(object: number): boolean {
    return object === this.#object;
  }

  setStyle(object: number, style: TextStyle): void {
    this.#object = object;
    this.#style = style;
  }

  /** @param isDrawn - false for a space that pdfium has made of a gap */
  space(isDrawn: boolean): void {
    this.#hasSpace ||= isDrawn || !this.#isActual;
    this.#hasDrawnSpace ||= isDrawn;
  }

  /**
   * Adds a character. The scratch memory holds its loose box (four floats) and, from byte 32, its origin (two
   * doubles).
   */
  add(code: number, memory: PdfiumMemory, actual: Extent | undefined): void {
    const style = this.#style;
    if (!style) return;
    const space = this.#space;
    const glyph = this.#glyph;
    this.#isActual = actual !== undefined;
    this.#readGlyph(memory, actual);
    const originX = memory.double(4);
    const originY = memory.double(5);
    const base = mapY(space, originX, originY);
    if (style.isBoxless && style.look.angle === 0) {
      glyph.y0 = base - ABOVE_BASE * style.look.size;
      glyph.y1 = base + BELOW_BASE * style.look.size;
    }
    setPlace(this.#place, glyph, { x: mapX(space, originX, originY), y: base, angle: style.look.angle });
    const left = memory.float(0);
    const before = this.#origin;
    const isOfGlyph = originX === before.x && originY === before.y && left !== before.left;
    this.#origin = { x: originX, y: originY, left };
    if (isOfGlyph && isRightToLeft(code) && this.#word) this.#insert(code, glyph);
    else if (this.#continues(code, style.look)) this.#extend(code, glyph);
    else this.#begin(code, base, style);
  }

  /** The letters of one glyph come from the left, as all of the line do. */
  #insert(code: number, glyph: Readonly<Glyph>): void {
    const word = this.#word as WritableWord;
    const [before, others] = [word.text.slice(0, this.#glyphStart), word.text.slice(this.#glyphStart)];
    this.#extend(code, glyph);
    word.text = before + String.fromCodePoint(code) + others;
    this.#glyphStart = before.length;
  }

  #readGlyph(memory: PdfiumMemory, actual: Extent | undefined): void {
    const space = this.#space;
    const glyph = this.#glyph;
    const left = actual?.left ?? memory.float(0);
    const top = memory.float(1);
    const right = actual?.right ?? memory.float(2);
    const bottom = memory.float(3);
    const oneX = mapX(space, left, top);
    const otherX = mapX(space, right, bottom);
    const oneY = mapY(space, left, top);
    const otherY = mapY(space, right, bottom);
    glyph.x0 = Math.min(oneX, otherX);
    glyph.y0 = Math.min(oneY, otherY);
    glyph.x1 = Math.max(oneX, otherX);
    glyph.y1 = Math.max(oneY, otherY);
  }

  finished(): readonly Word[] {
    if (this.#word) this.#words.push(this.#word);
    this.#word = undefined;
    return this.#words;
  }

  #continues(code: number, look: Look): boolean {
    const word = this.#word;
    if (!word || this.#hasSpace || word.look !== look) return false;
    const { start, end, base } = this.#place;
    const before = this.#wordPlace;
    const stepBack = isCombining(code) ? COMBINING_STEP_BACK : STEP_BACK;
    return (
      Math.abs(base - before.base) < SAME_BASE * look.size &&
      start - before.end < WORD_GAP * look.size &&
      start > before.start - stepBack * look.size &&
      (start + end > 2 * before.start || isCombining(code))
    );
  }

  #extend(code: number, { x0, y0, x1, y1 }: Readonly<Glyph>): void {
    const word = this.#word as WritableWord;
    this.#glyphStart = word.text.length;
    word.text += String.fromCodePoint(code);
    // A combining mark may begin before its letter, but the word begins with the letter.
    if (x1 > word.x1) word.x1 = x1;
    if (y0 < word.y0) word.y0 = y0;
    if (y1 > word.y1) word.y1 = y1;
    if (this.#place.end > this.#wordPlace.end) this.#wordPlace.end = this.#place.end;
    if (x0 < word.x0 && (word.look.angle !== 0 || isRightToLeft(code))) word.x0 = x0;
  }

  #begin(code: number, base: number, { look, markedContent }: TextStyle): void {
    const isGlued = this.#isGlued(look);
    this.finished();
    const { x0, y0, x1, y1 } = this.#glyph;
    const text = String.fromCodePoint(code);
    const isBehindSpace = this.#hasDrawnSpace;
    this.#word = { text, x0, y0, x1, y1, base, look, markedContent, isGlued, isBehindSpace };
    this.#wordPlace.start = this.#place.start;
    this.#wordPlace.end = this.#place.end;
    this.#wordPlace.base = this.#place.base;
    this.#glyphStart = 0;
    this.#hasSpace = false;
    this.#hasDrawnSpace = false;
  }

  /** True if the next word follows without a gap, as where the font changes within a word. */
  #isGlued({ size }: Look): boolean {
    if (!this.#word || this.#hasSpace) return false;
    const { start, base } = this.#place;
    const before = this.#wordPlace;
    return (
      Math.abs(base - before.base) < NEAR_BASE * size &&
      start - before.end < GLUED_GAP * size &&
      start > before.start - GLUED_STEP_BACK * size
    );
  }
}

/** In units of the page. */
interface Extent {
  readonly left: number;
  readonly right: number;
}

type Glyph = Pick<WritableWord, "x0" | "y0" | "x1" | "y1">;

interface Origin {
  readonly x: number;
  readonly y: number;
  readonly angle: number;
}

function setPlace(place: Place, { x0, y0, x1, y1 }: Readonly<Glyph>, { x, y, angle }: Origin): void {
  if (Math.abs(angle) < UPRIGHT_RADIANS) {
    place.start = x0;
    place.end = x1;
    place.base = y;
    return;
  }
  const cosine = Math.cos(angle);
  const sine = Math.sin(angle);
  place.start = Math.min(x0 * cosine, x1 * cosine) - Math.max(y0 * sine, y1 * sine);
  place.end = Math.max(x0 * cosine, x1 * cosine) - Math.min(y0 * sine, y1 * sine);
  place.base = x * sine + y * cosine;
}

/** Hebrew and Arabic letters and their marks, which follow each other to the left. */
function isRightToLeft(code: number): boolean {
  return (code >= 0x591 && code <= 0x8ff) || (code >= 0xfb1d && code <= 0xfefc);
}

function isCombining(code: number): boolean {
  return code >= FIRST_COMBINING && COMBINING.test(String.fromCodePoint(code));
}
