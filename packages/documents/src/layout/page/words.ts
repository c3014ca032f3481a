import type { Rect } from "../numbers/geometry.ts";
import type { Look, PdfPage, Word } from "./page.ts";
import { Tally } from "../numbers/statistics.ts";

/** Smaller characters cannot be read; drawings use them. */
const LEAST_SIZE = 1.5;
/** The share of the size that characters reach above and below the baseline. */
const ASCENT = 0.78;
const DESCENT = 0.22;
/** Of squares below each other: pages are not that high. */
const MAX_ROWS = 2 ** 26;

/** A word whose height follows from its size, so that words of one line are equally high. */
export interface PageWord extends Rect {
  readonly text: string;
  readonly base: number;
  readonly size: number;
  readonly look: Look;
  readonly isBold: boolean;
  /** Raised or lowered compared with the words of its line. */
  readonly isScript: boolean;
  readonly markedContent: number;
  readonly isGlued: boolean;
  readonly confidence: number | undefined;
}

/** The words of a page that can be read, each once. A word that is printed twice at one place is bold. */
export function readableWords(page: PdfPage): PageWord[] {
  const usualWeight = usualWeightOf(page.words);
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
    words.push(pageWord(word, usualWeight));
  }
  return words;
}

/** Weights are guessed from stems: they tell something only against what the page mostly has. */
function usualWeightOf(words: readonly Word[]): number {
  const weights = new Tally<number>();
  for (const { look, text } of words) weights.add(look.weight, text.length);
  return weights.top() ?? 400;
}

/** Whether characters of this weight are bold where those of `usual` weight are not. */
export function isHeavier(weight: number, usual: number): boolean {
  return weight >= usual + 150 && weight >= 500;
}

function isUnreadable(word: Word, page: PdfPage): boolean {
  const isOutside = word.x1 < -2 || word.y1 < -2 || word.x0 > page.width + 2 || word.y0 > page.height + 2;
  return isOutside || word.look.size < LEAST_SIZE;
}

/** Hidden words on a page that shows others and no picture: a second layer of the same text. */
function isTwinLayer(word: Word, page: PdfPage, hasVisible: boolean): boolean {
  return hasVisible && word.look.isHidden && page.images.length === 0;
}

/** Words by their places, in squares of two points. */
class PlacedWords {
  readonly #byPlace = new Map<number, number[]>();

  /** Where in `words` one with the same text is at the place of this one or next to it; -1: nowhere. */
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

function pageWord(word: Word, usualWeight: number): PageWord {
  const { look, base, x0, text, markedContent, isGlued, confidence } = word;
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
    confidence,
  };
}
