import type { Rect } from "../../numbers/geometry.ts";
import type { Look, PdfPage, Word } from "./page.ts";
import { Tally } from "../../numbers/statistics.ts";

/** Smaller characters cannot be read; drawings use them. */
const LEAST_SIZE = 1.5;
/** The share of the size that characters reach above and below the baseline. */
const ASCENT = 0.78;
const DESCENT = 0.22;

/** A word whose height follows from its size, so that words of one line are equally high. */
export interface PageWord extends Rect {
  readonly text: string;
  readonly base: number;
  readonly size: number;
  readonly look: Look;
  readonly isBold: boolean;
  /** Raised or lowered beside the words of its line. */
  readonly isScript: boolean;
  readonly markedContent: number;
  readonly isGlued: boolean;
  readonly confidence: number | undefined;
}

/** The words of a page that can be read, each once. A word that is printed twice at one place is bold. */
export function readableWords(page: PdfPage): PageWord[] {
  const usualWeight = usualWeightOf(page.words);
  const hasVisible = page.words.some((word) => !word.look.isHidden);
  const found = new Map<string, { at: number }>();
  const words: PageWord[] = [];
  for (const word of page.words) {
    if (isUnreadable(word, page) || isTwinLayer(word, page, hasVisible)) continue;
    const twin = keysNear(word)
      .map((key) => found.get(key))
      .find(Boolean);
    const first = twin && words[twin.at];
    if (twin && first) {
      words[twin.at] = { ...first, isBold: true };
      continue;
    }
    found.set(keyAt(word, 0), { at: words.length });
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

function keysNear(word: Word): string[] {
  return [0, -1, 1].map((shift) => keyAt(word, shift));
}

function keyAt(word: Word, shift: number): string {
  return `${word.text}/${Math.round((word.x0 + shift) / 2)}/${Math.round(word.base / 2)}`;
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
