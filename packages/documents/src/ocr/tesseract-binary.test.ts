import { describe } from "vitest";

import { describeOcrEngine } from "./ocr-engine.suite.ts";
import { openTesseractBinary } from "./tesseract-binary.ts";

const engine = await openTesseractBinary();
if (!engine)
  console.warn("NOT TESTED: the tesseract program is not installed here: apt-get install tesseract-ocr");

describe.runIf(engine)("the tesseract program", () => {
  describeOcrEngine(async () => engine as NonNullable<typeof engine>);
});
