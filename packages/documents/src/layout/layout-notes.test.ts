import { describe, expect, test } from "vitest";

import { linesAt, pdfPage, proseLines, wordsAt } from "../../../../test/pdf-pages.ts";
import { writeMarkdown } from "../blocks/blocks-markdown.ts";
import { layOut } from "./document.ts";
import { draftPage } from "./draft.ts";
import type { PdfPage, Word } from "./page/page.ts";

function convert(...pages: readonly PdfPage[]) {
  return writeMarkdown(layOut(pages.map(draftPage), []), { pageMarkers: false });
}

/** A small text with a raised number before it. */
function noteAt(x: number, y: number, mark: string, text: string): Word[] {
  return [...wordsAt(x, y - 3, mark, { size: 5 }), ...wordsAt(x + 4, y, text, { size: 8 })];
}

describe("footnotes", () => {
  const columns = [
    ...linesAt(50, 100, proseLines(30, "left")),
    ...linesAt(320, 100, proseLines(32, "right")),
  ];

  test("stand behind the text of their page, whichever column they are in", () => {
    const { markdown, blocks } = convert(
      pdfPage({ words: [...columns, ...noteAt(50, 700, "1", "A note that explains a word.")] }),
    );
    expect(markdown.indexOf("A note")).toBeGreaterThan(markdown.indexOf("right 31"));
    expect(blocks[0]?.items.at(-1)).toMatchObject({ type: "text", label: "footnote" });
  });

  test("below each other are one block each", () => {
    const notes = [...noteAt(50, 690, "1", "The first note."), ...noteAt(50, 700, "2", "The second note.")];
    const { blocks } = convert(pdfPage({ words: [...columns, ...notes] }));
    const found = blocks[0]?.items.filter(({ label }) => label === "footnote") ?? [];
    expect(found.map(({ content }) => content)).toEqual([
      expect.stringContaining("The first note."),
      expect.stringContaining("The second note."),
    ]);
  });

  test("are marked: small text at the foot of a page without a mark is none", () => {
    const words = [...columns, ...wordsAt(50, 700, "Small text that says who paid.", { size: 8 })];
    const { blocks } = convert(pdfPage({ words }));
    expect(blocks[0]?.items.filter(({ label }) => label === "footnote")).toEqual([]);
  });
});

test("a paragraph that goes on in the next column is one, each half with its span", () => {
  const words = [
    ...linesAt(50, 100, [...proseLines(8, "left"), "and a sentence that is bro-"]),
    ...linesAt(320, 100, ["ken by the end of a column and goes on there", ...proseLines(8, "right")]),
  ];
  const { markdown, blocks } = convert(pdfPage({ words }));
  expect(markdown).toContain("a sentence that is broken by the end");
  expect(blocks[0]?.items).toHaveLength(2);
  for (const { content, markdownSpan } of blocks[0]?.items ?? [])
    expect(markdown.slice(...(markdownSpan ?? [0, 0]))).toBe(content);
});

test.each([
  [
    "before a noun",
    ["All of the crew had gone ashore with", "lamps and ropes to look for the old"],
    "Keeper of the lock",
    2,
  ],
  ["after one line", ["All of the crew had gone ashore once more with"], "lamps to look for a keeper", 1],
  [
    "not below a short line",
    ["All of the crew had gone ashore with", "lamps and ropes"],
    "Keeper of the lock",
    2,
  ],
])("a paragraph goes on in the next column %s", (name, lines, start, rows) => {
  const left = [...linesAt(50, 100, proseLines(6, "left")), ...linesAt(50, 194, lines)];
  const right = linesAt(320, 100, [start.padEnd(36, " and on"), ...proseLines(8, "right")].slice(0, 9));
  const { markdown } = writeMarkdown(layOut([draftPage(pdfPage({ words: [...left, ...right] }))], []), {
    pageMarkers: false,
  });
  const end = (lines[rows - 1] ?? "").split(" ").at(-1) ?? "";
  expect(markdown.includes(`${end} ${start}`)).toBe(!name.startsWith("not"));
});
