import { type Box, type Look, type PdfPage, PLAIN_LOOK, type Word } from "./layout/page/page.ts";
import { inReadingDirection } from "./ocr/quarter-turns.ts";
import type { OcrEngine, OcrWord } from "./ocr/ocr-engine.ts";
import type { GreyPicture } from "./pdfium/render.ts";

/** A lower resolution loses small letters; a higher one costs time and finds no more. */
export const OCR_DPI = 200;

const POINTS_PER_INCH = 72;

/** A picture that covers more of the page is a background. */
const BACKGROUND_SHARE = 0.4;

interface Recogniser {
  readonly engine: OcrEngine;
  readonly languages: readonly string[];
  readonly signal: AbortSignal;
}

/**
 * Replaces the words of the page with words recognised in its picture.
 * @throws Error if the engine fails.
 */
export async function recognisePage(
  page: PdfPage,
  picture: GreyPicture,
  { engine, languages, signal }: Recogniser,
): Promise<PdfPage> {
  const found = inReadingDirection(await engine.recognise(picture, languages, signal), picture);
  const scale = POINTS_PER_INCH / picture.dpi;
  const lines = withUsualSize(
    withBullets(linesOf(found.words)).map((words) => ({ words, size: sizeOf(words) })),
  );
  const upright = lines.flatMap((line) => wordsOfLine(line.words, line.size, scale));
  const isVertical = found.words[0]?.isVertical === true;
  const words = isVertical ? upright.map((word) => runningDown(word, found.height * scale)) : upright;
  const isOnItsSide = found.width !== picture.width && !isVertical;
  return {
    ...page,
    // A page that was scanned sideways is turned upright.
    ...(isOnItsSide && { width: page.height, height: page.width }),
    words: sharingLooks(words),
    images: page.images.filter((box) => !isBackground(box, page)),
    tags: undefined,
    glyphs: words.reduce((total, { text }) => total + text.length, 0),
    unmapped: 0,
    source: "layout_ocr",
  };
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

function wordsOfLine(line: readonly OcrWord[], pixels: number, scale: number): readonly Word[] {
  const size = Math.max(1, Math.round(pixels * scale * 10) / 10);
  const base = baseOf(line, pixels) * scale;
  return line.map(({ text, x0, y0, x1, y1, confidence }) => ({
    text,
    x0: x0 * scale,
    y0: y0 * scale,
    x1: x1 * scale,
    y1: y1 * scale,
    base,
    look: { ...PLAIN_LOOK, size },
    markedContent: -1,
    isGlued: false,
    confidence,
  }));
}

/**
 * Puts a word of a line that runs down the page back to where it stands; the layout turns such lines.
 * @param across - width of the page, in points
 */
function runningDown(word: Word, across: number): Word {
  const { size } = word.look;
  const x0 = across - word.base - BELOW_BASE * size;
  return {
    ...word,
    x0,
    x1: x0 + size,
    y0: word.x0,
    y1: word.x1,
    look: { ...word.look, angle: -Math.PI / 2 },
  };
}

/** As a share of the font size. */
const BELOW_BASE = 0.2;

function sharingLooks(words: readonly Word[]): readonly Word[] {
  const looks = new Map<number, Look>();
  return words.map((word) => {
    const look = looks.get(word.look.size) ?? word.look;
    looks.set(look.size, look);
    return { ...word, look };
  });
}

function isBackground([x0, y0, x1, y1]: Box, { width, height }: PdfPage): boolean {
  return (x1 - x0) * (y1 - y0) > BACKGROUND_SHARE * width * height;
}

/** What engines read in place of filled and hollow bullets. */
const SIGN = /^(?:[eo°¢«»©®*+·●•]|e[«»©°]|eo)$/;
/** The letters among them are words in some languages. Before lower-case words they are not bullets. */
const LETTERS = /^[eo]/;

/** Relative to the next word. Bullets are lower than words. */
const MAX_HEIGHT = 0.75;
/** Minimum share of lines with the same start that begin with a bullet. At a text margin, hardly any do. */
const LEAST_SHARE = 0.6;
/** Pixels at 200 dpi. */
const SAME_START = 6;

/** Replaces signs and letters misread from bullets with bullets. */
export function withBullets(lines: readonly (readonly OcrWord[])[]): readonly (readonly OcrWord[])[] {
  const marked = lines.map(beginsLikeItem);
  return lines.map((line, at) => {
    const [first, ...others] = line;
    if (!first || marked[at] !== true || !isListed(first, lines, marked)) return line;
    return [{ ...first, text: "•" }, ...others];
  });
}

function beginsLikeItem([sign, next]: readonly OcrWord[]): boolean {
  if (!sign || !next || !SIGN.test(sign.text)) return false;
  const isLow = sign.y1 - sign.y0 < MAX_HEIGHT * (next.y1 - next.y0);
  return isLow && (!LETTERS.test(sign.text) || !/^\p{Ll}+[\p{P}]?$/u.test(next.text));
}

function isListed(
  sign: OcrWord,
  lines: readonly (readonly OcrWord[])[],
  marked: readonly boolean[],
): boolean {
  let [alike, items] = [0, 0];
  lines.forEach(([first], at) => {
    if (!first || Math.abs(first.x0 - sign.x0) > SAME_START) return;
    alike += 1;
    if (marked[at] === true) items += 1;
  });
  return items >= LEAST_SHARE * alike;
}

/** Shares of the font size: extent of ink above and below the baseline in common book faces. */
const X_HEIGHT = 0.5;
const ASCENDER = 0.72;
const DESCENDER = 0.21;
/** For scripts whose characters fill the em square. */
const FULL = 0.9;

const HAS_ASCENDER = /[A-Z0-9bdfhiklt()[\]{}|/\\!?&@#$%\u00c0-\u00de\u0400-\u042f\u00df]/;
const HAS_DESCENDER = /[gjpqyç()[\]{}|@$Q]/;
const HAS_LETTERS = /[\p{L}\p{N}]/u;
/** Scripts other than Latin, Greek and Cyrillic. */
const IS_FULL = /[^\u0000-\u052f\u1e00-\u1fff\u2000-\u22ff]/;

/** Sizes that differ from the page's typical size by less than this share are measurement noise. */
const SAME_SIZE = 0.15;

interface SizedLine {
  readonly words: readonly OcrWord[];
  /** Font size in pixels. */
  readonly size: number;
}

/** Font size of a line in pixels, estimated from the ink height of its letters. */
function sizeOf(line: readonly OcrWord[]): number {
  const told = line.filter(({ text }) => HAS_LETTERS.test(text));
  const words = told.length > 0 ? told : line;
  return median(words.map(({ text, y0, y1 }) => (y1 - y0) / (above(text) + below(text))));
}

/** Baseline of the line, in pixels from the top of the picture. */
function baseOf(line: readonly OcrWord[], size: number): number {
  return median(line.map(({ text, y1 }) => y1 - below(text) * size));
}

/** Gives all lines of about the page's usual size exactly that size. */
function withUsualSize(lines: readonly SizedLine[]): readonly SizedLine[] {
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
