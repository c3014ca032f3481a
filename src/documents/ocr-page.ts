import type { Box, Look, PdfPage, Word } from "../content/documents/pdf/page.ts";
import { inReadingDirection } from "./ocr/quarter-turns.ts";
import type { OcrEngine, OcrWord } from "./ocr/ocr-engine.ts";
import type { GreyPicture } from "./pdfium/render.ts";

/** Fewer dots lose small letters, more cost time without finding more. */
export const OCR_DPI = 200;

const POINTS_PER_INCH = 72;

/** Boxes end where the ink ends: a type's size is this much more than its tall letters. */
const SIZE_BY_HEIGHT = 1.12;
const TALL = 0.8;
/** Sizes that differ by less are measured differences of one. */
const SIZE_STEP_POINTS = 0.5;

/** Letters that reach below the baseline. */
const DESCENDERS = /[gjpqyç,;()[\]{}|Q_@$]/;
const DESCENDER_SHARE = 0.2;

/** A picture that covers more of the page is the page. */
const BACKGROUND_SHARE = 0.4;

interface Recogniser {
  readonly engine: OcrEngine;
  readonly languages: readonly string[];
  readonly signal: AbortSignal;
}

/**
 * The page with the words that are seen on it instead of those that the file has.
 * @throws Error when the engine fails.
 */
export async function recognisePage(
  page: PdfPage,
  picture: GreyPicture,
  { engine, languages, signal }: Recogniser,
): Promise<PdfPage> {
  const found = inReadingDirection(await engine.recognise(picture, languages, signal), picture);
  const scale = POINTS_PER_INCH / picture.dpi;
  const words = linesOf(found.words).flatMap((line) => wordsOfLine(line, scale));
  const isOnItsSide = found.width !== picture.width;
  return {
    ...page,
    // A page that was scanned turned is turned for its readers.
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

function wordsOfLine(line: readonly OcrWord[], scale: number): readonly Word[] {
  const heights = line.map(({ y0, y1 }) => y1 - y0).sort((a, b) => a - b);
  const tall = heights[Math.floor(TALL * (heights.length - 1))] ?? 0;
  const size = Math.max(1, roundTo(SIZE_STEP_POINTS, tall * SIZE_BY_HEIGHT * scale));
  const base = baseOf(line, tall) * scale;
  return line.map(({ text, x0, y0, x1, y1, confidence }) => ({
    text,
    x0: x0 * scale,
    y0: y0 * scale,
    x1: x1 * scale,
    y1: y1 * scale,
    base,
    look: { ...PLAIN, size },
    markedContent: -1,
    isGlued: false,
    confidence,
  }));
}

/** Where words without descenders end; without such words, a share of the height above the end. */
function baseOf(line: readonly OcrWord[], height: number): number {
  const plain = line.filter(({ text }) => !DESCENDERS.test(text)).map(({ y1 }) => y1);
  if (plain.length > 0) return median(plain);
  return median(line.map(({ y1 }) => y1)) - DESCENDER_SHARE * height;
}

const PLAIN: Omit<Look, "size"> = {
  font: "",
  weight: 400,
  isBold: false,
  isItalic: false,
  isMonospaced: false,
  angle: 0,
  isHidden: false,
  color: 0,
};

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

function roundTo(step: number, value: number): number {
  return Math.round(value / step) * step;
}

function median(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0;
}
