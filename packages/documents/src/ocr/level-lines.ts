import type { OcrWord } from "./ocr-engine.ts";

/** Radians, half a degree: with less a line as wide as a page stays within its height. */
const LEAST_SLOPE = 0.0087;

/** Lines of fewer words, and pages of fewer such lines, tell no slope: letters end at different heights. */
const FEWEST_WORDS = 4;
const FEWEST_LINES = 3;

/**
 * The words of a page that was scanned askew, each line level at the height of its middle. Lines keep their distances,
 * and words of one line their heights.
 */
export function levelLines(words: readonly OcrWord[]): readonly OcrWord[] {
  const lines = linesOf(words);
  const slope = slopeOf(lines);
  return Math.abs(slope) < LEAST_SLOPE ? words : lines.flatMap((line) => level(line, slope));
}

function linesOf(words: readonly OcrWord[]): readonly (readonly OcrWord[])[] {
  const lines = new Map<number, OcrWord[]>();
  for (const word of words) {
    const line = lines.get(word.line) ?? [];
    line.push(word);
    lines.set(word.line, line);
  }
  return [...lines.values()];
}

function level(line: readonly OcrWord[], slope: number): readonly OcrWord[] {
  const middle = (Math.min(...line.map(({ x0 }) => x0)) + Math.max(...line.map(({ x1 }) => x1))) / 2;
  return line.map((word) => {
    const shift = Math.round(slope * ((word.x0 + word.x1) / 2 - middle));
    return { ...word, y0: word.y0 - shift, y1: word.y1 - shift };
  });
}

/** The median of the lines' slopes, downwards to the right; 0 when too few tell one. */
function slopeOf(lines: readonly (readonly OcrWord[])[]): number {
  const slopes = lines
    .filter(({ length }) => length >= FEWEST_WORDS)
    .map(slopeOfLine)
    .sort((a, b) => a - b);
  return slopes.length < FEWEST_LINES ? 0 : (slopes[slopes.length >> 1] ?? 0);
}

/** The straight line that is nearest to where words end at the bottom (least squares). */
function slopeOfLine(line: readonly OcrWord[]): number {
  const points = line.map(({ x0, x1, y1 }) => [(x0 + x1) / 2, y1] as const);
  const meanX = mean(points.map(([x]) => x));
  const meanY = mean(points.map(([, y]) => y));
  const together = mean(points.map(([x, y]) => (x - meanX) * (y - meanY)));
  const spread = mean(points.map(([x]) => (x - meanX) ** 2));
  return spread === 0 ? 0 : together / spread;
}

function mean(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / values.length;
}
