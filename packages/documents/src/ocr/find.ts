import { tmpdir } from "node:os";

import type { OcrEngine } from "./ocr-engine.ts";
import { openTesseractBinary } from "./tesseract-binary.ts";

/**
 * What recognises text on this machine: the tesseract program where it is installed, because it takes half the time, else
 * the one that comes with the packages. Undefined when there is neither.
 * @param tesseractPath - the program that the operator has named, if any
 */
export async function findOcrEngine(
  temporaryFolder: string,
  tesseractPath?: string,
): Promise<OcrEngine | undefined> {
  return (await openTesseractBinary(tesseractPath)) ?? findOcrInPackages(temporaryFolder);
}

/** Whether there is anything that recognises text here. */
export async function readsPictures(tesseractPath?: string): Promise<boolean> {
  return (await findOcrEngine(tmpdir(), tesseractPath)) !== undefined;
}

/** The one that comes with the packages. */
export async function findOcrInPackages(temporaryFolder?: string): Promise<OcrEngine | undefined> {
  try {
    const { openTesseractJs } = await import("./tesseract-js.ts");
    return openTesseractJs(temporaryFolder);
  } catch {
    // The packages were left out of the installation.
    return undefined;
  }
}
