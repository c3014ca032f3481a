import type { OcrWord } from "./ocr/ocr-engine.ts";

/** Shares of the size of type: how far ink reaches above the baseline, and below it, in common book faces. */
const X_HEIGHT = 0.5;
const ASCENDER = 0.72;
const DESCENDER = 0.21;
/** Of scripts that fill their square. */
const FULL = 0.9;

const HAS_ASCENDER = /[A-Z0-9bdfhiklt()[\]{}|/\\!?&@#$%\u00c0-\u00de\u0400-\u042f\u00df]/;
const HAS_DESCENDER = /[gjpqyç()[\]{}|@$Q]/;
const HAS_LETTERS = /[\p{L}\p{N}]/u;
/** Neither Latin, Greek nor Cyrillic. */
const IS_FULL = /[^\u0000-\u052f\u1e00-\u1fff\u2000-\u22ff]/;

/** Measured sizes that differ by less from the typical size of the page are differences of the letters. */
const SAME_SIZE = 0.15;

interface SizedLine {
  readonly words: readonly OcrWord[];
  /** Of its type, in pixels. */
  readonly size: number;
}

/** The size of a line's type, in pixels, estimated from how high the ink of its letters is. */
export function sizeOf(line: readonly OcrWord[]): number {
  const told = line.filter(({ text }) => HAS_LETTERS.test(text));
  const words = told.length > 0 ? told : line;
  return median(words.map(({ text, y0, y1 }) => (y1 - y0) / (above(text) + below(text))));
}

/** Where the line's letters stand, in pixels from the top of the picture. */
export function baseOf(line: readonly OcrWord[], size: number): number {
  return median(line.map(({ text, y1 }) => y1 - below(text) * size));
}

/** The lines of a page, of which those that are about as large as most of its text are of one size. */
export function withUsualSize(lines: readonly SizedLine[]): readonly SizedLine[] {
  const sizes = lines.flatMap(({ words, size }) => words.map(() => size));
  const usual = median(sizes);
  return lines.map(({ words, size }) => ({
    words,
    size: Math.abs(size - usual) < SAME_SIZE * usual ? usual : size,
  }));
}

function above(text: string): number {
  if (IS_FULL.test(text)) return FULL;
  return HAS_ASCENDER.test(text) ? ASCENDER : X_HEIGHT;
}

function below(text: string): number {
  return !IS_FULL.test(text) && HAS_DESCENDER.test(text) ? DESCENDER : 0;
}

function median(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0;
}
