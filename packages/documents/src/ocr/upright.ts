import type { OcrPicture, OcrWord, QuarterTurn } from "./ocr-engine.ts";
import { middleOf, turnBack, turnPicture, turnWord } from "./quarter-turns.ts";

/** Reads a picture without turning it. */
type Read = (picture: OcrPicture) => Promise<readonly OcrWord[]>;

/** Upright text is read with at least this mean confidence, even where it is faint. */
const CONFIDENT = 0.55;

/** Factor by which a turned centre must be read better than the upright one. */
const MUCH_BETTER = 1.5;

/** Minimum letters of words whose box shows their direction, and the share of them that must be tall. */
const LONG_WORD = 4;
const TALL_SHARE = 0.8;

/** In pixels. Smaller pictures are not legible, and engines fail on them. */
const SMALLEST = 10;

/** Darker pixels are ink. A picture with less ink than this share shows no text. */
const INK = 128;
const LEAST_INK_SHARE = 0.0005;

const TURNS: readonly QuarterTurn[] = [90, 180, 270];

interface Ways {
  /** The turn that the engine sees, if it looks for one. */
  readonly turn?: QuarterTurn | undefined;
  /** Reads lines that run down the page, the first at the right. */
  readonly readDown?: Read;
}

/** Reads a picture, turned if necessary. Boxes refer to the picture as given. */
export async function readUpright(
  picture: OcrPicture,
  read: Read,
  { turn: seen, readDown }: Ways = {},
): Promise<readonly OcrWord[]> {
  if (picture.width < SMALLEST || picture.height < SMALLEST) return [];
  const turned = seen === undefined ? [] : await readTurned(picture, seen, read);
  if (confidenceOf(turned) >= CONFIDENT) return turned;
  const words = withTurn(await read(picture));
  if (confidenceOf(words) >= CONFIDENT || !hasInk(picture)) return levelUpright(words);
  const down = (await readDown?.(picture)) ?? [];
  if (confidenceOf(down) >= CONFIDENT) return down.map((word) => ({ ...word, turn: DOWN, isVertical: true }));
  const turn = await bestTurn(picture, read);
  return turn === undefined ? levelUpright(words) : readTurned(picture, turn, read);
}

/** Turns lines that run down the page, the first at the right, to lines that run from the left, the first at the top. */
const DOWN = 270;

async function readTurned(picture: OcrPicture, turn: QuarterTurn, read: Read): Promise<readonly OcrWord[]> {
  const turned = levelLines(await read(turnPicture(picture, turn)));
  const size = turn === 180 ? picture : { width: picture.height, height: picture.width };
  return turned.map((word) => ({ ...turnWord(word, size, turnBack(turn)), turn }));
}

/**
 * A picture of what was hardly read, with a page's other words painted over; undefined where most of it was read
 * with confidence.
 */
export function hardlyRead(picture: OcrPicture, words: readonly OcrWord[]): OcrPicture | undefined {
  const sure = words.filter(({ confidence }) => confidence >= CONFIDENT);
  const [all, read] = [words, sure].map((some) => some.reduce((total, { text }) => total + text.length, 0));
  if (all !== undefined && read !== undefined && all > 0 && read > SURE_SHARE * all) return undefined;
  const pixels = Uint8Array.from(picture.pixels);
  for (const { x0, x1, y0, y1 } of sure)
    for (let y = y0; y < y1; y++) pixels.fill(WHITE, y * picture.width + x0, y * picture.width + x1);
  const rest = { ...picture, pixels };
  return hasInk(rest) ? rest : undefined;
}

/** Of the characters of a page in one script. */
const SURE_SHARE = 0.95;
const WHITE = 255;

/** Engines also read lines that run up or down the page. Most longer words of those are taller than wide. */
function withTurn(words: readonly OcrWord[]): readonly OcrWord[] {
  const long = words.filter(({ text }) => text.length >= LONG_WORD);
  const tall = long.filter(({ x0, x1, y0, y1 }) => y1 - y0 > x1 - x0);
  if (tall.length === 0 || tall.length < TALL_SHARE * long.length) return words;
  const turn = downwards(words) > 0 ? 270 : 90;
  return words.map((word) => ({ ...word, turn }));
}

/** Words below their predecessor in the line, minus words above it. */
function downwards(words: readonly OcrWord[]): number {
  return words.reduce((sum, { line, y0 }, at) => {
    const before = words[at - 1];
    return before?.line === line ? sum + Math.sign(y0 - before.y0) : sum;
  }, 0);
}

/** The turn in which the centre of the picture is read best; undefined for none. */
async function bestTurn(picture: OcrPicture, read: Read): Promise<QuarterTurn | undefined> {
  const middle = middleOf(picture);
  let best = MUCH_BETTER * legible(await read(middle));
  let found: QuarterTurn | undefined;
  for (const turn of TURNS) {
    const characters = legible(await read(turnPicture(middle, turn)));
    if (characters <= best) continue;
    best = characters;
    found = turn;
  }
  return found;
}

function levelUpright(words: readonly OcrWord[]): readonly OcrWord[] {
  return words[0]?.turn === undefined ? levelLines(words) : words;
}

/** Characters read with confidence. */
export function legible(words: readonly OcrWord[]): number {
  return words
    .filter(({ confidence }) => confidence >= CONFIDENT)
    .reduce((total, { text, confidence }) => total + text.length * confidence, 0);
}

/** Mean per character; 0 without words. */
function confidenceOf(words: readonly OcrWord[]): number {
  const characters = words.reduce((total, { text }) => total + text.length, 0);
  const sum = words.reduce((total, { text, confidence }) => total + text.length * confidence, 0);
  return characters === 0 ? 0 : sum / characters;
}

function hasInk({ pixels }: OcrPicture): boolean {
  let dark = 0;
  for (const pixel of pixels) if (pixel < INK) dark += 1;
  return dark > LEAST_INK_SHARE * pixels.length;
}

/** In radians, half a degree. With a smaller slope, a page-wide line stays within its height. */
const LEAST_SLOPE = 0.0087;

/** Fewer words per line or fewer lines give no reliable slope, as letters have different descents. */
const FEWEST_WORDS = 4;
const FEWEST_LINES = 3;

/**
 * Levels the lines of a page that was scanned askew, each at the height of its centre. Line distances and
 * heights within a line stay the same.
 */
function levelLines(words: readonly OcrWord[]): readonly OcrWord[] {
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

/** Median slope of the lines, positive downwards to the right; 0 if there are too few lines. */
function slopeOf(lines: readonly (readonly OcrWord[])[]): number {
  const slopes = lines
    .filter(({ length }) => length >= FEWEST_WORDS)
    .map(slopeOfLine)
    .sort((a, b) => a - b);
  return slopes.length < FEWEST_LINES ? 0 : (slopes[slopes.length >> 1] ?? 0);
}

/** Least-squares slope of the bottom edges of the words. */
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
