import type { Rect } from "../numbers/geometry.ts";
import type { Look, PdfPage, Word } from "./page.ts";
import { Tally } from "../numbers/statistics.ts";
import { isUnspaced } from "../text/characters.ts";

/** In points. Smaller characters are not legible; drawings use them. */
const LEAST_SIZE = 1.5;
/** Ascent and descent as shares of the font size. */
const ASCENT = 0.78;
const DESCENT = 0.22;
/** Rows of the lookup grid. No page is this high. */
const MAX_ROWS = 2 ** 15;

/** Its height is computed from the font size, so that all words of a line are equally high. */
export interface PageWord extends Rect {
  readonly text: string;
  readonly base: number;
  readonly size: number;
  readonly look: Look;
  readonly isBold: boolean;
  /** True for superscripts and subscripts. */
  readonly isScript: boolean;
  readonly markedContent: number;
  readonly isGlued: boolean;
  readonly isMirrored: boolean;
  readonly confidence: number | undefined;
}

/** Legible words, without duplicates. A word printed twice at one place is bold. */
export function readableWords(page: PdfPage): PageWord[] {
  const usualWeight = usualWeightOf(page.words);
  const lookOf = looksWithoutSquare(page.words);
  const hasVisible = page.words.some((word) => !word.look.isHidden);
  const placed = new PlacedWords();
  const words: PageWord[] = [];
  for (const word of page.words) {
    if (isUnreadable(word, page) || isTwinLayer(word, page, hasVisible)) continue;
    const at = placed.twinOf(word, words);
    const first = words[at];
    if (first) {
      words[at] = { ...first, isBold: true };
      continue;
    }
    placed.add(word, words.length);
    words.push(pageWord(word, lookOf(word), usualWeight));
  }
  return words;
}

/** Fonts of Chinese and Japanese say that their letters are equally wide, which they are in prose, too. */
function looksWithoutSquare(words: readonly Word[]): (word: Word) => Look {
  const square = new Tally<string>();
  for (const { look, text } of words)
    if (look.isMonospaced) square.add(look.font, isUnspaced(text.slice(0, 1)) ? text.length : -text.length);
  const looks = new Map<Look, Look>();
  if (square.entries.size === 0) return ({ look }) => look;
  for (const { look } of words)
    if (square.get(look.font) > 0) looks.set(look, { ...look, isMonospaced: false });
  return ({ look }) => looks.get(look) ?? look;
}

/** pdfium guesses weights from stem widths, so only the difference from the page's usual weight counts. */
function usualWeightOf(words: readonly Word[]): number {
  const weights = new Tally<number>();
  let [weight, length] = [words[0]?.look.weight ?? 0, 0];
  for (const { look, text } of words) {
    if (look.weight !== weight) {
      weights.add(weight, length);
      [weight, length] = [look.weight, 0];
    }
    length += text.length;
  }
  if (words.length > 0) weights.add(weight, length);
  return weights.top() ?? 400;
}

/** True if the weight is bold relative to the `usual` weight. */
export function isHeavier(weight: number, usual: number): boolean {
  return weight >= usual + 150 && weight >= 500;
}

function isUnreadable(word: Word, page: PdfPage): boolean {
  const isOutside = word.x1 < -2 || word.y1 < -2 || word.x0 > page.width + 2 || word.y0 > page.height + 2;
  return isOutside || word.look.size < LEAST_SIZE;
}

/** Hidden words on a page with visible words and no picture are a duplicate text layer. */
function isTwinLayer(word: Word, page: PdfPage, hasVisible: boolean): boolean {
  return hasVisible && word.look.isHidden && page.images.length === 0;
}

/** Words by position, in squares of two points. */
class PlacedWords {
  readonly #byPlace = new Map<number, number[]>();

  /** Index in `words` of a word with the same text at or next to this place; -1 if there is none. */
  twinOf(word: Word, words: readonly PageWord[]): number {
    for (const shift of [0, -1, 1])
      for (const at of this.#byPlace.get(placeOf(word, shift)) ?? [])
        if (words[at]?.text === word.text) return at;
    return -1;
  }

  add(word: Word, at: number): void {
    const place = placeOf(word, 0);
    const others = this.#byPlace.get(place);
    if (others) others.push(at);
    else this.#byPlace.set(place, [at]);
  }
}

function placeOf({ x0, base }: Word, shift: number): number {
  return Math.round((x0 + shift) / 2) * MAX_ROWS + Math.round(base / 2);
}

function pageWord(word: Word, look: Look, usualWeight: number): PageWord {
  const { base, x0, text, markedContent, isGlued, isMirrored = false, confidence } = word;
  const { size } = look;
  return {
    text,
    x0,
    x1: Math.max(word.x1, x0 + 0.1),
    y0: base - ASCENT * size,
    y1: base + DESCENT * size,
    base,
    size,
    look,
    isBold: look.isBold || isHeavier(look.weight, usualWeight),
    isScript: false,
    markedContent,
    isGlued,
    isMirrored,
    confidence,
  };
}
