import type { Box, FilledBox, Ruling } from "../layout/page/page.ts";
import type { Pdfium } from "./library.ts";
import { chained, type Matrix } from "./matrix.ts";
import { PathLines, rulingOfBox } from "./path-lines.ts";
import { boxIn, type PageSpace, writtenCorners } from "./space.ts";

/** What is drawn on a page in addition to its text. */
export interface PageShapes {
  readonly rulings: readonly Ruling[];
  readonly boxes: readonly FilledBox[];
  readonly images: readonly Box[];
  readonly isCut: boolean;
}

const MAX_OBJECTS = 20_000;
const MAX_RULINGS = 6000;
const MAX_FORM_DEPTH = 5;

/** Paths of more segments are drawings, whose single lines do not matter. */
const MAX_SEGMENTS = 400;

/** A box takes five segments, or six with its closing one. */
const BOX_SEGMENTS = 6;

/** Smaller in both directions is dust. */
const DUST_POINTS = 4;

/** Lighter in every channel is white. */
const WHITE = 250;

/** fpdf_edit.h: FPDF_PAGEOBJ_*. */
const PATH = 2;
const IMAGE = 3;
const FORM = 5;

/** Straight lines, filled boxes and pictures of a page, forms unfolded. */
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
