import { describe, expect, test } from "vitest";

import { type PdfPage, PLAIN_LOOK, type Word } from "./layout/page/page.ts";
import { hasLegibleText, isScan, textStateOf, withLayerShown } from "./pdf-part.ts";

const LOOK: Word["look"] = { ...PLAIN_LOOK, size: 10 };
const HIDDEN = { ...LOOK, isHidden: true };

function words(text: string, look = LOOK): readonly Word[] {
  return text.split(" ").map((one) => ({
    text: one,
    x0: 0,
    y0: 0,
    x1: 10,
    y1: 10,
    base: 8,
    look,
    markedContent: -1,
    isGlued: false,
  }));
}

function page(changes: Partial<PdfPage>): PdfPage {
  const glyphs = (changes.words ?? []).reduce((total, { text }) => total + text.length, 0);
  return {
    number: 1,
    width: 100,
    height: 100,
    words: [],
    rulings: [],
    boxes: [],
    images: [],
    links: [],
    tags: undefined,
    glyphs,
    unmapped: 0,
    isCut: false,
    source: "native_text",
    ...changes,
  };
}

const SENTENCE = "These are quite some words that somebody wrote down";
const NOISE = "xkcdf qwrtz ,,;; bvnmp ~~#~ grmbl hjkl zzxx trpf";
const SCAN = [[0, 0, 100, 100]] as const;
const PHOTO = [[10, 10, 40, 40]] as const;
const BARS = [{ box: [0, 0, 50, 50], isWhite: false, isDrawing: false }] as const;

describe("the text of a page", () => {
  test.each<readonly [string, Partial<PdfPage>, string]>([
    ["is good when there is enough of it", { words: words(SENTENCE) }, "text"],
    ["is good on a picture, too", { words: words(SENTENCE), images: SCAN }, "text"],
    ["is good when there is little of it and no picture", { words: words("A title") }, "text"],
    ["is none where a picture covers the page", { words: words("42"), images: SCAN }, "needs-ocr"],
    ["is none where all is drawn", { boxes: BARS }, "needs-ocr"],
    ["is none beside a photograph", { images: PHOTO }, "needs-ocr"],
    ["is garbage when its characters mean nothing", { words: words(SENTENCE), unmapped: 20 }, "needs-ocr"],
    ["is a layer behind a scan", { words: words(SENTENCE, HIDDEN), images: SCAN }, "layer"],
    [
      "is no layer when nobody can have written it",
      { words: words(NOISE, HIDDEN), images: SCAN },
      "needs-ocr",
    ],
    [
      "is a layer in other scripts, too",
      { words: words("这是一个扫描的文件里面有很多的文字可以读出来真的很多", HIDDEN) },
      "layer",
    ],
    [
      "is what is seen, not what is hidden in it",
      { words: [...words("A title"), ...words(NOISE, HIDDEN)] },
      "text",
    ],
    ["is not missed where nothing is", {}, "blank"],
    ["is not missed on white paper", { boxes: [{ ...BARS[0], isWhite: true }] }, "blank"],
  ])("%s", (_case, changes, state) => {
    expect(textStateOf(page(changes))).toBe(state);
  });

  test("of a layer comes to the front, and the scan goes", () => {
    const shown = withLayerShown(page({ words: words(SENTENCE, HIDDEN), images: [...SCAN, ...PHOTO] }));
    expect(shown.words.every(({ look }) => !look.isHidden)).toBe(true);
    expect(new Set(shown.words.map(({ look }) => look)).size).toBe(1);
    expect(shown.images).toEqual(PHOTO);
  });

  test("of a layer is no code, whatever font it has", () => {
    const layer = words(SENTENCE, { ...HIDDEN, isMonospaced: true });
    expect(withLayerShown(page({ words: layer })).words.some(({ look }) => look.isMonospaced)).toBe(false);
  });
});

test.each([
  ["words whose letters are uncertain", SENTENCE, true],
  ["noise", NOISE, false],
  ["a number", "42", false],
])("text in disorder may do when it is %s: %s", (_what, text, isLegible) => {
  expect(hasLegibleText(page({ words: words(text), unmapped: text.length }))).toBe(isLegible);
});

test("a page is a scan when a picture covers most of it", () => {
  expect(isScan(page({ images: SCAN }))).toBe(true);
  expect(isScan(page({ images: PHOTO }))).toBe(false);
});
