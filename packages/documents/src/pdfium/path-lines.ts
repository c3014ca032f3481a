import type { Box, Ruling } from "../layout/page/page.ts";
import type { Pdfium } from "./library.ts";
import { chained, mapX, mapY, type Matrix } from "./matrix.ts";

/** A box that is thinner is a line. */
const THIN_POINTS = 3;
/** A line that deviates by less is straight. */
const STRAIGHT_POINTS = 1;
/** Shorter ones are parts of letters and drawings. */
const SHORTEST_POINTS = 4;

/** fpdf_edit.h: FPDF_SEGMENT_*. */
const LINE_TO = 0;
const MOVE_TO = 2;

interface Point {
  readonly x: number;
  readonly y: number;
}

/** The line that a thin box looks like; undefined when it does not. */
export function rulingOfBox([x0, y0, x1, y1]: Box): Ruling | undefined {
  const width = x1 - x0;
  const height = y1 - y0;
  if (height <= THIN_POINTS && width > SHORTEST_POINTS) {
    return { isHorizontal: true, y: (y0 + y1) / 2, x0, x1 };
  }
  if (width <= THIN_POINTS && height > SHORTEST_POINTS) {
    return { isHorizontal: false, x: (x0 + x1) / 2, y0, y1 };
  }
  return undefined;
}

/** What a path consists of. */
export interface PathShape {
  /** Its straight lines along the page's sides. */
  readonly rulings: readonly Ruling[];
  /** Whether it also has curves, or lines that lead elsewhere. */
  readonly isFreehand: boolean;
}

/** Reads the segments of paths. */
export class PathLines {
  readonly #pdfium: Pdfium;

  constructor(pdfium: Pdfium) {
    this.#pdfium = pdfium;
  }

  of(path: number, outer: Matrix, segments: number): PathShape {
    const { call, memory } = this.#pdfium;
    const has = call.FPDFPageObj_GetMatrix(path, memory.scratch) !== 0;
    const matrix = has ? chained(memory.matrix(), outer) : outer;
    const rulings: Ruling[] = [];
    let isFreehand = false;
    let start: Point = { x: 0, y: 0 };
    let last = start;
    for (let index = 0; index < segments; index += 1) {
      const segment = call.FPDFPath_GetPathSegment(path, index);
      const type = call.FPDFPathSegment_GetType(segment);
      const point = this.#point(segment, matrix);
      if (type === MOVE_TO) start = point;
      if (type === LINE_TO) addRuling(rulings, last, point);
      if (type !== MOVE_TO) isFreehand ||= type !== LINE_TO || isOblique(last, point);
      last = point;
      if (call.FPDFPathSegment_GetClose(segment) === 0) continue;
      addRuling(rulings, last, start);
      last = start;
    }
    return { rulings, isFreehand };
  }

  #point(segment: number, matrix: Matrix): Point {
    const { call, memory } = this.#pdfium;
    call.FPDFPathSegment_GetPoint(segment, memory.scratch, memory.scratch + 4);
    const x = memory.float(0);
    const y = memory.float(1);
    return { x: mapX(matrix, x, y), y: mapY(matrix, x, y) };
  }
}

function isOblique(from: Point, to: Point): boolean {
  return Math.abs(from.x - to.x) > SHORTEST_POINTS && Math.abs(from.y - to.y) > SHORTEST_POINTS;
}

function addRuling(rulings: Ruling[], from: Point, to: Point): void {
  const width = Math.abs(from.x - to.x);
  const height = Math.abs(from.y - to.y);
  if (height < STRAIGHT_POINTS && width > SHORTEST_POINTS) {
    const y = (from.y + to.y) / 2;
    rulings.push({ isHorizontal: true, y, x0: Math.min(from.x, to.x), x1: Math.max(from.x, to.x) });
  } else if (width < STRAIGHT_POINTS && height > SHORTEST_POINTS) {
    const x = (from.x + to.x) / 2;
    rulings.push({ isHorizontal: false, x, y0: Math.min(from.y, to.y), y1: Math.max(from.y, to.y) });
  }
}
