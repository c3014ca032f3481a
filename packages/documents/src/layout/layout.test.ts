import { describe, expect, test } from "vitest";

import { gridOf, linesAt, pdfPage, proseLines, wordsAt } from "../../../../test/pdf-pages.ts";
import { writeMarkdown } from "../blocks/blocks-markdown.ts";
import { layOut } from "./document.ts";
import { draftPage } from "./draft.ts";
import type { PdfPage } from "./page/page.ts";

function markdownOf(...pages: readonly PdfPage[]): string {
  return convert(...pages).markdown;
}

function convert(...pages: readonly PdfPage[]) {
  return writeMarkdown(layOut(pages.map(draftPage), []), { pageMarkers: false });
}

describe("reading order", () => {
  test("two columns are read one after the other", () => {
    const words = [
      ...linesAt(50, 100, [...proseLines(7, "left"), "left 7 ends the first column here."]),
      ...linesAt(320, 100, proseLines(8, "right")),
    ];
    const markdown = markdownOf(pdfPage({ words }));
    expect(markdown.indexOf("left 7")).toBeLessThan(markdown.indexOf("right 0"));
    expect(markdown.match(/\n\n/g)).toHaveLength(1);
  });

  test("a title over two columns comes first", () => {
    const words = [
      ...linesAt(50, 140, proseLines(8, "left")),
      ...linesAt(320, 140, proseLines(8, "right")),
      ...wordsAt(150, 100, "A title over both columns", { size: 18, isBold: true }),
    ];
    expect(markdownOf(pdfPage({ words }))).toMatch(/^# A title over both columns\n\nleft 0/);
  });

  test("a page on its side is turned, and its boxes are those of the page as it is", () => {
    const upright = linesAt(50, 100, proseLines(6));
    const words = upright.map((word) => ({
      ...word,
      x0: word.y0,
      x1: word.y1,
      y0: 800 - word.x1,
      y1: 800 - word.x0,
      look: { ...word.look, angle: Math.PI / 2 },
    }));
    const { markdown, blocks } = convert(pdfPage({ words }));
    expect(markdown).toMatch(/^lorem 0 ipsum .*elit sed do$/s);
    const [x0 = 0, y0 = 0, x1 = 0, y1 = 0] = blocks[0]?.items[0]?.bbox ?? [];
    expect(x1 - x0).toBeLessThan(y1 - y0);
    expect([x0 * 600, y1 * 800]).toEqual([expect.closeTo(92, -1), expect.closeTo(750, -1)]);
  });
});

describe("blocks", () => {
  const bulleted = ["• Bring a map of", "the old harbour", "• Take warm gloves", "and a light coat"];

  test("items set as close as their lines are one block", () => {
    const { blocks } = convert(pdfPage({ words: linesAt(50, 100, bulleted) }));
    expect(blocks[0]?.items).toMatchObject([
      { label: "list", content: "- Bring a map of the old harbour\n- Take warm gloves and a light coat" },
    ]);
  });

  test("items with room between them are blocks of their own", () => {
    const words = [
      ...linesAt(50, 100, bulleted.slice(0, 2)),
      ...linesAt(50, 131, bulleted.slice(2)),
      ...linesAt(300, 100, ["• Meet at the mill", "• Leave at noon"]),
    ];
    const { blocks } = convert(pdfPage({ words }));
    expect(blocks[0]?.items.map(({ label }) => label)).toEqual(["list_item", "list_item", "list"]);
  });
});

describe("paragraphs", () => {
  test("a hyphen at the end of a line is closed", () => {
    const words = linesAt(50, 100, ["the exami-", "nation of a", "well-known text"]);
    expect(markdownOf(pdfPage({ words }))).toBe("the examination of a well-known text");
  });

  test("an indented line begins a paragraph", () => {
    const lines = proseLines(6);
    const words = [
      ...linesAt(50, 100, lines.slice(0, 3)),
      ...wordsAt(65, 136, "New begins here and goes on to the end"),
      ...linesAt(50, 148, lines.slice(3)),
    ];
    expect(markdownOf(pdfPage({ words })).split("\n\n")).toHaveLength(2);
  });

  test("in justified text, a line that had room for the next word ends its paragraph", () => {
    const full = (word: string) => `${word} ipsum dolor sit amet consectetur elit sed do`;
    const words = linesAt(50, 100, [
      ...["lorem", "magna", "augue"].map(full),
      "ipsum dolor sit amet consectetur elit sed.",
      ...["Donec", "velit", "purus"].map(full),
    ]);
    expect(markdownOf(pdfPage({ words })).split("\n\n")).toEqual([
      expect.stringMatching(/sed\.$/),
      expect.stringMatching(/^Donec/),
    ]);
  });

  test("a paragraph goes on over a page break, and each half keeps its span", () => {
    const first = pdfPage({ words: linesAt(50, 100, ["a sentence that is bro-"]) });
    const second = pdfPage({ number: 2, words: linesAt(50, 100, ["ken by the end of a page."]) });
    const { markdown, blocks } = convert(first, second);
    expect(markdown).toBe("a sentence that is broken by the end of a page.");
    expect(blocks.map(({ items }) => items[0]?.content)).toEqual([
      "a sentence that is bro",
      "ken by the end of a page.",
    ]);
  });

  test("words without white between them are one word, Chinese has no spaces", () => {
    const words = [
      ...wordsAt(50, 100, "日本語 の 文章"),
      ...wordsAt(50, 130, "H 2 O").map((word, at) => ({
        ...word,
        isGlued: at > 0,
        x0: 50 + at * 5,
        x1: 55 + at * 5,
      })),
    ];
    expect(markdownOf(pdfPage({ words }))).toBe("日本語の文章\n\nH2O");
  });
});

describe("tables", () => {
  test("a ruled table is written with its cells", () => {
    const words = [
      ["Name", "Size"],
      ["apple", "3"],
      ["pear", "12"],
    ].flatMap(([name = "", size = ""], row) => [
      ...wordsAt(105, 115 + 20 * row, name),
      ...wordsAt(205, 115 + 20 * row, size),
    ]);
    const rulings = gridOf([100, 200, 300], [100, 120, 140, 160]);
    expect(markdownOf(pdfPage({ words, rulings }))).toBe(
      "| Name | Size |\n| --- | --- |\n| apple | 3 |\n| pear | 12 |",
    );
  });

  test("cells over several columns make it HTML", () => {
    const words = [...wordsAt(140, 115, "Both"), ...wordsAt(105, 135, "a"), ...wordsAt(205, 135, "b")];
    const outer = gridOf([100, 300], [100, 120, 140]);
    const rulings = [...outer, { isHorizontal: false as const, x: 200, y0: 120, y1: 140 }];
    expect(markdownOf(pdfPage({ words, rulings }))).toBe(
      '<table><tr><td colspan="2">Both</td></tr><tr><td>a</td><td>b</td></tr></table>',
    );
  });

  test("figures that stand in columns are a table without any rule", () => {
    const rows = [
      ["Year", "Sales", "Costs"],
      ["2020", "1,200", "800"],
      ["2021", "1,350", "910"],
      ["2022", "1,500", "990"],
    ];
    const words = rows.flatMap((cells, row) =>
      cells.flatMap((cell, at) => wordsAt(80 + 120 * at, 100 + 14 * row, cell)),
    );
    expect(markdownOf(pdfPage({ words }))).toContain("| 2021 | 1,350 | 910 |");
  });
});

describe("furniture", () => {
  test("running heads and page numbers are blocks, but not in the Markdown", () => {
    const pages = [1, 2, 3, 4].map((number) =>
      pdfPage({
        number,
        words: [
          ...wordsAt(50, 40, "The running head"),
          ...linesAt(50, 120, proseLines(20, `page${number}`)),
          ...wordsAt(290, 770, String(number)),
        ],
      }),
    );
    const { markdown, blocks } = convert(...pages);
    expect(markdown).not.toMatch(/running/);
    expect(blocks[1]?.items.map(({ type }) => type)).toEqual(["page_header", "text", "page_number"]);
    expect(blocks[1]?.items[0]).toMatchObject({ content: "The running head", markdownSpan: null });
  });
});

describe("lists", () => {
  test("bullets and numbers are list items, those further right are inside", () => {
    const words = [
      ...linesAt(50, 100, ["• one thing", "• another thing"]),
      ...wordsAt(70, 124, "– a part of it"),
      ...wordsAt(50, 136, "• a third thing"),
    ];
    expect(markdownOf(pdfPage({ words }))).toBe(
      "- one thing\n- another thing\n  - a part of it\n- a third thing",
    );
  });
});

describe("looks", () => {
  test("bold words, links and raised numbers are written as such", () => {
    const words = [
      ...wordsAt(50, 100, "plain words and"),
      ...wordsAt(140, 100, "bold ones", { isBold: true }),
      ...wordsAt(200, 100, "then a link and a note"),
      ...wordsAt(316, 96, "2", { size: 6 }),
    ];
    const links = [{ url: "https://example.com/a", box: [226, 90, 258, 104] as const }];
    const markdown = markdownOf(pdfPage({ words, links }));
    expect(markdown).toContain("**bold ones**");
    expect(markdown).toMatch(/\[.*link\]\(https:\/\/example\.com\/a\)/);
  });

  test("code keeps its lines and indentation", () => {
    const mono = { isMonospaced: true };
    const words = [
      ...wordsAt(50, 100, "if (a) {", mono),
      ...wordsAt(60, 112, "b();", mono),
      ...wordsAt(50, 124, "}", mono),
    ];
    words.push(...linesAt(50, 200, proseLines(6)));
    expect(markdownOf(pdfPage({ words }))).toMatch(/^```\nif \(a\) \{\n  b\(\);\n\}\n```\n\nlorem/);
  });
});

test("words at another angle are kept after the text", () => {
  const stamp = wordsAt(20, 400, "arXiv").map((word) => ({
    ...word,
    look: { ...word.look, angle: Math.PI / 2 },
  }));
  expect(markdownOf(pdfPage({ words: [...stamp, ...linesAt(50, 100, proseLines(6))] }))).toMatch(
    /do\n\narXiv$/,
  );
});

test("a page of nothing has no blocks", () => {
  expect(convert(pdfPage({}))).toMatchObject({ markdown: "", pages: [{ pageNumber: 1, markdown: "" }] });
});

describe("tables of long cells", () => {
  test("cells of several lines, centred on their row, stay in their row", () => {
    const short = (x: number, values: readonly string[]) =>
      values.flatMap((value, row) => wordsAt(x, 118 + 36 * row, value));
    const long = [0, 1, 2].flatMap((row) =>
      linesAt(160, 106 + 36 * row, [`cell ${row} begins here`, "and goes on for", "one more line"]),
    );
    const words = [...short(60, ["Chile", "China", "Egypt"]), ...long, ...short(320, ["12", "25", "37"])];
    const markdown = markdownOf(pdfPage({ words }));
    expect(markdown).toContain("| China | cell 1 begins here and goes on for one more line | 25 |");
  });

  test("columns of prose beside each other are no table", () => {
    const words = [0, 1, 2].flatMap((column) =>
      linesAt(40 + 190 * column, 100, [
        "several words of a text",
        "that fills its column",
        "to the end and more so",
        "for many lines of it",
      ]),
    );
    expect(markdownOf(pdfPage({ words }))).not.toMatch(/\||<table/);
  });
});

test("a page of thousands of scattered words is laid out, and all its words are kept", () => {
  const words = Array.from({ length: 4000 }, (_none, at) =>
    wordsAt((at * 37) % 560, (at * 91) % 790, `w${at}`),
  ).flat();
  expect(markdownOf(pdfPage({ words })).match(/w\d+/g)).toHaveLength(4000);
});

test("a number alone below the text of a single page is its number", () => {
  const words = [...linesAt(50, 100, proseLines(20)), ...wordsAt(295, 770, "62")];
  const { markdown, blocks } = convert(pdfPage({ words }));
  expect(markdown).not.toContain("62");
  expect(blocks[0]?.items.at(-1)).toMatchObject({ type: "page_number", content: "62", markdownSpan: null });
});

test("thousands of scattered words take a second or two of a processor", () => {
  const words = Array.from({ length: 2900 }, (_, at) => {
    const [x, y] = [(at * 7919) % 580, 20 + ((at * 104_729) % 76_000) / 100];
    return wordsAt(x, y, `w${at % 999}`, { size: 6 + 2 * (at % 3) });
  }).flat();
  const before = process.cpuUsage();
  const { markdown } = convert(pdfPage({ words }));
  expect(markdown).toContain("w500");
  // Comparing each with each took 15 s and more on the same machine.
  expect(process.cpuUsage(before).user / 1000).toBeLessThan(5000);
});

describe("charts", () => {
  /** A curve, and the numbers on its axes. */
  const CHART = [
    ...["0.1", "0.2", "0.3", "0.4"].flatMap((tick, at) => wordsAt(80, 330 - at * 60, tick, { size: 14 })),
    ...["2", "4", "6"].flatMap((tick, at) => wordsAt(140 + at * 80, 350, tick, { size: 14 })),
    ...wordsAt(180, 135, "Error by size", { size: 14 }),
  ];
  const curve = { box: [100, 140, 340, 340] as const, isWhite: false, isDrawing: true };

  test("are figures: their labels are neither headings nor a table, and no text", () => {
    const words = [...CHART, ...linesAt(60, 420, proseLines(6))];
    const { markdown, blocks } = convert(pdfPage({ words, boxes: [curve] }));
    expect(markdown).toMatch(/^lorem 0 ipsum/);
    const figure = blocks[0]?.items.find(({ type }) => type === "figure");
    expect(figure?.content).toContain("0.4");
    expect(figure?.content).toContain("Error by size");
  });

  test("a table within a drawn frame is a table", () => {
    const rows = Array.from({ length: 8 }, (_none, row) =>
      [`Item ${row}`, `${row}1.5`, `${row}2.5`, `${row}3.5`].flatMap((cell, column) =>
        wordsAt(110 + column * 60, 160 + row * 14, cell),
      ),
    ).flat();
    const frame = { box: [95, 140, 345, 275] as const, isWhite: false, isDrawing: true };
    const { markdown } = convert(pdfPage({ words: rows, boxes: [frame] }));
    expect(markdown).toMatch(/\| Item 7 \| 71\.5 \| 72\.5 \| 73\.5 \|/);
  });

  test("text that runs beside a drawing is text", () => {
    const words = [
      ...CHART,
      ...linesAt(110, 200, ["One line of a text that is set over the curve itself, 3 of 4"]),
    ];
    expect(markdownOf(pdfPage({ words, boxes: [curve] }))).toContain("set over the curve itself");
  });
});

describe("levels of headings", () => {
  const heading = (y: number, text: string, size: number) => wordsAt(60, y, text, { size, isBold: true });
  const prose = (y: number) => linesAt(60, y, proseLines(6));

  test("numbered ones stand below the title, and those without a number beside their like", () => {
    const words = [
      ...heading(60, "A Study of Things", 20),
      ...heading(100, "Abstract", 13),
      ...prose(130),
      ...heading(230, "1 Introduction", 13),
      ...prose(260),
      ...heading(360, "1.1 What was there before", 11.5),
      ...prose(390),
      ...heading(490, "2 Method", 13),
      ...prose(520),
      ...heading(620, "References", 13),
      ...prose(650),
    ];
    const markdown = markdownOf(pdfPage({ words }));
    expect(markdown.match(/^#+ .*$/gm)).toEqual([
      "# A Study of Things",
      "## Abstract",
      "## 1 Introduction",
      "### 1.1 What was there before",
      "## 2 Method",
      "## References",
    ]);
  });

  test("a quantity is no number of a section", () => {
    const words = [
      ...heading(60, "Report", 20),
      ...prose(90),
      ...heading(230, "0.25 litres a day", 14),
      ...prose(260),
    ];
    expect(markdownOf(pdfPage({ words })).match(/^#+ .*$/gm)).toEqual(["# Report", "## 0.25 litres a day"]);
  });
});
