import type { Pdfium } from "./library.ts";

/** A picture in shades of grey, one byte per pixel, row after row. */
export interface GreyPicture {
  readonly pixels: Uint8Array;
  readonly width: number;
  readonly height: number;
  readonly dpi: number;
}

const POINTS_PER_INCH = 72;

/** A page that would be larger is rendered with fewer dots. */
const MOST_PIXELS = 25_000_000;

/** fpdfview.h. */
const GREY_FORMAT = 1;
const WITH_ANNOTATIONS = 1;
const IN_GREY = 8;
const WHITE = 0xffffffff;

/** Renders a page as it is seen. @throws Error when there is no memory for the picture. */
export function renderPage({ call, memory }: Pdfium, page: number, wantedDpi: number): GreyPicture {
  const widthPoints = call.FPDF_GetPageWidthF(page);
  const heightPoints = call.FPDF_GetPageHeightF(page);
  const dpi = dpiWithin(wantedDpi, widthPoints, heightPoints);
  const width = pixelsOf(widthPoints, dpi);
  const height = pixelsOf(heightPoints, dpi);
  const bitmap = call.FPDFBitmap_CreateEx(width, height, GREY_FORMAT, 0, 0);
  if (bitmap === 0) throw new Error(`There is no memory for a picture of ${width} by ${height} pixels.`);
  try {
    call.FPDFBitmap_FillRect(bitmap, 0, 0, width, height, WHITE);
    call.FPDF_RenderPageBitmap(bitmap, page, 0, 0, width, height, 0, WITH_ANNOTATIONS | IN_GREY);
    const stride = call.FPDFBitmap_GetStride(bitmap);
    const rows = memory.bytes(call.FPDFBitmap_GetBuffer(bitmap), stride * height);
    return { pixels: withoutPadding(rows, width, height), width, height, dpi };
  } finally {
    call.FPDFBitmap_Destroy(bitmap);
  }
}

function dpiWithin(wantedDpi: number, widthPoints: number, heightPoints: number): number {
  const mostDpi =
    POINTS_PER_INCH * Math.sqrt(MOST_PIXELS / Math.max(1, widthPoints) / Math.max(1, heightPoints));
  return Math.min(wantedDpi, Math.floor(mostDpi));
}

function pixelsOf(points: number, dpi: number): number {
  return Math.max(1, Math.round((points * dpi) / POINTS_PER_INCH));
}

/** Rows of a bitmap end at multiples of four bytes. */
function withoutPadding(rows: Uint8Array, width: number, height: number): Uint8Array {
  const stride = rows.byteLength / height;
  const pixels = new Uint8Array(width * height);
  for (let row = 0; row < height; row += 1) {
    pixels.set(rows.subarray(row * stride, row * stride + width), row * width);
  }
  return pixels;
}
