import { describe, expect, test } from "vitest";

import type { PdfPage } from "./layout/page/page.ts";
import type { OcrEngine, OcrWord } from "./ocr/ocr-engine.ts";
import { recognisePage } from "./ocr-page.ts";

const PAGE: PdfPage = {
  number: 3,
  width: 100,
  height: 100,
  words: [],
  rulings: [{ isHorizontal: true, y: 50, x0: 10, x1: 90 }],
  boxes: [],
  images: [
    [0, 0, 100, 100],
    [10, 60, 30, 80],
  ],
  links: [],
  tags: new Map(),
  glyphs: 7,
  unmapped: 7,
  isCut: false,
  source: "native_text",
};
const PICTURE = { pixels: new Uint8Array(200 * 200), width: 200, height: 200, dpi: 144 };
const { signal } = new AbortController();

const word = (text: string, y0: number, y1: number, line: number): OcrWord => ({
  text,
  x0: 20,
  y0,
  x1: 60,
  y1,
  confidence: 0.9,
  line,
});

async function recognised(words: readonly OcrWord[]) {
  const asked: unknown[] = [];
  const engine = {
    name: "fixed",
    languages: async () => ["eng"],
    async recognise(picture: unknown, languages: unknown) {
      asked.push(picture, languages);
      return words;
    },
    close: async () => undefined,
  } satisfies OcrEngine & { close(): Promise<void> };
  return { page: await recognisePage(PAGE, PICTURE, { engine, languages: ["de"], signal }), asked };
}

describe("a page that is recognised", () => {
  test("has the words of its picture in points, with their confidence", async () => {
    const { page, asked } = await recognised([word("Hello", 20, 40, 1)]);
    expect(asked).toEqual([PICTURE, ["de"]]);
    expect(page.words).toMatchObject([{ text: "Hello", x0: 10, y0: 10, x1: 30, y1: 20, confidence: 0.9 }]);
    expect(page).toMatchObject({ number: 3, source: "layout_ocr", glyphs: 5, unmapped: 0, tags: undefined });
    expect(page.rulings).toEqual(PAGE.rulings);
    expect(page.images).toEqual([[10, 60, 30, 80]]);
  });

  test("has lines of one size and baseline, whatever letters they have", async () => {
    const { page } = await recognised([
      word("Tall", 26, 40, 1),
      word("gray", 30, 44, 1),
      word("over", 30, 40, 1),
      word("(paren)", 66, 85, 2),
      word("LARGE", 100, 140, 3),
    ]);
    const [first, second, third, fourth, large] = page.words;
    expect([first, second, third].map((one) => one?.base)).toEqual([20, 20, 20]);
    expect(second?.look).toBe(first?.look);
    expect(fourth?.look).toBe(first?.look);
    expect(fourth?.base).toBeCloseTo(40.5, 0);
    expect(first?.look.size).toBeCloseTo(9.9, 0);
    expect(large?.look.size).toBeGreaterThan(25);
  });

  test("fails when the engine does", async () => {
    const engine = {
      name: "broken",
      languages: async () => [],
      recognise: () => Promise.reject(new Error("No paper.")),
      close: async () => undefined,
    };
    await expect(recognisePage(PAGE, PICTURE, { engine, languages: [], signal })).rejects.toThrow(
      "No paper.",
    );
  });
});
