import { describe, expect, test } from "vitest";

import { linesAt, pdfPage, proseLines, wordsAt } from "../../../../test/pdf-pages.ts";
import { writeMarkdown } from "../blocks/blocks-markdown.ts";
import type { BlockType } from "../model/blocks.ts";
import { layOut } from "./document.ts";
import { draftPage } from "./draft.ts";
import type { Word } from "./page/page.ts";
import { paragraphOf } from "./paragraphs.ts";
import { withShortHeads } from "./short-heads.ts";
import { usualLook } from "./text-line.ts";
import type { TypedPart } from "./typed-part.ts";

function markdownOf(words: readonly Word[]): string {
  return writeMarkdown(layOut([draftPage(pdfPage({ words }))], []), { pageMarkers: false }).markdown;
}

const bold = { isBold: true };
const BODY = linesAt(50, 400, proseLines(8));

describe("authors below a title", () => {
  const title = wordsAt(50, 80, "Rivers and how they carry water", { size: 20, ...bold });
  const author = (x: number, name: string, mail: string) => [
    ...wordsAt(x, 130, name, { size: 12, ...bold }),
    ...linesAt(x, 150, ["University of Water", mail]),
  ];
  const heading = wordsAt(50, 370, "Introduction", { size: 14, ...bold });

  test("are no headings, and stand together", () => {
    const words = [
      ...title,
      ...author(50, "Ann Brook", "ann@water.test"),
      ...author(320, "Ben van der Lake", "ben@water.test"),
      ...heading,
      ...BODY,
    ];
    const headings = markdownOf(words).match(/^#+ .*$/gm);
    expect(headings).toEqual(["# Rivers and how they carry water", "## Introduction"]);
    expect(markdownOf(words)).toMatch(
      /Ann Brook[\s\S]*ann@[\s\S]*Ben van der Lake[\s\S]*ben@[\s\S]*Introduction/,
    );
  });

  test("are not below the last address", () => {
    const posts = ["Keeper, Harbour Office", "Canal Trust Northam"].flatMap((post, at) => [
      ...wordsAt(50, 220 + 80 * at, post, { size: 12, ...bold }),
      ...linesAt(50, 240 + 80 * at, proseLines(2)),
    ]);
    expect(markdownOf([...title, ...author(50, "Ann Brook", "ann@water.test"), ...posts])).toMatch(
      /Ann Brook\*\*\n[^]*\n#+ Keeper, Harbour Office\n[^]*\n#+ Canal Trust/,
    );
  });

  test("are looked for where there is a mail address only: other heads stay", () => {
    const words = [
      ...title,
      ...wordsAt(50, 130, "Upper Course", { size: 14, ...bold }),
      ...linesAt(50, 150, proseLines(2)),
      ...heading,
      ...BODY,
    ];
    expect(markdownOf(words)).toContain("## Upper Course");
  });
});

describe("headings", () => {
  const large = { size: 14, ...bold };

  test("are those in italics with a number on a line of their own", () => {
    const words = [
      ...linesAt(50, 100, proseLines(6)),
      ...wordsAt(50, 190, "2.1 Gauges", { isItalic: true }),
      ...linesAt(50, 208, proseLines(6)),
      ...wordsAt(50, 298, "2.2 Stations", { isItalic: true }),
      ...linesAt(50, 316, proseLines(6)),
    ];
    expect(markdownOf(words).match(/^#+ .*$/gm)).toEqual(["## 2.1 Gauges", "## 2.2 Stations"]);
  });

  test("in italics that run into their text begin a paragraph", () => {
    const runIn = (y: number, head: string, word: string) => [
      ...wordsAt(50, y, head, { isItalic: true }),
      ...wordsAt(130, y, `${word} ipsum dolor sit amet consectetur`),
      ...linesAt(50, y + 12, [...proseLines(2), "lorem ipsum dolor sit amet consectetur elit at the end."]),
    ];
    const words = [
      ...linesAt(50, 112, [...proseLines(2), "lorem ipsum dolor sit amet consectetur elit at the end."]),
      ...runIn(148, "Spring floods.", "Water"),
      ...runIn(196, "Summer drought.", "Sand"),
    ];
    expect(markdownOf(words)).toMatch(
      /\n\n[*_]Spring floods\.[*_] Water[^\n]*\n\n[*_]Summer drought\.[*_] Sand/,
    );
  });

  test("with a number go on in the line below that has none", () => {
    const words = [
      ...linesAt(50, 340, ["3.1 What is to be thought of before", "Rivers Are Moved"], large),
      ...BODY,
    ];
    expect(markdownOf(words)).toMatch(/^#+ 3\.1 What is to be thought of before Rivers Are Moved\n/);
  });

  test("keep their number, however far left of them it stands", () => {
    const words = [...wordsAt(50, 370, "2", bold), ...wordsAt(85, 370, "Upper Course", bold), ...BODY];
    expect(markdownOf(words)).toMatch(/^#* ?(?:\*\*)?2 Upper Course/);
  });
});

test("a bold lead of a sentence's own heads a paragraph", () => {
  const words = [
    ...linesAt(50, 100, [...proseLines(3), "and here the sentence ends in the middle of things."]),
    ...wordsAt(50, 148, "Results.", bold),
    ...wordsAt(95, 148, "They are told below these words here now"),
    ...linesAt(50, 160, proseLines(3)),
  ];
  expect(markdownOf(words).split("\n\n")).toEqual([
    expect.stringMatching(/things\.$/),
    expect.stringMatching(/^\*\*Results\.\*\* They/),
  ]);
});

test("lists beside each other are no table", () => {
  const words = [50, 180, 310, 440].flatMap((x) =>
    ["12", "15", "17", "29"].flatMap((item, row) => [
      ...wordsAt(x, 100 + 16 * row, "•"),
      ...wordsAt(x + 15, 100 + 16 * row, item),
    ]),
  );
  expect(markdownOf(words)).not.toContain("|");
});

describe("a table of contents", () => {
  const entries = [
    { title: "1. Springs", page: "2", x: 50 },
    { title: "1.1 Where they are", page: "3", x: 70 },
    { title: "1.2 What they give", page: "3", x: 70 },
    { title: "2. Courses", page: "7", x: 50 },
    { title: "2.1 Upper course", page: "9", x: 70 },
    { title: "3. Mouths", page: "12", x: 50 },
  ];
  const words = entries.flatMap(({ title, page, x }, at) => [
    ...wordsAt(x, 100 + 16 * at, title),
    ...wordsAt(400 - 5 * page.length, 100 + 16 * at, page),
  ]);

  test("is a list of its entries, by their depth", () => {
    expect(
      markdownOf([...words, ...BODY])
        .split("\n")
        .slice(0, 4),
    ).toEqual(["1. Springs 2", "   - 1.1 Where they are 3", "   - 1.2 What they give 3", "2. Courses 7"]);
  });

  test("has pages that rise: other numbers are a table", () => {
    const figures = ["9", "3", "12", "7", "5", "2"];
    const rows = entries.flatMap(({ title }, at) => [
      ...wordsAt(50, 100 + 16 * at, title),
      ...wordsAt(395, 100 + 16 * at, figures[at] ?? ""),
    ]);
    expect(markdownOf([...rows, ...BODY])).toContain("| 2. Courses | 7 |");
  });
});

test.each([
  ["of the tables, where they have most of the text", 4, 8],
  ["of the text beside them, where that is as much", 1, 12],
])("the usual size is that %s", (_name, tables, size) => {
  const words = Array.from({ length: tables }, (_none, at) => [
    ...linesAt(50, 90 + 110 * at, [tables > 1 ? "Harbour" : "Below the bridge of the harbour"], { size: 12 }),
    ...["q1", "dd2", "Esc", "F5"].flatMap((key, row) => [
      ...wordsAt(50, 120 + 110 * at + 14 * row, `${key}${at}`, { size: 8 }),
      ...wordsAt(120, 120 + 110 * at + 14 * row, tables > 1 ? "open the northern gate" : "open", { size: 8 }),
      ...wordsAt(300, 120 + 110 * at + 14 * row, `${row}2.40`, { size: 8 }),
    ]),
  ]);
  const draft = draftPage(pdfPage({ words: words.flat() }));
  expect(draft.areas.some(({ kind }) => kind === "table")).toBe(true);
  expect(usualLook([draft]).size).toBe(size);
});

describe("short lines of their own", () => {
  const sections = (titles: readonly string[], look = {}) =>
    titles.flatMap((title, at) => [
      ...wordsAt(50, 100 + 110 * at, title, look),
      ...linesAt(50, 114 + 110 * at, proseLines(6, `Text${at}`)),
    ]);

  test("in italics are headings where all of a document stand above upright text", () => {
    const italic = { isItalic: true };
    const titles = ["Spring gate", "Upper lock", "The old weir"];
    const headings = (words: readonly Word[]) => markdownOf(words).match(/^#+ .*$/gm)?.length ?? 0;
    expect(headings(sections(titles, italic))).toBe(3);
    const names = [470, 500].flatMap((y) => wordsAt(50, y, "Ann Brook", italic));
    expect(headings([...sections(titles, italic), ...names])).toBe(0);
    expect(headings(sections(titles))).toBe(0);
  });

  test("that count on are headings above text that begins at their numbers", () => {
    const line = "橋灯台船錨谷牧場港信号川石冬銅番人";
    const words = (x: number) =>
      ["1. 朝の橋", "2. 港の灯台", "3. 北の谷"].flatMap((title, at) => [
        ...wordsAt(50, 100 + 60 * at, title),
        ...linesAt(
          x,
          112 + 60 * at,
          Array.from({ length: 3 }, () => line),
        ),
      ]);
    expect(markdownOf(words(50)).match(/^#+ .*$/gm)).toEqual(["# 1. 朝の橋", "# 2. 港の灯台", "# 3. 北の谷"]);
    expect(markdownOf(words(62))).not.toContain("#");
  });

  test("in bold are headings if others that look so are", () => {
    const usual = { size: 10, weight: 400, isBold: false, isMonospaced: false };
    const partAt = (y0: number, text: string, isBold: boolean, type: BlockType): TypedPart => {
      const run = {
        text,
        isBold,
        weight: 400,
        isItalic: false,
        isMonospaced: false,
        script: undefined,
        url: undefined,
      };
      const line = { ...run, x0: 50, x1: 150, y0, y1: y0 + 10, base: y0 + 8, size: 10, runs: [run] };
      const part = paragraphOf([{ ...line, mathShare: 0, tag: undefined, confidence: undefined }], false);
      return { part, type, label: undefined, isFurniture: false, level: undefined, confidence: undefined };
    };
    const typesWith = (isBold: boolean) => {
      const parts = [
        partAt(100, "Of gates", true, "section_header"),
        partAt(114, "They are shut at night.", false, "text"),
        partAt(140, "Of oars", isBold, "text"),
        partAt(154, "They are counted.", false, "text"),
      ];
      const page = {
        number: 1,
        width: 600,
        height: 800,
        turn: "none",
        source: "native_text",
        isPartial: false,
        parts,
      } as const;
      return withShortHeads([page], usual)[0]?.parts.map(({ type }) => type);
    };
    expect(typesWith(true)).toEqual(["section_header", "text", "section_header", "text"]);
    expect(typesWith(false)).toEqual(["section_header", "text", "text", "text"]);
  });
});
