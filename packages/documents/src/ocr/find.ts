import { tmpdir } from "node:os";

import type { OcrEngine } from "./ocr-engine.ts";
import { openTesseractBinary } from "./tesseract-binary.ts";

/**
 * The installed tesseract program, which takes half the time, else the engine from the packages. Undefined if
 * there is neither.
 * @param tesseractPath - the program that the operator has configured, if any
 */
export async function findOcrEngine(
  temporaryFolder: string,
  tesseractPath?: string,
): Promise<OcrEngine | undefined> {
  return (await openTesseractBinary(tesseractPath)) ?? findOcrInPackages(temporaryFolder);
}

export async function readsPictures(tesseractPath?: string): Promise<boolean> {
  return (await findOcrEngine(tmpdir(), tesseractPath)) !== undefined;
}

/** The WebAssembly engine, if its packages are installed. */
export async function findOcrInPackages(temporaryFolder?: string): Promise<OcrEngine | undefined> {
  try {
    const { openTesseractJs } = await import("./tesseract-js.ts");
    return openTesseractJs(temporaryFolder);
  } catch {
    // The optional packages are not installed.
    return undefined;
  }
}
