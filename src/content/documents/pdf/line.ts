import { type Rect, unionOf, widthOf } from "./geometry.ts";
import { Tally } from "./statistics.ts";
import type { PageWord } from "./words.ts";

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

/** How much of the narrower of two lines lies over the other, 0 to 1. */
export function sharedWidth(a: Rect, b: Rect): number {
  const shared = Math.min(a.x1, b.x1) - Math.max(a.x0, b.x0);
  return Math.max(0, shared) / Math.max(1, Math.min(widthOf(a), widthOf(b)));
}
