import { afterAll, beforeAll, expect, test } from "vitest";

import { drawText, greyPixels } from "../../../../test/text-picture.ts";
import type { OcrEngine, OcrPicture, OcrWord } from "./ocr-engine.ts";
import { turnPicture } from "./quarter-turns.ts";

const DPI = 150;
const TEXT = [
  "Rivers carry water to the sea",
  "Mountains keep the morning light",
  "Forests hold the quiet of winter",
];

/** What every engine that recognises text does. */
export function describeOcrEngine(open: () => Promise<OcrEngine>): void {
  let engine: OcrEngine;
  let page: OcrPicture;
  const { signal } = new AbortController();

  beforeAll(async () => {
    engine = await open();
    page = await drawn();
  });
  afterAll(() => engine.close());

  async function drawn(degrees = 0): Promise<OcrPicture> {
    const lines = TEXT.map((text, at) => ({ text, x: 60, y: 90 + 60 * at }));
    const picture = drawText({ width: 640, height: 280, lines, fontPx: 32 });
    return { ...(await greyPixels(picture.rotate(degrees, { background: "white" }))), dpi: DPI };
  }

  const textOf = (words: readonly OcrWord[]) =>
    TEXT.map((_, line) =>
      words
        .filter((word) => word.line === line)
        .map(({ text }) => text)
        .join(" "),
    );

  test("has a name, and data for English", async () => {
    expect(engine.name).toMatch(/^tesseract/);
    expect(await engine.languages()).toContain("eng");
  });

  test("reads words, line by line, with their boxes in pixels", async () => {
    const words = await engine.recognise(page, ["en"], signal);
    expect(textOf(words)).toEqual(TEXT);
    const [first] = words;
    expect(first?.x0).toBeGreaterThan(50);
    expect(first?.x1).toBeLessThan(200);
    expect(first?.y0).toBeGreaterThan(50);
    expect(first?.y1).toBeLessThan(100);
    for (const { confidence } of words) {
      expect(confidence).toBeGreaterThan(0.5);
      expect(confidence).toBeLessThanOrEqual(1);
    }
  });

  test("finds nothing on a blank page, and on one too small to show a letter", async () => {
    const blank = { pixels: new Uint8Array(400 * 400).fill(255), width: 400, height: 400, dpi: DPI };
    expect(await engine.recognise(blank, ["en"], signal)).toEqual([]);
    const dot = { pixels: new Uint8Array(4), width: 2, height: 2, dpi: DPI };
    expect(await engine.recognise(dot, ["en"], signal)).toEqual([]);
  });

  test("looks for English when it is asked for a language that is not there", async () => {
    expect(textOf(await engine.recognise(page, ["tlh", "constructor"], signal))).toEqual(TEXT);
  });

  test.each([90, 180] as const)("reads a page that is turned by %i degrees", async (degrees) => {
    const turned = turnPicture(page, degrees);
    const words = await engine.recognise(turned, ["en"], signal);
    expect(textOf(words)).toEqual(TEXT);
    for (const { turn, x0, x1, y0, y1 } of words) {
      expect(turn).toBe(360 - degrees);
      expect(Math.min(x0, y0)).toBeGreaterThanOrEqual(0);
      expect(x1).toBeLessThanOrEqual(turned.width);
      expect(y1).toBeLessThanOrEqual(turned.height);
    }
  });

  test("makes lines level on a page that was scanned askew", async () => {
    const words = await engine.recognise(await drawn(2), ["en"], signal);
    expect(textOf(words)).toEqual(TEXT);
    const ends = words.filter(({ line }) => line === 0).map(({ y1 }) => y1);
    expect(Math.max(...ends) - Math.min(...ends)).toBeLessThan(15);
  });

  test("stops when nobody wants the words any more, and reads on afterwards", async () => {
    const gone = new AbortController();
    const reading = engine.recognise(page, ["en"], gone.signal);
    setTimeout(() => gone.abort(new Error("gone")), 20);
    await expect(reading).rejects.toThrow("gone");
    await expect(engine.recognise(page, ["en"], AbortSignal.abort(new Error("gone")))).rejects.toThrow(
      "gone",
    );
    expect(textOf(await engine.recognise(page, ["en"], signal))).toEqual(TEXT);
  });
}
