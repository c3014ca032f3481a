import type { Pdfium } from "./library.ts";

/** A picture, row after row. */
interface Picture {
  readonly pixels: Uint8Array;
  readonly width: number;
  readonly height: number;
  readonly dpi: number;
}

/** A picture in shades of grey, one byte per pixel. */
export type GreyPicture = Picture;

/** A picture of red, green and blue, a byte each. */
export type ColourPicture = Picture;

const POINTS_PER_INCH = 72;

/** A page that would be larger is rendered with fewer dots. */
const MAX_PIXELS = 25_000_000;

/** fpdfview.h. */
const GREY = { format: 1, bytesPerPixel: 1, flags: 8 } as const;
const COLOUR = { format: 2, bytesPerPixel: 3, flags: 16 } as const;
const WITH_ANNOTATIONS = 1;
const WHITE = 0xffffffff;

/** Renders a page as it is seen. @throws Error when there is no memory for the picture. */
export function renderPage(pdfium: Pdfium, page: number, wantedDpi: number): GreyPicture {
  return render(pdfium, page, { dpi: wantedDpi, maxPixels: MAX_PIXELS, kind: GREY });
}

/** The same in colour, for people. */
export function drawPage(
  pdfium: Pdfium,
  page: number,
  size: { readonly dpi: number; readonly maxPixels: number },
): ColourPicture {
  return render(pdfium, page, { ...size, kind: COLOUR });
}

interface RenderOptions {
  readonly dpi: number;
  readonly maxPixels: number;
  readonly kind: typeof GREY | typeof COLOUR;
}

function render({ call, memory }: Pdfium, page: number, { kind, ...options }: RenderOptions): Picture {
  const widthPoints = call.FPDF_GetPageWidthF(page);
  const heightPoints = call.FPDF_GetPageHeightF(page);
  const dpi = dpiWithin(options, widthPoints, heightPoints);
  const width = pixelsOf(widthPoints, dpi);
  const height = pixelsOf(heightPoints, dpi);
  const bitmap = call.FPDFBitmap_CreateEx(width, height, kind.format, 0, 0);
  if (bitmap === 0) throw new Error(`Not enough memory for an image of ${width} by ${height} pixels.`);
  try {
    call.FPDFBitmap_FillRect(bitmap, 0, 0, width, height, WHITE);
    call.FPDF_RenderPageBitmap(bitmap, page, 0, 0, width, height, 0, WITH_ANNOTATIONS | kind.flags);
    const stride = call.FPDFBitmap_GetStride(bitmap);
    const rows = memory.bytes(call.FPDFBitmap_GetBuffer(bitmap), stride * height);
    return { pixels: withoutPadding(rows, kind.bytesPerPixel * width, height), width, height, dpi };
  } finally {
    call.FPDFBitmap_Destroy(bitmap);
  }
}

function dpiWithin(
  { dpi, maxPixels }: Omit<RenderOptions, "kind">,
  widthPoints: number,
  heightPoints: number,
): number {
  const maxDpi =
    POINTS_PER_INCH * Math.sqrt(maxPixels / Math.max(1, widthPoints) / Math.max(1, heightPoints));
  return Math.min(dpi, Math.max(1, Math.floor(maxDpi)));
}

function pixelsOf(points: number, dpi: number): number {
  return Math.max(1, Math.round((points * dpi) / POINTS_PER_INCH));
}

/** Rows of a bitmap end at multiples of four bytes. */
function withoutPadding(rows: Uint8Array, rowBytes: number, height: number): Uint8Array {
  const stride = rows.byteLength / height;
  const pixels = new Uint8Array(rowBytes * height);
  for (let row = 0; row < height; row += 1) {
    pixels.set(rows.subarray(row * stride, row * stride + rowBytes), row * rowBytes);
  }
  return pixels;
}
