import { expect, test } from "vitest";

import { pdfPage, wordsAt } from "../../../../test/pdf-pages.ts";
import { writeMarkdown } from "../blocks/blocks-markdown.ts";
import { layOut } from "../layout/document.ts";
import { draftPage } from "../layout/draft.ts";
import type { Word } from "../layout/page/page.ts";
import { joinVertical } from "./vertical.ts";

const SIZE = 14;
/** Characters as programs draw them: each alone, below the one before. */
const column = (x: number, y: number, text: string): Word[] =>
  text
    .split("")
    .flatMap((letter, at) =>
      wordsAt(x, y + at * SIZE, letter, { size: SIZE }).map((word) => ({ ...word, x1: x + SIZE })),
    );
const markdownOf = (words: readonly Word[]) =>
  writeMarkdown(layOut([draftPage(pdfPage({ words: joinVertical(words) }))], []), { pageMarkers: false })
    .markdown;

test.each([
  [
    "columns, the first at the right",
    [
      column(500, 60, "港のそばに古い灯台があ"),
      column(475, 60, "り、館は毎朝九時に開き"),
      column(450, 60, "ます。"),
    ],
    "港のそばに古い灯台があり、館は毎朝九時に開きます。",
  ],
  [
    "signs of vertical fonts",
    [column(500, 60, "彼は﹁港へ戻る﹂と書いた"), column(475, 60, "︒")],
    "彼は「港へ戻る」と書いた。",
  ],
  [
    "digits beside each other, and letters that lie",
    [
      column(500, 60, "切符は大人一枚で"),
      wordsAt(500, 60 + 8 * SIZE, "25", { size: SIZE }),
      column(500, 60 + 9 * SIZE, "円です。案内は"),
      wordsAt(500, 60 + 16 * SIZE, "guide", { size: SIZE, angle: -Math.PI / 2 }).map((word) => ({
        ...word,
        x1: word.x0 + SIZE,
        y1: word.y0 + 40,
      })),
    ],
    "切符は大人一枚で25円です。案内はguide",
  ],
])("text that runs down the page is read in order: %s", (_what, columns, markdown) => {
  expect(markdownOf(columns.flat())).toBe(markdown);
});

test.each([
  [
    "a label at the edge of a page",
    [wordsAt(72, 60, "港のそばに古い灯台があり", { size: SIZE }), column(500, 60, "案内図")],
  ],
  [
    "a column of grades",
    Array.from({ length: 9 }, (_, row) => wordsAt(72, 60 + 20 * row, "港の灯台 秀", { size: SIZE })),
  ],
  ["a column of figures", [column(500, 60, "123456789")]],
])("other text stays as it is: %s", (_what, words) => {
  expect(joinVertical(words.flat())).toEqual(words.flat());
});
