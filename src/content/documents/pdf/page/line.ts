import { type Rect, unionOf } from "../../numbers/geometry.ts";
import { Tally } from "../../numbers/statistics.ts";
import type { PageWord } from "./words.ts";

/** In sizes. */
const WIDE_SPACE = 0.5;

/** Words on one baseline without a column gap between them. */
export interface Line extends Rect {
  readonly words: readonly PageWord[];
  readonly base: number;
  /** What most of its characters have. */
  readonly size: number;
  readonly isBold: boolean;
  readonly isItalic: boolean;
  readonly isMonospaced: boolean;
}

/** @param words - at least one, from left to right */
export function lineOf(words: readonly PageWord[]): Line {
  const sizes = new Tally<number>();
  let [characters, bold, italic, monospaced] = [0, 0, 0, 0];
  for (const { size, text, isBold, look } of words) {
    sizes.add(size, text.length);
    characters += text.length;
    if (isBold) bold += text.length;
    if (look.isItalic) italic += text.length;
    if (look.isMonospaced) monospaced += text.length;
  }
  const size = sizes.top() ?? 0;
  const main = words.find((word) => word.size === size);
  const isMost = (count: number) => count > 0.8 * characters;
  return {
    ...unionOf(words),
    words,
    base: main?.base ?? 0,
    size,
    isBold: isMost(bold),
    isItalic: isMost(italic),
    isMonospaced: isMost(monospaced),
  };
}

/** The words of a line, parted where the white between them is wider than a space. */
export function segmentsOf({ words }: Line): PageWord[][] {
  const segments: PageWord[][] = [];
  for (const word of words) {
    const before = segments.at(-1)?.at(-1);
    if (before && word.x0 - before.x1 < WIDE_SPACE * word.size) segments.at(-1)?.push(word);
    else segments.push([word]);
  }
  return segments;
}
