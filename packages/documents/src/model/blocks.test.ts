import { describe, expect, test } from "vitest";

import { type Block, type Cell, PLAIN, type Slot, type TableBlock } from "./document.ts";
import { withBoldHeadings, withoutRepeatedHeadings } from "./headings.ts";
import { pipeTable } from "./markdown.ts";
import { workbookBlocks } from "./sheets.ts";
import { withTasks } from "./tasks.ts";

const paragraph = (text: string, isBold = false): Block => ({
  kind: "paragraph",
  content: [{ kind: "text", text, ...PLAIN, isBold }],
});
const bold = (text: string) => paragraph(text, true);
const heading = (level: number, text: string): Block => ({
  kind: "heading",
  level,
  content: [{ kind: "text", text, ...PLAIN }],
});
const cell = (text: string, size: Partial<Pick<Cell, "columns" | "rows">> = {}): Slot => ({
  blocks: text === "" ? [] : [paragraph(text)],
  columns: 1,
  rows: 1,
  ...size,
});
const table = (...rows: readonly (readonly Slot[])[]): TableBlock => ({ kind: "table", headerRows: 0, rows });
const levels = (blocks: readonly Block[]) =>
  blocks.map((block) => (block.kind === "heading" ? block.level : block.kind));

describe("bold lines", () => {
  const text = [paragraph("One."), paragraph("Two."), paragraph("Three.")];

  test("above text are headings: the first is the title, others are below what is before them", () => {
    expect(
      levels(withBoldHeadings([bold("Report"), ...text, heading(3, "Part"), bold("Results"), ...text])),
    ).toEqual([1, ...text.map(() => "paragraph"), 3, 4, ...text.map(() => "paragraph")]);
  });

  test("are text at the end, after a sentence, without letters, and where they are long", () => {
    for (const line of ["A sentence.", "12 / 13", "a".repeat(121)]) {
      expect(levels(withBoldHeadings([...text, bold(line), ...text]))[3]).toBe("paragraph");
    }
    expect(levels(withBoldHeadings([...text, bold("Last")]))[3]).toBe("paragraph");
  });

  test("are text in a document that is set in bold, but for its title", () => {
    expect(levels(withBoldHeadings([bold("Title"), bold("a"), bold("b"), paragraph("c")]))).toEqual([
      1,
      "paragraph",
      "paragraph",
      "paragraph",
    ]);
  });

  test("never go below the sixth level, and lose their stress", () => {
    const [, made] = withBoldHeadings([heading(6, "Deep"), bold("Deeper"), ...text]);
    expect(made).toMatchObject({ kind: "heading", level: 6, content: [{ isBold: false }] });
  });

  test("that repeat the heading before them are left out", () => {
    const blocks = [
      heading(1, "Report"),
      heading(2, " Report "),
      heading(2, "Other"),
      ...text,
      heading(2, "Other"),
    ];
    expect(levels(withoutRepeatedHeadings(blocks))).toEqual([1, 2, "paragraph", "paragraph", "paragraph", 2]);
  });
});

describe("boxes to tick", () => {
  test("become one list as long as they follow each other", () => {
    const blocks = withTasks([paragraph("☐ a"), paragraph("☒ b"), paragraph("text"), paragraph("☑ c")]);
    expect(
      blocks.map((block) =>
        block.kind === "list" ? block.items.map(({ isChecked }) => isChecked) : block.kind,
      ),
    ).toEqual([[false, true], "paragraph", [true]]);
  });

  test("do not join a list that has none, nor lose a box within a text", () => {
    const list: Block = {
      kind: "list",
      isOrdered: false,
      items: [{ number: undefined, isChecked: undefined, blocks: [] }],
    };
    expect(withTasks([list, paragraph("☐ a"), paragraph("tick ☐ here")]).map(({ kind }) => kind)).toEqual([
      "list",
      "list",
      "paragraph",
    ]);
  });

  test("that are alone keep an empty item", () => {
    expect(withTasks([paragraph("☐")])).toMatchObject([{ items: [{ blocks: [{ content: [] }] }] }]);
  });
});

describe("a pipe table", () => {
  const written = (...rows: readonly (readonly Slot[])[]) =>
    pipeTable(table(...rows), () => "**a**\n\nb | c");

  test("has its first row as the head, and as many cells in each row", () => {
    expect(written([cell("a"), cell("b")], [cell("c")])).toBe("| a | b |\n| --- | --- |\n| c |  |");
  });

  test("keeps its columns where cells hold pipes, backslashes and line ends", () => {
    const [, , row = ""] = written([cell("h")], [cell("a|b \\| c\nd")]).split("\n");
    expect(row.replaceAll(/\\./g, "").split("|")).toHaveLength(3);
  });

  test("keeps its columns where other blocks write pipes, and their lines as breaks", () => {
    const mixed: Slot = { blocks: [bold("a"), paragraph("b")], columns: 1, rows: 1 };
    expect(written([mixed])).toBe("| **a**<br>b \\| c |\n| --- |");
  });

  test("is empty without cells, and empty where a cell reaches", () => {
    expect([written(), written([])]).toEqual(["", ""]);
    expect(written([cell("wide", { columns: 2 }), undefined])).toBe("| wide |  |\n| --- | --- |");
  });
});

describe("a workbook", () => {
  test("has the name of a single sheet, and of each where there are several", () => {
    const sheet = table([cell("a"), cell("b")]);
    expect(levels(workbookBlocks([sheet], "Prices"))).toEqual([2, "table"]);
    expect(levels(workbookBlocks([sheet], undefined))).toEqual(["table"]);
    expect(levels(workbookBlocks([heading(2, "A"), sheet, heading(2, "B")], "A"))).toEqual([2, "table", 2]);
  });

  const sheetOf = (...lines: readonly string[]) =>
    workbookBlocks(
      [table(...lines.map((line) => Array.from(line, (text) => cell(text.trim()))))],
      undefined,
    ).map((block) => (block.kind === "table" ? [block.rows.length, block.rows[0]?.length] : block.kind));

  test.each([
    [
      "empty rows and columns part tables; a cell that stands alone is a paragraph",
      ["T    ", "     ", "ab xy", "cd zw"],
      ["paragraph", [2, 2], [2, 2]],
    ],
    ["a column of names belongs to what stands beside it", ["N vw", "a xy"], [[2, 3]]],
    ["a row with gaps belongs to the table above", ["abcd", "efgh", "    ", "i kl"], [[3, 4]]],
    [
      "rows of their own stay apart",
      ["ab", "cd", "  ", "ef"],
      [
        [2, 2],
        [1, 2],
      ],
    ],
  ])("%s", (_, lines, wanted) => {
    expect(sheetOf(...lines)).toEqual(wanted);
  });

  test("takes a merged cell with text as filled, and one without as empty", () => {
    const merged = table([cell("wide", { columns: 2 }), undefined], [cell("a"), cell("b")]);
    expect(workbookBlocks([merged], undefined)).toHaveLength(1);
    const hollow = table([cell("a"), cell("", { columns: 2 }), undefined, cell("b")]);
    expect(levels(workbookBlocks([hollow], undefined))).toEqual(["paragraph", "paragraph"]);
  });
});
