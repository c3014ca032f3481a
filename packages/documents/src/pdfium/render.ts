import type { Box } from "../layout/page/page.ts";
import type { Pdfium } from "./library.ts";

interface Picture {
  readonly pixels: Uint8Array;
  readonly width: number;
  readonly height: number;
  readonly dpi: number;
}

/** One byte per pixel, row by row; 0 is black. */
export type GreyPicture = Picture;

/** Three bytes per pixel (red, green, blue), row by row. */
export type ColourPicture = Picture;

const POINTS_PER_INCH = 72;

/** Larger pages are rendered at a lower resolution. */
const MAX_PIXELS = 25_000_000;

/** Constants of fpdfview.h. */
const GREY = { format: 1, bytesPerPixel: 1, flags: 8 } as const;
const COLOUR = { format: 2, bytesPerPixel: 3, flags: 16 } as const;
const WITH_ANNOTATIONS = 1;
const WHITE = 0xffffffff;

/** Renders a page, or a part of it, in grey. @throws Error if there is not enough memory. */
export function renderPage(pdfium: Pdfium, page: number, wantedDpi: number, part?: Box): GreyPicture {
  return render(pdfium, page, { dpi: wantedDpi, maxPixels: MAX_PIXELS, kind: GREY, part });
}

/** Renders a page in colour, for people. */
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
  /** In pixels; undefined for the whole page. */
  readonly part?: Box | undefined;
}

function render({ call, memory }: Pdfium, page: number, { kind, part, ...options }: RenderOptions): Picture {
  const widthPoints = call.FPDF_GetPageWidthF(page);
  const heightPoints = call.FPDF_GetPageHeightF(page);
  const dpi = dpiWithin(options, widthPoints, heightPoints);
  const [pageWidth, pageHeight] = [pixelsOf(widthPoints, dpi), pixelsOf(heightPoints, dpi)];
  const [x0, y0, x1, y1] = part ?? [0, 0, pageWidth, pageHeight];
  const [width, height] = [x1 - x0, y1 - y0];
  const bitmap = call.FPDFBitmap_CreateEx(width, height, kind.format, 0, 0);
  if (bitmap === 0) throw new Error(`Not enough memory for an image of ${width} by ${height} pixels.`);
  try {
    call.FPDFBitmap_FillRect(bitmap, 0, 0, width, height, WHITE);
    call.FPDF_RenderPageBitmap(
      bitmap,
      page,
      -x0,
      -y0,
      pageWidth,
      pageHeight,
      0,
      WITH_ANNOTATIONS | kind.flags,
    );
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

/** Removes row padding: pdfium pads rows to multiples of four bytes. */
function withoutPadding(rows: Uint8Array, rowBytes: number, height: number): Uint8Array {
  const stride = rows.byteLength / height;
  const pixels = new Uint8Array(rowBytes * height);
  for (let row = 0; row < height; row += 1) {
    pixels.set(rows.subarray(row * stride, row * stride + rowBytes), row * rowBytes);
  }
  return pixels;
}
