import { areaOf, clip, holdsMiddle, type Rect, rectOf, unionOf } from "../numbers/geometry.ts";
import type { FilledBox, PdfPage } from "./page.ts";
import type { PageWord } from "./words.ts";

/** Side of the squares that a page is divided into, in points: what is drawn closer together is one drawing. */
const SQUARE = 8;
/** Share of the page: smaller drawings are signs, larger ones frames and backgrounds. */
const SMALLEST = 0.015;
const LARGEST = 0.85;
/** How far from what is drawn its labels stand, in points. */
const LABEL_REACH = 12;
/** A drawing with fewer numbers is no chart. */
const LEAST_NUMBERS = 4;
const LEAST_NUMBER_SHARE = 0.25;
/** Share of a chart that its labels cover; those of a table, which may have a drawn frame, cover more. */
const MOST_COVERED = 0.15;
/** Words side by side: text that runs has more of them than labels. */
const MOST_LABEL_WORDS = 7;
/** Of a page with more drawn paths, as maps and plans have, only so many are looked at. */
const MOST_PATHS = 4000;

const NUMBER = /^[-–−+~<>≤≥$€£(]*\d[\d.,:/]*(?:[%)°kKMB]|e[-+]?\d+)*$/;

/** A drawing with numbers on its axes, and the words that label it. */
export interface Chart extends Rect {
  readonly words: readonly PageWord[];
}

/** The charts of a page that are drawn with lines and curves. Their labels are no text to be read. */
export function chartsOf(page: PdfPage, words: readonly PageWord[]): Chart[] {
  const whole = page.width * page.height;
  const rectsOf = (boxes: readonly FilledBox[]) =>
    boxes
      .slice(0, MOST_PATHS)
      .map(({ box }) => clip(rectOf(box), page))
      .filter((rect) => areaOf(rect) <= LARGEST * whole);
  const drawn = clustersOf(rectsOf(page.boxes.filter(({ isDrawing }) => isDrawing)), page);
  const frames = rectsOf(page.boxes.filter(({ isDrawing }) => !isDrawing));
  return clustersOf(
    drawn.map((drawing) => unionOf([drawing, ...frames.filter((frame) => holdsMiddle(frame, drawing))])),
    page,
  )
    .filter((drawing) => areaOf(drawing) >= SMALLEST * whole && areaOf(drawing) <= LARGEST * whole)
    .flatMap((drawing) => chartIn(drawing, words) ?? []);
}

function chartIn(drawing: Rect, words: readonly PageWord[]): Chart | undefined {
  const reach = grown(drawing, LABEL_REACH);
  const near = words.filter((word) => holdsMiddle(reach, word));
  const labels = near.filter((word) => !isOfRunningText(word, near));
  const numbers = labels.filter(({ text }) => NUMBER.test(text));
  if (numbers.length < LEAST_NUMBERS || numbers.length < LEAST_NUMBER_SHARE * labels.length) return undefined;
  const covered = near.reduce((sum, word) => sum + areaOf(word), 0);
  if (covered > MOST_COVERED * areaOf(reach)) return undefined;
  return { ...unionOf([drawing, ...labels]), words: labels };
}

/** Whether the word stands in a row of many words that follow each other closely. */
function isOfRunningText(word: PageWord, words: readonly PageWord[]): boolean {
  const row = words.filter((other) => Math.abs(other.base - word.base) < 0.3 * word.size);
  const sorted = row.toSorted((a, b) => a.x0 - b.x0);
  const at = sorted.indexOf(word);
  let [first, last] = [at, at];
  while (isClose(sorted[first - 1], sorted[first])) first--;
  while (isClose(sorted[last], sorted[last + 1])) last++;
  return last - first + 1 > MOST_LABEL_WORDS;
}

function isClose(left: PageWord | undefined, right: PageWord | undefined): boolean {
  return left !== undefined && right !== undefined && right.x0 - left.x1 < 0.6 * right.size;
}

function grown({ x0, y0, x1, y1 }: Rect, by: number): Rect {
  return { x0: x0 - by, y0: y0 - by, x1: x1 + by, y1: y1 + by };
}

/** Rectangles that touch or nearly touch, as one each. */
function clustersOf(rects: readonly Rect[], page: PdfPage): Rect[] {
  const columns = Math.ceil(page.width / SQUARE) + 1;
  const owners = new Map<number, number>();
  const parents = rects.map((_, index) => index);
  const find = (index: number): number => {
    let root = index;
    while (parents[root] !== root) root = parents[root] as number;
    return root;
  };
  rects.forEach((rect, index) => {
    for (const square of squaresOf(rect, columns)) {
      const owner = owners.get(square);
      if (owner === undefined) owners.set(square, index);
      else parents[find(index)] = find(owner);
    }
  });
  const clusters = new Map<number, Rect>();
  rects.forEach((rect, index) => {
    const root = find(index);
    clusters.set(root, unionOf([rect, clusters.get(root) ?? rect]));
  });
  return [...clusters.values()];
}

/** The squares that a rectangle covers, and those around. */
function squaresOf(rect: Rect, columns: number): number[] {
  const at = (value: number) => Math.floor(value / SQUARE);
  const squares: number[] = [];
  for (let y = at(rect.y0) - 1; y <= at(rect.y1) + 1; y++) {
    for (let x = at(rect.x0) - 1; x <= at(rect.x1) + 1; x++) squares.push(y * columns + x);
  }
  return squares;
}
