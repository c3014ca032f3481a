import { describe, expect, test } from "vitest";

import type { OcrWord } from "./ocr/ocr-engine.ts";
import { withBullets } from "./ocr-page.ts";

/** A line of words 20 pixels high, but for a first one that is as low as given. */
function line(x: number, text: string, firstHeight = 20): OcrWord[] {
  return text.split(" ").map((word, at) => {
    const height = at === 0 ? firstHeight : 20;
    const x0 = x + (at === 0 ? 0 : 30 + 60 * at);
    return { text: word, x0, x1: x0 + 50, y0: 100 - height, y1: 100, confidence: 0.9, line: at };
  });
}

const firstWords = (lines: readonly (readonly OcrWord[])[]) => lines.map(([first]) => first?.text);

describe("signs that begin lines of a list", () => {
  test("are bullets", () => {
    const lines = [line(40, "e Springs", 10), line(40, "° and brooks", 8), line(70, "of rivers")];
    expect(firstWords(withBullets(lines))).toEqual(["•", "•", "of"]);
  });

  test.each([
    ["as high as their neighbours", [line(40, "e Springs"), line(40, "e Brooks")]],
    ["words before others", [line(40, "e nascentes", 10), line(40, "e ribeiros", 10)]],
    [
      "at the margin of a text",
      [line(40, "e Brook", 10), line(40, "Water runs"), line(40, "in it"), line(40, "all day")],
    ],
    ["alone", [line(40, "e", 10)]],
  ])("are letters %s", (_where, lines) => {
    expect(withBullets(lines)).toEqual(lines);
  });
});
