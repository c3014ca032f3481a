import type { OcrPicture } from "./ocr-engine.ts";

/** Writes a PGM file, a format without compression. */
export function portableGreyMap({ pixels, width, height }: OcrPicture): Buffer {
  return Buffer.concat([Buffer.from(`P5\n${width} ${height}\n255\n`), pixels]);
}
