import { clustersOf } from "./numbers/clusters.ts";
import {
  areaOf,
  clip,
  heightOf,
  holdsMiddle,
  type Rect,
  rectOf,
  unionOf,
  widthOf,
} from "./numbers/geometry.ts";
import type { FilledBox, PdfPage, Ruling } from "./page/page.ts";
import type { PageWord } from "./page/words.ts";

/** Share of the page's area. Smaller pictures are ornaments, larger ones backgrounds. */
const SMALLEST = 0.01;
const MAX_SHARE = 0.85;
/** In points. Small pictures that are wide and at least as high as a letter are formulas. */
const LEAST_HEIGHT = 7;
const LEAST_WIDTH = 20;
/** If more words than this lie on a picture, the picture is a background. */
const MAX_WORDS = 3;
const MAX_FIGURES = 200;

export function figuresOf(page: PdfPage, words: readonly PageWord[]): Rect[] {
  const whole = page.width * page.height;
  return page.images
    .map((image) => clip(rectOf(image), page))
    .filter(
      (figure) =>
        areaOf(figure) <= MAX_SHARE * whole && (areaOf(figure) >= SMALLEST * whole || isWide(figure)),
    )
    .slice(0, MAX_FIGURES)
    .filter((figure) => words.filter((word) => holdsMiddle(figure, word)).length <= MAX_WORDS);
}

function isWide(figure: Rect): boolean {
  return (
    widthOf(figure) > 1.5 * heightOf(figure) &&
    heightOf(figure) > LEAST_HEIGHT &&
    widthOf(figure) > LEAST_WIDTH
  );
}

/** Share of the page's area. Smaller drawings are signs, larger ones frames and backgrounds. */
const SMALLEST_CHART = 0.015;
const MAX_CHART = 0.85;
/** In points. Labels stand at most this far from the drawing. */
const LABEL_REACH = 12;
/** A chart has at least this many numbers on its axes. */
const LEAST_NUMBERS = 4;
const LEAST_NUMBER_SHARE = 0.25;
/** Maximum share of a chart's area that labels cover. Tables with a drawn frame are covered more. */
const MAX_COVERED = 0.15;
/** A row with more words than this is running text, not labels. */
const MAX_LABEL_WORDS = 7;
/** Maps and plans have more drawn paths than this. The rest is ignored. */
const MAX_PATHS = 4000;

const NUMBER = /^[-–−+~<>≤≥$€£(]*\d[\d.,:/]*(?:[%)°kKMB]|e[-+]?\d+)*$/;

/** A drawing with numbers on its axes. */
interface Chart extends Rect {
  readonly words: readonly PageWord[];
}

/** Finds charts drawn with lines and curves. Their labels are left out of the text. */
export function chartsOf(page: PdfPage, words: readonly PageWord[]): Chart[] {
  const whole = page.width * page.height;
  const rectsOf = (boxes: readonly FilledBox[]) =>
    boxes
      .slice(0, MAX_PATHS)
      .map(({ box }) => clip(rectOf(box), page))
      .filter((rect) => areaOf(rect) <= MAX_CHART * whole);
  const drawings = rectsOf(page.boxes.filter(({ isDrawing }) => isDrawing));
  const mayFrame = drawings.length * page.rulings.length <= MAX_PAIRS;
  const drawn = clustersOf(
    mayFrame ? drawings.filter((rect) => !isFrame(rect, page.rulings)) : drawings,
    page,
  );
  const frames = rectsOf(page.boxes.filter(({ isDrawing }) => !isDrawing));
  return clustersOf(
    drawn.map((drawing) => unionOf([drawing, ...frames.filter((frame) => holdsMiddle(frame, drawing))])),
    page,
  )
    .filter((drawing) => areaOf(drawing) >= SMALLEST_CHART * whole && areaOf(drawing) <= MAX_CHART * whole)
    .flatMap((drawing) => chartIn(drawing, words) ?? []);
}

/** Above this many pairs of drawings and lines, borders are not told. */
const MAX_PAIRS = 1_000_000;
/** In points. The lines of a frame are as thin, where its outer and inner edge are one path. */
const FRAME_LINE = 3;

/** True if straight lines are all around: a border, not what is drawn in one. */
function isFrame({ x0, y0, x1, y1 }: Rect, rulings: readonly Ruling[]): boolean {
  const isNear = (a: number, b: number) => Math.abs(a - b) < FRAME_LINE;
  const isAcross = (at: number) =>
    rulings.some(
      (rule) => rule.isHorizontal && isNear(rule.y, at) && isNear(rule.x0, x0) && isNear(rule.x1, x1),
    );
  const isDown = (at: number) =>
    rulings.some(
      (rule) => !rule.isHorizontal && isNear(rule.x, at) && isNear(rule.y0, y0) && isNear(rule.y1, y1),
    );
  return isAcross(y0) && isAcross(y1) && isDown(x0) && isDown(x1);
}

function chartIn(drawing: Rect, words: readonly PageWord[]): Chart | undefined {
  const reach = grown(drawing, LABEL_REACH);
  const near = words.filter((word) => holdsMiddle(reach, word));
  const labels = near.filter((word) => !isOfRunningText(word, near));
  const numbers = labels.filter(({ text }) => NUMBER.test(text));
  if (numbers.length < LEAST_NUMBERS || numbers.length < LEAST_NUMBER_SHARE * labels.length) return undefined;
  const covered = near.reduce((sum, word) => sum + areaOf(word), 0);
  if (covered > MAX_COVERED * areaOf(reach)) return undefined;
  return { ...unionOf([drawing, ...labels]), words: labels };
}

/** True if the row of the word has many words close to each other. */
function isOfRunningText(word: PageWord, words: readonly PageWord[]): boolean {
  const row = words.filter((other) => Math.abs(other.base - word.base) < 0.3 * word.size);
  const sorted = row.toSorted((a, b) => a.x0 - b.x0);
  const at = sorted.indexOf(word);
  let [first, last] = [at, at];
  while (isClose(sorted[first - 1], sorted[first])) first--;
  while (isClose(sorted[last], sorted[last + 1])) last++;
  return last - first + 1 > MAX_LABEL_WORDS;
}

function isClose(left: PageWord | undefined, right: PageWord | undefined): boolean {
  return left !== undefined && right !== undefined && right.x0 - left.x1 < 0.6 * right.size;
}

function grown({ x0, y0, x1, y1 }: Rect, by: number): Rect {
  return { x0: x0 - by, y0: y0 - by, x1: x1 + by, y1: y1 + by };
}
