import type { OcrPicture } from "./ocr-engine.ts";

/** A picture in the format that needs no compression: a PGM file. */
export function portableGreyMap({ pixels, width, height }: OcrPicture): Buffer {
  return Buffer.concat([Buffer.from(`P5\n${width} ${height}\n255\n`), pixels]);
}
