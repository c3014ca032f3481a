import { type Rect, unionOf } from "../numbers/geometry.ts";
import { Tally } from "../numbers/statistics.ts";
import { textOf } from "./line-text.ts";
import type { PageWord } from "./words.ts";

/** In em. */
const WIDE_SPACE = 0.5;

/** The line has a look if at least this share of its characters has it. */
const LEAST_SHARE = 0.8;

/** Words on one baseline without a column gap between them. */
export interface Line extends Rect {
  readonly words: readonly PageWord[];
  readonly base: number;
  /** The values of most characters. */
  readonly size: number;
  readonly isBold: boolean;
  readonly isItalic: boolean;
  readonly isMonospaced: boolean;
  /** Computed lazily, as are the segments: few lines need them, but those often. */
  readonly text: string;
  /** The words, split at gaps wider than a space. */
  readonly segments: readonly Segment[];
  /** True if the first word of the next line would have fitted behind this one: its end was chosen. */
  hasRoomFor(next: Line, right: number): boolean;
}

interface Segment {
  readonly words: readonly PageWord[];
  readonly x0: number;
  readonly x1: number;
}

/** @param words - at least one, from left to right */
export function lineOf(words: readonly PageWord[]): Line {
  return new LineOfWords(words);
}

class LineOfWords implements Line {
  readonly x0: number;
  readonly y0: number;
  readonly x1: number;
  readonly y1: number;
  readonly words: readonly PageWord[];
  readonly base: number;
  readonly size: number;
  readonly isBold: boolean;
  readonly isItalic: boolean;
  readonly isMonospaced: boolean;
  #text: string | undefined;
  #segments: readonly Segment[] | undefined;

  constructor(words: readonly PageWord[]) {
    let [characters, bold, italic, monospaced] = [0, 0, 0, 0];
    for (const { text, isBold, look } of words) {
      characters += text.length;
      if (isBold) bold += text.length;
      if (look.isItalic) italic += text.length;
      if (look.isMonospaced) monospaced += text.length;
    }
    const { x0, y0, x1, y1 } = unionOf(words);
    this.x0 = x0;
    this.y0 = y0;
    this.x1 = x1;
    this.y1 = y1;
    this.words = words;
    const size = usualSize(words);
    this.size = size;
    this.base = words.find((word) => word.size === size)?.base ?? 0;
    this.isBold = bold > LEAST_SHARE * characters;
    this.isItalic = italic > LEAST_SHARE * characters;
    this.isMonospaced = monospaced > LEAST_SHARE * characters;
  }

  get text(): string {
    return (this.#text ??= textOf(this.words));
  }

  get segments(): readonly Segment[] {
    return (this.#segments ??= segmentsOf(this.words));
  }

  hasRoomFor({ words: [word] }: Line, right: number): boolean {
    return word !== undefined && this.x1 + 0.3 * this.size + word.x1 - word.x0 < right;
  }
}

function usualSize(words: readonly PageWord[]): number {
  const first = words[0]?.size ?? 0;
  if (words.every(({ size }) => size === first)) return first;
  const sizes = new Tally<number>();
  for (const { size, text } of words) sizes.add(size, text.length);
  return sizes.top() ?? 0;
}

function segmentsOf(words: readonly PageWord[]): Segment[] {
  const segments: { readonly words: PageWord[]; readonly x0: number; x1: number }[] = [];
  for (const word of words) {
    const segment = segments.at(-1);
    const before = segment?.words.at(-1);
    if (segment && before && word.x0 - before.x1 < WIDE_SPACE * word.size) {
      segment.words.push(word);
      segment.x1 = Math.max(segment.x1, word.x1);
    } else segments.push({ words: [word], x0: word.x0, x1: word.x1 });
  }
  return segments;
}
