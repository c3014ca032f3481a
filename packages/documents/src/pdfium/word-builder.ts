import type { Look, Word } from "../layout/page/page.ts";
import type { TextStyle } from "./looks.ts";
import { mapX, mapY, type Matrix } from "./matrix.ts";
import type { PdfiumMemory } from "./memory.ts";

type WritableWord = { -readonly [Name in keyof Word]: Word[Name] };

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

/** Start and end along the text direction, and the baseline across it. */
interface Place {
  start: number;
  end: number;
  base: number;
}

/** Joins consecutive characters into words. */
export class WordBuilder {
  readonly #space: Matrix;
  readonly #words: Word[] = [];
  #word: WritableWord | undefined;
  /** Position of the word along the text direction. */
  readonly #wordPlace: Place = { start: 0, end: 0, base: 0 };
  readonly #place: Place = { start: 0, end: 0, base: 0 };
  /** Box of the current character. One object is reused, as pages have thousands. */
  readonly #glyph: Glyph = { x0: 0, y0: 0, x1: 0, y1: 0 };
  #hasSpace = false;
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

  space(): void {
    this.#hasSpace = true;
  }

  /**
   * Adds a character. The scratch memory holds its loose box (four floats) and, from byte 32, its origin (two
   * doubles).
   */
  add(code: number, memory: PdfiumMemory): void {
    const style = this.#style;
    if (!style) return;
    const space = this.#space;
    const glyph = this.#glyph;
    this.#readGlyph(memory);
    const originX = memory.double(4);
    const originY = memory.double(5);
    const base = mapY(space, originX, originY);
    if (style.isBoxless && style.look.angle === 0) {
      glyph.y0 = base - ABOVE_BASE * style.look.size;
      glyph.y1 = base + BELOW_BASE * style.look.size;
    }
    setPlace(this.#place, glyph, { x: mapX(space, originX, originY), y: base, angle: style.look.angle });
    if (this.#continues(code, style.look)) this.#extend(code, glyph);
    else this.#begin(code, base, style);
  }

  #readGlyph(memory: PdfiumMemory): void {
    const space = this.#space;
    const glyph = this.#glyph;
    const left = memory.float(0);
    const top = memory.float(1);
    const right = memory.float(2);
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
    const { start, base } = this.#place;
    const before = this.#wordPlace;
    const stepBack = isCombining(code) ? COMBINING_STEP_BACK : STEP_BACK;
    return (
      Math.abs(base - before.base) < SAME_BASE * look.size &&
      start - before.end < WORD_GAP * look.size &&
      start > before.start - stepBack * look.size
    );
  }

  #extend(code: number, { x0, y0, x1, y1 }: Readonly<Glyph>): void {
    const word = this.#word as WritableWord;
    word.text += String.fromCodePoint(code);
    // A combining mark may begin before its letter, but the word begins with the letter.
    if (x1 > word.x1) word.x1 = x1;
    if (y0 < word.y0) word.y0 = y0;
    if (y1 > word.y1) word.y1 = y1;
    if (this.#place.end > this.#wordPlace.end) this.#wordPlace.end = this.#place.end;
    if (x0 < word.x0 && word.look.angle !== 0) word.x0 = x0;
  }

  #begin(code: number, base: number, { look, markedContent }: TextStyle): void {
    const isGlued = this.#isGlued(look);
    this.finished();
    const { x0, y0, x1, y1 } = this.#glyph;
    const text = String.fromCodePoint(code);
    this.#word = { text, x0, y0, x1, y1, base, look, markedContent, isGlued };
    this.#wordPlace.start = this.#place.start;
    this.#wordPlace.end = this.#place.end;
    this.#wordPlace.base = this.#place.base;
    this.#hasSpace = false;
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

function isCombining(code: number): boolean {
  return code >= FIRST_COMBINING && COMBINING.test(String.fromCodePoint(code));
}
