import type { OcrEngine } from "./ocr-engine.ts";

export async function findOcrEngine(): Promise<OcrEngine | undefined> {
  return undefined;
}
