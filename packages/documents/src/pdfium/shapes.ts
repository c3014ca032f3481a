import type { Box, FilledBox, Ruling } from "../layout/page/page.ts";
import type { Pdfium } from "./library.ts";
import { chained, mapX, mapY, type Matrix } from "./matrix.ts";
import { boxIn, type PageSpace, writtenCorners } from "./space.ts";

interface PageShapes {
  readonly rulings: readonly Ruling[];
  readonly boxes: readonly FilledBox[];
  readonly images: readonly Box[];
  /** Small round shapes, as bullets. */
  readonly dots: readonly Box[];
  readonly isCut: boolean;
}

const MAX_OBJECTS = 20_000;
const MAX_RULINGS = 6000;
const MAX_FORM_DEPTH = 5;

/** Paths with more segments are drawings, whose individual lines do not matter. */
const MAX_SEGMENTS = 400;

/** A box has five segments, or six with the closing one. */
const BOX_SEGMENTS = 6;

/** Shapes smaller in both directions are ignored. */
const DUST_POINTS = 4;

/** A colour is white if every channel is above this. */
const WHITE = 250;

/** Object types FPDF_PAGEOBJ_* of fpdf_edit.h. */
const PATH = 2;
const IMAGE = 3;
const FORM = 5;

/** Straight lines, filled boxes and pictures of a page, including those inside form objects. */
export function readShapes(pdfium: Pdfium, page: number, space: PageSpace): PageShapes {
  return new ShapeReader(pdfium, space).read(page);
}

class ShapeReader {
  readonly #pdfium: Pdfium;
  readonly #space: PageSpace;
  readonly #lines: PathLines;
  readonly #rulings: Ruling[] = [];
  readonly #boxes: FilledBox[] = [];
  readonly #images: Box[] = [];
  readonly #dots: Box[] = [];
  #objectsLeft = MAX_OBJECTS;

  constructor(pdfium: Pdfium, space: PageSpace) {
    this.#pdfium = pdfium;
    this.#space = space;
    this.#lines = new PathLines(pdfium);
  }

  read(page: number): PageShapes {
    const { call } = this.#pdfium;
    const count = call.FPDFPage_CountObjects(page);
    for (let index = 0; index < count && this.#hasRoom(); index += 1) {
      this.#object(call.FPDFPage_GetObject(page, index), this.#space.matrix, 0);
    }
    const { width, height } = this.#space;
    const isSeen = ([x0, y0, x1, y1]: Box) => x1 >= 0 && y1 >= 0 && x0 <= width && y0 <= height;
    return {
      rulings: this.#rulings.slice(0, MAX_RULINGS),
      boxes: this.#boxes.filter(({ box }) => isSeen(box)),
      images: this.#images.filter(isSeen),
      dots: this.#dots,
      isCut: !this.#hasRoom(),
    };
  }

  #hasRoom(): boolean {
    return this.#objectsLeft > 0 && this.#rulings.length <= MAX_RULINGS;
  }

  #object(object: number, matrix: Matrix, depth: number): void {
    this.#objectsLeft -= 1;
    const type = this.#pdfium.call.FPDFPageObj_GetType(object);
    if (type === FORM) this.#form(object, matrix, depth);
    if (type !== PATH && type !== IMAGE) return;
    const box = this.#boxOf(object, matrix);
    if (!box) return;
    if (type === IMAGE) this.#images.push(box);
    else this.#path(object, matrix, box);
  }

  #form(object: number, outer: Matrix, depth: number): void {
    if (depth >= MAX_FORM_DEPTH) return;
    const { call, memory } = this.#pdfium;
    const has = call.FPDFPageObj_GetMatrix(object, memory.scratch) !== 0;
    const matrix = has ? chained(memory.matrix(), outer) : outer;
    const count = call.FPDFFormObj_CountObjects(object);
    for (let index = 0; index < count && this.#hasRoom(); index += 1) {
      this.#object(call.FPDFFormObj_GetObject(object, index), matrix, depth + 1);
    }
  }

  #boxOf(object: number, matrix: Matrix): Box | undefined {
    const { call, memory } = this.#pdfium;
    const at = memory.scratch;
    const has = call.FPDFPageObj_GetBounds(object, at, at + 4, at + 8, at + 12);
    return has === 0 ? undefined : boxIn(matrix, writtenCorners(this.#pdfium));
  }

  #path(object: number, matrix: Matrix, box: Box): void {
    const { isFilled, isStroked } = this.#drawMode(object);
    if (!isFilled && !isStroked) return;
    const segments = this.#pdfium.call.FPDFPath_CountSegments(object);
    const ruling = rulingOfBox(box);
    if (ruling && segments <= BOX_SEGMENTS) {
      this.#rulings.push(ruling);
      return;
    }
    if (isFilled && segments > BOX_SEGMENTS && isDot(box)) this.#dots.push(box);
    const isSmall = box[2] - box[0] < DUST_POINTS && box[3] - box[1] < DUST_POINTS;
    if (isSmall) return;
    let isDrawing = segments > BOX_SEGMENTS;
    if (segments <= MAX_SEGMENTS && (ruling || isStroked || isDrawing)) {
      const shape = this.#lines.of(object, matrix, segments);
      this.#rulings.push(...shape.rulings);
      isDrawing ||= shape.isFreehand;
    }
    if (ruling || (!isFilled && !isDrawing)) return;
    this.#boxes.push({ box, isWhite: isFilled && !isStroked && this.#isWhite(object), isDrawing });
  }

  #drawMode(object: number): { readonly isFilled: boolean; readonly isStroked: boolean } {
    const { call, memory } = this.#pdfium;
    call.FPDFPath_GetDrawMode(object, memory.scratch, memory.scratch + 4);
    return { isFilled: memory.integer(0) !== 0, isStroked: memory.integer(1) !== 0 };
  }

  #isWhite(object: number): boolean {
    const { call, memory } = this.#pdfium;
    const at = memory.scratch;
    const has = call.FPDFPageObj_GetFillColor(object, at, at + 4, at + 8, at + 12);
    return has !== 0 && [0, 1, 2].every((channel) => memory.unsigned(channel) > WHITE);
  }
}

/** A bullet is no larger. */
const DOT_POINTS = 8;

function isDot([x0, y0, x1, y1]: Box): boolean {
  return x1 - x0 < DOT_POINTS && Math.abs(x1 - x0 - (y1 - y0)) < 0.2 * (x1 - x0);
}

/** A thinner box is a line. */
const THIN_POINTS = 3;
/** A line that deviates by less is horizontal or vertical. */
const STRAIGHT_POINTS = 1;
/** Shorter lines are parts of letters and drawings. */
const SHORTEST_POINTS = 4;

/** Segment types FPDF_SEGMENT_* of fpdf_edit.h. */
const LINE_TO = 0;
const MOVE_TO = 2;

interface Point {
  readonly x: number;
  readonly y: number;
}

/** The line that a thin box represents; undefined for thick boxes. */
function rulingOfBox([x0, y0, x1, y1]: Box): Ruling | undefined {
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

interface PathShape {
  /** Its horizontal and vertical lines. */
  readonly rulings: readonly Ruling[];
  /** True if it also has curves or diagonal lines. */
  readonly isFreehand: boolean;
}

class PathLines {
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
