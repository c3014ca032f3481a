import type { Box } from "../layout/page/page.ts";
import type { Pdfium } from "./library.ts";
import { mapX, mapY, type Matrix } from "./matrix.ts";

/** Maps PDF coordinates (origin at the bottom) to points from the top left corner of the visible page. */
export interface PageSpace {
  readonly width: number;
  readonly height: number;
  readonly matrix: Matrix;
}

interface Corners {
  readonly left: number;
  readonly bottom: number;
  readonly right: number;
  readonly top: number;
}

export function spaceOf(pdfium: Pdfium, page: number): PageSpace {
  const { call } = pdfium;
  const width = call.FPDF_GetPageWidthF(page);
  const height = call.FPDF_GetPageHeightF(page);
  const quarters = call.FPDFPage_GetRotation(page) & 3;
  return { width, height, matrix: turned(shownBox(pdfium, page), quarters) };
}

/** Quarter turns are clockwise. */
function turned({ left, bottom, right, top }: Corners, quarters: number): Matrix {
  const byQuarters: readonly Matrix[] = [
    { a: 1, b: 0, c: 0, d: -1, e: -left, f: top },
    { a: 0, b: 1, c: 1, d: 0, e: -bottom, f: -left },
    { a: -1, b: 0, c: 0, d: 1, e: right, f: -bottom },
    { a: 0, b: -1, c: -1, d: 0, e: top, f: right },
  ];
  return byQuarters[quarters] as Matrix;
}

/** The visible part of the page: its crop box, own or inherited, limited to the media box. */
function shownBox({ call, memory }: Pdfium, page: number): Corners {
  call.FPDF_GetPageBoundingBox(page, memory.scratch);
  return { left: memory.float(0), top: memory.float(1), right: memory.float(2), bottom: memory.float(3) };
}

/** The bounding box of the mapped rectangle. */
export function boxIn(matrix: Matrix, { left, bottom, right, top }: Corners): Box {
  const [x0, x1] = [mapX(matrix, left, bottom), mapX(matrix, left, top)];
  const [x2, x3] = [mapX(matrix, right, bottom), mapX(matrix, right, top)];
  const [y0, y1] = [mapY(matrix, left, bottom), mapY(matrix, left, top)];
  const [y2, y3] = [mapY(matrix, right, bottom), mapY(matrix, right, top)];
  return [
    Math.min(x0, x1, x2, x3),
    Math.min(y0, y1, y2, y3),
    Math.max(x0, x1, x2, x3),
    Math.max(y0, y1, y2, y3),
  ];
}

/** Reads left, bottom, right, top from the scratch memory. */
export function writtenCorners({ memory }: Pdfium): Corners {
  return { left: memory.float(0), bottom: memory.float(1), right: memory.float(2), top: memory.float(3) };
}
