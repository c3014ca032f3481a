import { describe, expect, test } from "vitest";

import { gridOf, linesAt, pdfPage, proseLines, wordsAt } from "../../../../test/pdf-pages.ts";
import { writeMarkdown } from "../blocks/blocks-markdown.ts";
import { layOut } from "./document.ts";
import { draftPage } from "./draft.ts";
import type { PdfPage, Ruling, Word } from "./page/page.ts";

function convert(...pages: readonly PdfPage[]) {
  return writeMarkdown(layOut(pages.map(draftPage), []), { pageMarkers: false });
}

function markdownOf(facts: Partial<PdfPage>): string {
  return convert(pdfPage(facts)).markdown;
}

function across(y: number, x0: number, x1: number): Ruling {
  return { isHorizontal: true, y, x0, x1 };
}

/** Rows of cells that begin at these places, `pitch` points apart. */
function rowsAt(xs: readonly number[], y: number, rows: readonly (readonly string[])[], pitch = 14): Word[] {
  return rows.flatMap((cells, row) =>
    cells.flatMap((cell, at) => (cell === "" ? [] : wordsAt(xs[at] ?? 0, y + pitch * row, cell))),
  );
}

describe("tables between lines of one length", () => {
  test("heads over several columns span them, those beside reach down", () => {
    const words = [
      ...wordsAt(225, 110, "Scores"),
      ...rowsAt([100, 200, 280, 360], 130, [
        ["Model", "Dev", "Test", "Cost"],
        ["small model", "23.75", "21.10", "low"],
        ["large model", "39.20", "38.15", "high"],
      ]),
    ];
    const rulings = [across(98, 95, 400), across(114, 195, 310), across(135, 95, 400), across(165, 95, 400)];
    expect(markdownOf({ words, rulings })).toBe(
      '<table><tr><td rowspan="2">Model</td><td colspan="2">Scores</td><td rowspan="2">Cost</td></tr>' +
        "<tr><td>Dev</td><td>Test</td></tr>" +
        "<tr><td>small model</td><td>23.75</td><td>21.10</td><td>low</td></tr>" +
        "<tr><td>large model</td><td>39.20</td><td>38.15</td><td>high</td></tr></table>",
    );
  });

  test("lines that are drawn cell by cell say where the columns are, and texts beside the key its rows", () => {
    const words = [
      ...rowsAt([102, 202, 242], 112, [["Source", "Year", "What it is"]]),
      ...linesAt(242, 130, ["a programme of schools", "that is told in three", "lines of text"]),
      ...rowsAt([102, 202], 142, [["First one", "2005"]]),
      ...linesAt(242, 172, ["a shop that sells what", "others throw away"]),
      ...rowsAt([102, 202], 178, [["Second one", "2020"]]),
    ];
    const rulings = [100, 117, 190].flatMap((y) => [
      across(y, 100, 200),
      across(y, 200, 240),
      across(y, 240, 380),
    ]);
    expect(markdownOf({ words, rulings })).toBe(
      [
        "| Source | Year | What it is |",
        "| --- | --- | --- |",
        "| First one | 2005 | a programme of schools that is told in three lines of text |",
        "| Second one | 2020 | a shop that sells what others throw away |",
      ].join("\n"),
    );
  });

  test("a row with a label alone stays one, where its words had room in the row above", () => {
    const words = rowsAt([100, 260, 330], 112, [
      ["Characteristic", "2007", "2009"],
      ["Male", "2,862", "2,962"],
      ["Female", "2,909", "2,795"],
      ["Region", "", ""],
      ["A place with a name", "1,638", "1,704"],
      ["Another", "508", "577"],
    ]);
    const rulings = [across(100, 95, 370), across(117, 95, 370), across(190, 95, 370)];
    expect(markdownOf({ words, rulings })).toContain("| Female | 2,909 | 2,795 |\n| Region |  |  |\n");
  });

  test("text between two lines is no table", () => {
    const words = linesAt(50, 120, proseLines(6));
    const rulings = [across(105, 50, 400), across(112, 50, 400), across(190, 50, 400)];
    expect(markdownOf({ words, rulings })).not.toMatch(/\||<table/);
  });
});

describe("tables that lines and boxes draw", () => {
  test("a drawn column in which all rows leave the same white holds two", () => {
    const words = rowsAt(
      [105, 205, 285],
      115,
      [
        ["Age", "Male", "Female"],
        ["1-2", "2,586", "2,568"],
        ["3-5", "3,867", "3,576"],
        ["6-11", "7,808", "7,401"],
        ["12-19", "9,795", "9,208"],
      ],
      20,
    );
    const rulings = gridOf([100, 200, 340], [100, 120, 140, 160, 180, 200]);
    expect(markdownOf({ words, rulings })).toContain("| 3-5 | 3,867 | 3,576 |");
  });

  test("colour behind the text of a cell is no cell", () => {
    const words = rowsAt(
      [112, 212],
      118,
      [
        ["Name", "Size"],
        ["apple", "3"],
        ["pear", "12"],
      ],
      30,
    );
    const rulings = gridOf([100, 200, 300], [100, 130, 160, 190]);
    const boxes = [100, 130, 160].flatMap((y) =>
      [100, 200].map((x) => ({
        box: [x + 5, y + 9, x + 95, y + 22] as const,
        isWhite: false,
        isDrawing: false,
      })),
    );
    expect(markdownOf({ words, rulings, boxes })).toBe(
      "| Name | Size |\n| --- | --- |\n| apple | 3 |\n| pear | 12 |",
    );
  });

  test("a caption above the columns and a note below them stand outside", () => {
    const words = [
      ...wordsAt(105, 115, "Table 3: What was asked"),
      ...rowsAt(
        [105, 205],
        135,
        [
          ["Name", "Size"],
          ["apple", "3"],
          ["pear", "12"],
        ],
        20,
      ),
      ...wordsAt(105, 195, "Source: the authors of this"),
    ];
    const inner = gridOf([100, 200, 300], [120, 140, 160, 180]);
    const markdown = markdownOf({ words, rulings: [...gridOf([100, 300], [100, 200]), ...inner] });
    expect(markdown).toBe(
      [
        "Table 3: What was asked",
        "| Name | Size |\n| --- | --- |\n| apple | 3 |\n| pear | 12 |",
        "Source: the authors of this",
      ].join("\n\n"),
    );
  });

  test("two columns of running text in one drawn row are one row", () => {
    const left = [
      "stability of scores over",
      "time when nothing that",
      "is asked has changed in",
      "all of the patients here",
    ];
    const right = [
      "agreement of those who",
      "looked at each patient",
      "at the same time and in",
      "the same place as others",
    ];
    const words = [
      ...rowsAt([105, 255], 115, [["What", "How"]]),
      ...linesAt(105, 135, left),
      ...linesAt(255, 135, right),
    ];
    const rulings = gridOf([100, 250, 400], [100, 120, 180]);
    expect(markdownOf({ words, rulings })).toBe(
      `| What | How |\n| --- | --- |\n| ${left.join(" ")} | ${right.join(" ")} |`,
    );
  });
});

describe("tables over pages", () => {
  const HEAD = ["Year", "Sales", "Costs"];
  const rowsOf = (years: readonly number[]) =>
    years.map((year) => [String(year), `${year - 900}`, `${year - 1200}`]);
  const pageWith = (number: number, y: number, rows: readonly (readonly string[])[]) =>
    pdfPage({ number, words: rowsAt([80, 200, 320], y, rows) });

  test("are one, without the head that comes again; each piece keeps its span", () => {
    const { markdown, blocks } = convert(
      pageWith(1, 600, [HEAD, ...rowsOf([2001, 2002, 2003, 2004])]),
      pageWith(2, 100, [HEAD, ...rowsOf([2005, 2006, 2007, 2008])]),
    );
    expect(markdown.match(/Year/g)).toHaveLength(1);
    expect(markdown).toContain("| 2004 | 1104 | 804 |\n| 2005 | 1105 | 805 |");
    const [span] = blocks[1]?.items.map(({ markdownSpan }) => markdownSpan) ?? [];
    expect(markdown.slice(...(span ?? [0, 0]))).toBe(blocks[1]?.items[0]?.content);
  });

  test("with spans are one table of HTML", () => {
    const grid = (ys: readonly number[]) => [
      ...gridOf([70, 400], ys),
      ...[180, 290].map((x) => ({ isHorizontal: false as const, x, y0: ys[1] ?? 0, y1: ys.at(-1) ?? 0 })),
    ];
    const page = (number: number, top: number, years: readonly number[]) =>
      pdfPage({
        number,
        words: [
          ...wordsAt(180, top + 15, "Figures of all years"),
          ...rowsAt([80, 200, 320], top + 35, rowsOf(years), 20),
        ],
        rulings: grid([top, top + 20, top + 40, top + 60]),
      });
    const { markdown } = convert(page(1, 700, [2001, 2002]), page(2, 60, [2003, 2004]));
    expect(markdown.match(/<table>/g)).toHaveLength(1);
    expect(markdown).toMatch(/<td>2002<\/td>.*<\/tr><tr><td>2003<\/td>/);
    expect(markdown.match(/Figures of all years/g)).toHaveLength(1);
  });

  test("of other columns are others", () => {
    const second = pdfPage({
      number: 2,
      words: rowsAt([80, 200], 100, [
        ["Town", "Size"],
        ["one", "12"],
        ["two", "15"],
        ["three", "18"],
      ]),
    });
    const { markdown } = convert(pageWith(1, 600, [HEAD, ...rowsOf([2001, 2002, 2003, 2004])]), second);
    expect(markdown.match(/^\| --- /gm)).toHaveLength(2);
  });
});

test("between rules below rows a cell goes on in its second line, and the row above the first rule is the head", () => {
  const rows: readonly (readonly [y: number, ...cells: string[]])[] = [
    [74, "Day", "Work", "In", "Out"],
    [88, "2024-03-01", "Gate painted and", "12.40", "3.10"],
    [100, "", "hung again"],
    [112, "", "by two"],
    [126, "2024-03-02", "Lock emptied", "8.00", "19.75"],
    [138, "", "at noon"],
    [152, "2024-03-04", "Boats counted", "17.25", "4.60"],
  ];
  const words = rows.flatMap(([y, ...cells], row) =>
    cells.flatMap((cell, at) => wordsAt([40, 130, 280, 360][at] ?? 0, y, cell, { isBold: row === 0 })),
  );
  const rulings = [78, 116, 142, 156].map((y) => across(y, 38, 400));
  expect(markdownOf({ words, rulings }).replaceAll(/ *\| */g, "|")).toBe(
    "|Day|Work|In|Out|\n|---|---|---|---|\n|2024-03-01|Gate painted and hung again by two|12.40|3.10|\n|2024-03-02|Lock emptied at noon|8.00|19.75|\n|2024-03-04|Boats counted|17.25|4.60|",
  );
});

describe("texts that run up", () => {
  const turned = (x: number, foot: number, text: string) =>
    wordsAt(0, 0, text).map((word) => ({
      ...word,
      x0: x,
      x1: x + 12,
      y0: foot - word.x1,
      y1: foot - word.x0,
      base: foot - word.x0,
      look: { ...word.look, angle: Math.PI / 2 },
    }));
  const rows = rowsAt([50, 204, 244, 284], 195, [
    ["Town", "", "", ""],
    ["Bern", "134", "51", "540"],
    ["Zug", "31", "21", "425"],
    ["Chur", "38", "54", "593"],
  ]);
  const heads = ["All people", "Area", "Height"].flatMap((text, at) => turned(204 + 40 * at, 197, text));
  const grid = gridOf([45, 195, 235, 275, 315], [130, 200, 214, 228, 242]);

  test.each([
    ["rules", grid],
    ["none", []],
  ])("above columns of a table with %s are its heads", (_, rulings) => {
    expect(markdownOf({ words: [...rows, ...heads], rulings })).toMatch(
      /^\| Town \| All people \| Area \| Height \|\n.*\n\| Bern \| 134 \| 51 \| 540 \|\n[^]*593 \|$/,
    );
  });

  test("in boxes of a drawing are no cells", () => {
    const boxes = [570, 640].flatMap((foot) => [60, 100].flatMap((x) => turned(x, foot, "layer of nodes")));
    const rulings = gridOf([50, 90, 130], [495, 575, 645]);
    expect(markdownOf({ words: [...rows, ...boxes], rulings })).not.toMatch(/\|.*layer/);
  });
});

test("rules between rows have a row above the first and one below the last", () => {
  const cells = [0, 1, 2, 3, 4, 5].map((row) =>
    row === 0 ? ["Stop", "Line 1", "Line 2"] : [`Stop ${row}`, `0${row}:10`, `1${row}:25`],
  );
  const words = [
    ...rowsAt([50, 120, 190], 100, cells, 13),
    ...wordsAt(50, 200, "Changes are shown at stops."),
  ];
  const rulings = [104, 117, 130, 143, 156].map((y) => across(y, 48, 230));
  expect(markdownOf({ words, rulings })).toMatch(
    /^\| Stop \| Line 1 \| Line 2 \|\n[^]*\| Stop 5 \| 05:10 \| 15:25 \|\n\nChanges/,
  );
});

describe("cells of tables without rules", () => {
  test("end where those of other rows begin, however close the next is", () => {
    const stops = ["Weir", "Lock", "Upper market hall", "Quay", "Mill", "Bridge"];
    const rows = stops.map((stop, at) => [stop, `0${at}:25`, `1${at}:40`, `2${at}:05`]);
    const words = rowsAt([50, 134.5, 200, 260], 100, [["Stop", "101", "103", "105"], ...rows]);
    expect(markdownOf({ words })).toContain("| Upper market hall | 02:25 | 12:40 | 22:05 |");
  });

  test("beside a key go on with a small letter", () => {
    const texts = ["Close gate", "Ring for", "keeper", ..."Open Lift Pull Push Turn Keep".split(" ")];
    const rows = texts.map((text, at) => [text === "keeper" ? "" : `q${at}`, text]);
    expect(markdownOf({ words: rowsAt([50, 90], 100, rows, 18) })).toContain("| q1 | Ring for keeper |");
  });

  test("follow labels in bold", () => {
    const rows = [
      "Day|12 November, at noon",
      "Place|Mill Hall",
      "There|A. Lund and two keepers",
      "Away|J. Brook",
    ];
    const words = rows.flatMap((row, at) => {
      const [label = "", value = ""] = row.split("|");
      return [...wordsAt(50, 100 + 15 * at, label, { isBold: true }), ...wordsAt(130, 100 + 15 * at, value)];
    });
    expect(markdownOf({ words: [...words, ...linesAt(50, 190, proseLines(6))] })).toMatch(
      /^\| Day \| 12 November, at noon \|\n.*\n\| Place \| Mill Hall \|\n/,
    );
  });

  test("of several lines stand below a head that is set to the left of figures", () => {
    const rows = [
      "Small stone|harbour",
      "Timber winter|gates",
      "Signal lamps",
      "Quarry stone|river",
      "Old ropes",
    ];
    let y = 100;
    const words = rows.flatMap((text, at) => {
      const lines = text.split("|");
      y += 15.5;
      const row = [
        ...linesAt(50, y, lines),
        ...rowsAt([247, 349, 453], y, [[`${at + 3}`, "248.34", "671.08"]]),
      ];
      y += 12 * (lines.length - 1);
      return row;
    });
    const head = rowsAt([50, 152, 254, 356], 100, [["Goods", "Copper", "Office", "Opens"]]);
    expect(markdownOf({ words: [...head, ...words] })).toMatch(
      /^\| Goods \| Copper \| Office \| Opens \|\n.*\n\| Small stone harbour \| 3 \| 248.34 \|/,
    );
  });
});

test.each([
  ["is a table of one column", "Ropes of the lower store|Lamps and bells|Oars", 0, true],
  ["is none with lines further in", "while lamp burns|ring the bell|end", 12, false],
  ["is none where it is text", `${proseLines(3).join("|")}|the end`, 0, false],
])("a head between rules over a list %s", (_what, list, indent, isTable) => {
  const lines = list.split("|");
  const words = [
    ...wordsAt(60, 96, "All goods in store"),
    ...lines.flatMap((line, at) => wordsAt(60 + (at % 2) * indent, 114 + 14 * at, line)),
  ];
  const rulings = [80, 101, 104 + 14 * lines.length].map((y) => across(y, 55, 320));
  expect(markdownOf({ words, rulings }).includes("| All goods in store |\n| --- |\n| ")).toBe(isTable);
});

describe("cells that are painted in turn", () => {
  const box = (x0: number, y0: number, x1: number, y1: number) => ({
    box: [x0, y0, x1, y1] as const,
    isWhite: false,
    isDrawing: false,
  });
  /** Rows of 18 points. */
  const painted = (rows: readonly number[]) =>
    rows.map((row) => box(200, 100 + 18 * row, 320, 118 + 18 * row));
  const goods = ["Ropes", "Lamps", "Bells", "Oars", "Sails", "Nails"];
  const words = [
    ...goods.flatMap((text, at) => wordsAt(205, 113 + 18 * at, text)),
    ...["Store", "Shed", "Forge"].flatMap((text, at) => wordsAt(60, 122 + 36 * at, text)),
  ];

  test("leave those between, which may be as high as several", () => {
    const boxes = [box(50, 100, 200, 136), box(50, 172, 200, 208), ...painted([0, 2, 4])];
    expect(markdownOf({ words, boxes })).toContain(
      '<td rowspan="2">Shed</td><td>Bells</td></tr><tr><td>Oars</td></tr><tr><td rowspan="2">Forge</td>',
    );
  });

  test("are no table with what lies between two of them", () => {
    const tables = [0, 5].flatMap((row) => [box(50, 100 + 18 * row, 200, 118 + 18 * row), ...painted([row])]);
    const titles = wordsAt(60, 150, "The second list of all goods in store");
    expect(
      markdownOf({
        words: [
          ...wordsAt(60, 113, "Shed"),
          ...wordsAt(205, 113, "Ropes"),
          ...titles,
          ...wordsAt(60, 203, "Forge"),
          ...wordsAt(205, 203, "Nails"),
        ],
        boxes: tables,
      }),
    ).toMatch(/^The second list/m);
  });
});

describe("texts of several lines without rules, below heads", () => {
  const columns = ["Skiff", "Barge", "Fleet"];
  const cells = columns.flatMap((name, at) => [
    ...wordsAt(140 + 150 * at, 100, name),
    ...[0, 1].flatMap((row) =>
      linesAt(140 + 150 * at, 130 + 70 * row, [`${name} ${row} is for all who`, "row on Sundays"]),
    ),
  ]);
  const after = linesAt(50, 330, proseLines(6));

  test("are rows where each has a label at its left", () => {
    const labels = ["Who", "What it costs"].flatMap((text, row) => wordsAt(50, 136 + 70 * row, text));
    expect(markdownOf({ words: [...labels, ...cells, ...after] })).toMatch(
      /^\| {2}\| Skiff \| Barge \| Fleet \|\n.*\n\| Who \| Skiff 0 is for all who row on Sundays \| Barge 0/,
    );
  });

  test("are columns where there is none", () => {
    expect(markdownOf({ words: [...cells, ...after] })).not.toContain("| Barge 0");
  });
});

test("numbers in a border that is drawn as one path are text, and those around what is drawn in it are a chart", () => {
  const rows = ["Basic pay", "Extra hours", "Taxes"].map((text, at) => [text, `${at + 3}12,50`, `${at}8,00`]);
  const words = [...rowsAt([70, 260, 420], 130, rows, 40), ...linesAt(50, 400, proseLines(6))];
  const path = (box: readonly [number, number, number, number]) => ({ box, isWhite: false, isDrawing: true });
  const page = { words, rulings: gridOf([50, 540], [100, 260]), boxes: [path([50, 100, 540, 260])] };
  expect(markdownOf(page)).toContain("Basic pay");
  expect(markdownOf({ ...page, boxes: [...page.boxes, path([60, 110, 530, 250])] })).not.toContain(
    "Basic pay",
  );
});
