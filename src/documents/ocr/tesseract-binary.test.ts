import { describe, test } from "vitest";

import { describeOcrEngine } from "./ocr-engine.suite.ts";
import { openTesseractBinary } from "./tesseract-binary.ts";

const engine = await openTesseractBinary();

describe("the tesseract program", () => {
  if (engine) describeOcrEngine(async () => engine);
  else
    test.skip("NOT TESTED: tesseract is not installed here; apt-get install tesseract-ocr", () => undefined);
});
