import { describe } from "vitest";

import { describeOcrEngine } from "./ocr-engine.suite.ts";
import { openTesseractJs } from "./tesseract-js.ts";

describe("tesseract as WebAssembly", () => {
  describeOcrEngine(async () => openTesseractJs());
});
