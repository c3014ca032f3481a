import { describe, expect, test } from "vitest";

import { gridOf, linesAt, pdfPage, proseLines, wordsAt } from "../../../../test/pdf-pages.ts";
import { writeMarkdown } from "../blocks/blocks-markdown.ts";
import { layOut } from "./document.ts";
import { draftPage } from "./draft.ts";
import type { Look, PdfPage, Word } from "./page/page.ts";

function markdownOf(facts: Partial<PdfPage>): string {
  return writeMarkdown(layOut([draftPage(pdfPage(facts))], []), { pageMarkers: false }).markdown;
}

const across = (y: number, x0: number, x1: number) => ({ isHorizontal: true as const, y, x0, x1 });

/** Running text in lines of this many characters, broken where the next word does not fit. */
function filled(words: readonly string[], characters: number): string[] {
  const lines: string[] = [];
  for (const word of words) {
    const line = lines.at(-1);
    if (line === undefined || line.length + word.length >= characters) lines.push(word);
    else lines[lines.length - 1] = `${line} ${word}`;
  }
  return lines;
}

const sentence = (subject: string, count: number) =>
  Array.from({ length: count }, (_none, at) => `${subject} ${at} went down to the river and came back again.`)
    .join(" ")
    .split(" ");

describe("running text beside running text is no table", () => {
  test.each([
    ["Latin", "Somebody"],
    ["Cyrillic", "Некто"],
    ["Greek", "Κάποιος"],
  ])("below a running head between rules: %s", (_script, subject) => {
    const columns = [40, 225, 410].map((x, at) => linesAt(x, 80, filled(sentence(`${subject}${at}`, 9), 30)));
    const head = [40, 250, 520].flatMap((x, at) =>
      wordsAt(x, 50, ["Gazette", "Vol. 85, 2020", "47699"][at] ?? ""),
    );
    const markdown = markdownOf({
      words: [...head, ...columns.flat()],
      rulings: [across(58, 40, 560), across(400, 40, 560)],
    });
    expect(markdown).not.toMatch(/\||<table/);
    expect(markdown.replace(/\s+/g, " ")).toContain(
      `${subject}0 0 went down to the river and came back again. ${subject}0 1 went`,
    );
    expect(markdown.indexOf(`${subject}0 8`)).toBeLessThan(markdown.indexOf(`${subject}1 0`));
  });

  test("a box of keywords stands before the summary beside it", () => {
    const keys = linesAt(40, 100, ["Keywords:", "Locks", "Small boats", "Waiting"]);
    const text = linesAt(220, 100, filled(sentence("Crew", 5), 66));
    const markdown = markdownOf({
      words: [...wordsAt(40, 82, "INFO"), ...wordsAt(220, 82, "ABSTRACT"), ...keys, ...text],
      rulings: [across(70, 40, 560), across(160, 40, 560)],
    });
    expect(markdown).not.toMatch(/\||<table/);
    expect(markdown.indexOf("Waiting")).toBeLessThan(markdown.indexOf("Crew 0"));
  });

  test("but whole sentences of one length are rows", () => {
    const rows = [
      "Keep the gate shut until noon",
      "Ring the bell before you pass",
      "Show the lamp to every boats",
      "Write the sums into the logs",
      "Lock the door when you leave",
    ];
    const words = rows.flatMap((text, at) =>
      [`A${at + 1}`, text, `${12 * at}.50`].flatMap((cell, column) =>
        wordsAt([60, 140, 420][column] ?? 0, 100 + 14 * at, cell),
      ),
    );
    expect(markdownOf({ words }).split("\n")).toContain("| A2 | Ring the bell before you pass | 12.50 |");
  });
});

test.each([
  ["Latin", "Start", "open the gate"],
  ["Cyrillic", "Пуск", "открыть ворота"],
])("sections of a card stand in its columns, each key beside its meaning: %s", (_script, head, meaning) => {
  const sections = [0, 1, 2].flatMap((column) =>
    [0, 1].flatMap((row) => {
      const [x, y] = [30 + 190 * column, 80 + 70 * row + 4 * column];
      const keys = [0, 1, 2].flatMap((at) => [
        ...wordsAt(x, y + 14 + 10 * at, `k${column}${row}${at}`, { size: 8 }),
        ...wordsAt(x + 50, y + 14 + 10 * at, `${meaning} ${column}${row}${at}`, { size: 8 }),
      ]);
      return [...wordsAt(x, y, `${head} ${column}${row}`, { isBold: true, size: 11 }), ...keys];
    }),
  );
  const lines = markdownOf({ words: sections }).split("\n");
  const heads = lines.filter((line) => line.startsWith("#")).map((line) => line.replace(/^#+ /, ""));
  expect(heads).toEqual(["00", "01", "10", "11", "20", "21"].map((at) => `${head} ${at}`));
  expect(lines).toContain(`| k112 | ${meaning} 112 |`);
});

describe("fixed-width letters", () => {
  const typed: Partial<Look> = { isMonospaced: true, font: "Courier" };
  /** Letters of six points, with as many blanks between words as there are. */
  const typedAt = (x: number, y: number, lines: readonly string[]): Word[] =>
    lines.flatMap((line, row) =>
      [...line.matchAll(/\S+/g)].flatMap(({ 0: word, index }) =>
        wordsAt(x + 6 * index, y + 12 * row, word, typed).map((one) => ({
          ...one,
          x1: one.x0 + 6 * word.length,
        })),
      ),
    );

  test("keep their lines and blanks, between text and alone", () => {
    const lines = [
      "-V, --version    print it",
      "-h  --help       помощь",
      "    --slow  5    wait",
      "-c  file  A  B   run it",
    ];
    const prose = [...linesAt(60, 60, proseLines(4)), ...linesAt(60, 200, proseLines(4))];
    expect(markdownOf({ words: [...prose, ...typedAt(60, 130, lines)] })).toContain(
      `\`\`\`\n${lines.join("\n")}\n\`\`\``,
    );
    const table = ["day    boats   water", "Mon       14    2.41", "Tue        9    2.38"];
    expect(markdownOf({ words: typedAt(60, 60, table) })).toContain(table.join("\n"));
  });

  test("in two columns of a page stay in their column", () => {
    const left = [
      ...linesAt(40, 60, proseLines(8, "left")),
      ...typedAt(40, 170, ["open(1)", "shut(2)", "wait(3)"]),
    ];
    const right = [
      ...linesAt(320, 60, proseLines(8, "right")),
      ...typedAt(320, 170, ["read()", "write()", "close()"]),
    ];
    expect(markdownOf({ words: [...left, ...right] })).toContain("```\nopen(1)\nshut(2)\nwait(3)\n```");
  });
});

describe("entries of a table of contents keep their pages", () => {
  test.each([
    ["of dots and blanks", ". . . . . . . . . . . ."],
    ["of dots", "................"],
    ["of middle dots", "············"],
  ])("behind leaders %s", (_what, leader) => {
    const entries = [
      ["Preface", "vii"],
      ["1 Gates", "1"],
      ["1.1 Петли", "12"],
      ["Index", "210"],
    ];
    const words = entries.flatMap(([title = "", page = ""], at) => [
      ...wordsAt(60, 80 + 14 * at, `${title} ${leader}`),
      ...wordsAt(500, 80 + 14 * at, page),
    ]);
    const lines = markdownOf({ words })
      .split("\n")
      .filter((line) => line !== "");
    expect(lines.map((line) => line.replace(/^\W+/, "").replace(/[\s.·]+(?=\w+$)/, " "))).toEqual(
      entries.map((entry) => entry.join(" ")),
    );
  });

  test("and their numbers, however far before them", () => {
    const words = ["1", "1.1", "1.2", "1.3", "2"].flatMap((section, at) => [
      ...wordsAt(60, 80 + 14 * at, section),
      ...wordsAt(96, 80 + 14 * at, `Gates${" .".repeat(48)}`),
      ...wordsAt(500, 80 + 14 * at, `${4 + at}`),
    ]);
    expect(markdownOf({ words }).match(/[\d.]+ Gates [ .]+\d/g)).toHaveLength(5);
  });
});

test.each([
  ["a colon", ["Name:", "Класс:", "Owner:"], 14],
  ["distance alone", ["Surname", "First name", "Boat", "Город", "Remarks"], 30],
])("labels told by %s stay beside their values", (_how, labels, pitch) => {
  const words = labels.flatMap((label, at) => [
    ...wordsAt(60, 100 + pitch * at, label),
    ...wordsAt(200, 100 + pitch * at, `Value ${at}`),
  ]);
  expect(markdownOf({ words }).split("\n")).toContain(`| ${labels[2]} | Value 2 |`);
});

test("rows in one frame below a ruled head are rows, a second line stays in its row", () => {
  const xs = [60, 140, 300, 480];
  const rows = [
    ["No.", "Payee", "For", "Sum"],
    ["11", "Lind", "Paint", "1.50"],
    ["12", "Mill", "Oak for the sill and", "9.00"],
    ["", "", "carriage of it", ""],
    ["13", "Vik", "Grease", "2.00"],
    ["14", "Berg", "Plans of a gate", "3.25"],
    ["15", "Lind", "Rope", "4.00"],
  ];
  const words = rows.flatMap((cells, row) =>
    cells.flatMap((cell, at) => (cell === "" ? [] : wordsAt(xs[at] ?? 0, 100 + 14 * row, cell))),
  );
  const [head, frame] = [gridOf([50, 130, 290, 470, 550], [88, 105]), gridOf([50, 550], [105, 200])];
  const lines = markdownOf({ words, rulings: [...head, ...frame] }).split("\n");
  expect(lines).toContain("| 12 | Mill | Oak for the sill and carriage of it | 9.00 |");
  expect(lines).toContain("| 13 | Vik | Grease | 2.00 |");
});

test.each([
  ["the years 2018–", "2024, and", "2018–2024, and"],
  ["14—", "19 May", "14—19 May"],
  ["at https://lock.example/a/", "b-c.html, and", "https://lock.example/a/b-c.html, and"],
  ["either and/", "or both", "and/ or both"],
  ["a pause –", "and on", "– and on"],
])("what breaks at the end of a line: %s %s", (first, second, whole) => {
  const words = linesAt(60, 80, [first, `${second} then some more words`]);
  expect(markdownOf({ words }).replace(/\n/g, " ")).toContain(whole);
});

describe("lines that are no running text", () => {
  const shown = (words: readonly Word[]) =>
    markdownOf({ words })
      .split("\n")
      .filter((line) => line !== "");

  test("entries of an index are lines, whatever fits behind them, and no rows of a table", () => {
    const entries = Array.from(
      { length: 12 },
      (_none, at) => `${"ABCDEFGHIJKL"[at] ?? ""}s, ${at}${at % 6 ? "" : ", 160, 201"}`,
    );
    const words = [...linesAt(40, 80, entries.slice(0, 6)), ...linesAt(300, 80, entries.slice(6))];
    expect(shown(words)).toEqual(entries);
  });

  test("a statement whose amounts stand in one of two columns has a row for each day", () => {
    const words = Array.from({ length: 9 }, (_none, at) => {
      const cells = [
        `2024-05-1${at}`,
        ["Ferry", "Rope and tar", "Two new oars"][at % 3] ?? "",
        at % 2 ? "" : `${at}2.50`,
        `${at}97.00`,
      ];
      return cells.flatMap((cell, column) =>
        cell === "" ? [] : wordsAt([50, 150, 300, 400][column] ?? 0, 100 + 14 * at, cell),
      );
    });
    const labels = ["Holder:", "Since:", "Berth:"].map((label, at) => [
      ...wordsAt(50, 58 + 14 * at, label),
      ...wordsAt(150, 58 + 14 * at, ["Una Berg", "2019", "B 12"][at] ?? ""),
    ]);
    const rows = [
      "| Since: | 2019 |",
      "| 2024-05-13 | Ferry |  | 397.00 |",
      "| 2024-05-14 | Rope and tar | 42.50 | 497.00 |",
    ];
    expect(shown([...labels, ...words].flat())).toEqual(expect.arrayContaining(rows));
  });

  test("blanks of a justified line are no gaps, however wide they are", () => {
    const words = Array.from({ length: 150 }, (_none, at) => "abcdefghijk".slice((at * at * 7) % 10));
    const lines = filled(words, 30);
    const justified = lines.flatMap((line, row) => {
      const own = wordsAt(40, 80 + 12 * row, line);
      const blank = (200 - own.reduce((sum, { x0, x1 }) => sum + x1 - x0, 0)) / (own.length - 1);
      let left = 40;
      return own.map((word) => {
        const [x0, x1] = [left, left + word.x1 - word.x0];
        left = x1 + blank;
        return { ...word, x0, x1 };
      });
    });
    expect(shown(justified).join(" ")).toBe(lines.join(" "));
  });

  test("boxes are entries of a list and say whether they are checked", () => {
    const boxes = ["☐ Row of oars", "⊠ Two new sails", "☐ Anchor"];
    expect(shown(linesAt(40, 80, boxes))).toEqual(boxes.map((box) => `- ${box}`));
  });
});

test("a page in letters from the right has its first column, and the first cell of a row, on the right", () => {
  const right = (x: number, y: number, text: string) =>
    wordsAt(0, y, text).map((word) => ({ ...word, x0: x - word.x1, x1: x - word.x0 }));
  const prose = filled(
    sentence("0", 4).map((word) => (/^\d/.test(word) ? word : "נהר")),
    30,
  );
  const columns = [560, 270].flatMap((x, at) =>
    prose.flatMap((line, row) => right(x, 80 + 12 * row, `${line} ${at ? "ב" : "א"}`)),
  );
  const markdown = markdownOf({ words: [...right(560, 50, ".1 נמל"), ...columns] });
  expect(markdown).toContain("1\\. נמל");
  expect(markdown.lastIndexOf("א")).toBeLessThan(markdown.indexOf("ב"));
  const rows = Array.from({ length: 5 }, (_none, at) =>
    [`גשר`, `${at}7.50`, `${at}`].flatMap((cell, column) => right(560 - 150 * column, 300 + 20 * at, cell)),
  );
  expect(markdownOf({ words: rows.flat() })).toContain("| גשר | 17.50 | 1 |");
});

describe("short entries beside others", () => {
  test.each([
    ["Latin", ["Anchor", "Bridge", "Ferry", "Harbour", "Lantern", "Market", "Quarry", "River"]],
    ["Greek", ["Άγκυρα", "Βόρειος", "Γέφυρα", "Ήσυχος", "Κάθε", "Λιμάνι", "Ποτάμι", "Σήμα"]],
  ])("of an index are lines, column by column: %s", (_script, words) => {
    const entries = words.flatMap((word, at) => [`${word} abc, ${at + 12}`, `${word}, ${at * 31}, 108, 215`]);
    const columns = [0, 8].map((from, at) => linesAt(60 + 240 * at, 80, entries.slice(from, from + 8)));
    const lines = markdownOf({ words: columns.flat() }).split(/\n+/);
    expect(lines).toEqual(entries);
  });

  test.each([
    ["at other heights", 84, 14.4],
    ["at the same heights, below heads as bold as their keys", 80, 13],
  ])("of a card are rows of their own column: %s", (_case, rightY, rightPitch) => {
    const key = { isBold: true };
    const column = (x: number, y: number, pitch: number, name: string) =>
      ["one", "two", "three"].flatMap((section, part) => {
        const top = y + part * (5 * pitch + 20);
        const rows = ["F1", "F2", "F3"].flatMap((label, at) => [
          ...wordsAt(x, top + (at + 1) * pitch, label, key),
          ...wordsAt(x + 50, top + (at + 1) * pitch, `${name} ${section} ${at}`),
        ]);
        const rest = wordsAt(x + 50, top + 4 * pitch, "and more");
        return [...wordsAt(x, top, `${name} ${section}`, key), ...rows, ...rest];
      });
    const markdown = markdownOf({
      words: [...column(60, 80, 13, "left"), ...column(320, rightY, rightPitch, "right")],
    });
    expect(markdown.split("\n")).toEqual(
      expect.arrayContaining(["| F2 | left two 1 |", "| F3 | right three 2 |"]),
    );
    expect(markdown).toContain("| F3 | right three 2 |\n|  | and more |");
    expect(markdown.indexOf("left three 2")).toBeLessThan(markdown.indexOf("right one"));
  });
});

test("blanks that stand below each other by chance do not part the lines of a narrow column", () => {
  const rows = [
    "the ferry goes up north",
    "and comes back at noon",
    "lanterns harbours.",
    "afternoon quarries",
    "something lanterns",
    "villages afternoon",
    "orchards something",
    "will be open all night",
    "until the river is low",
  ];
  const words = [40, 200, 360].flatMap((x, column) =>
    rows.flatMap((row, at) => {
      const own = row.split(" ");
      const blank = (120 - 5 * own.join("").length) / (own.length - 1);
      return own.flatMap((word, place) => {
        const before = own.slice(0, place).join("").length;
        return wordsAt(x + 5 * before + blank * place, 80 + 12 * at + 4 * column, word);
      });
    }),
  );
  const markdown = markdownOf({ words });
  expect(markdown).not.toMatch(/\||<table/);
  const text = markdown.replaceAll(/\s+/g, " ");
  expect(
    text.split("goes up north and comes back at noon lanterns harbours. afternoon quarries").length,
  ).toBe(4);
});

/** Lines that all reach from edge to edge of a column of this width, but for the last. */
const justified = (x: number, y: number, width: number, lines: readonly string[]): Word[] =>
  lines.flatMap((line, at) => {
    const own = line.split(" ");
    const letters = own.join("").length;
    const blank = at === lines.length - 1 ? 3 : (width - 5 * letters) / Math.max(1, own.length - 1);
    return own.flatMap((word, place) =>
      wordsAt(x + 5 * own.slice(0, place).join("").length + blank * place, y + 12 * at, word),
    );
  });

test.each([
  ["two columns", 2],
  ["three columns", 3],
  ["four columns", 4],
])("lines of two words that reach from edge to edge are lines, in %s", (_name, count) => {
  const pairs = [
    "north stone",
    "at the old gate",
    "harbour is",
    "lamp carries",
    "in a small boat",
    "the river",
    "below gates",
    "up to the hill",
    "opens by",
    "copper hills",
    "by an old mill",
    "quiet.",
  ];
  const columns = Array.from({ length: count }, (_none, at) =>
    pairs.map((_pair, line) => pairs[(line + (line < pairs.length - 1 ? at * 3 : 0)) % pairs.length] ?? ""),
  ).map((lines) =>
    lines.map((line, at) => (line === "quiet." && at < lines.length - 1 ? "over there" : line)),
  );
  const words = columns.flatMap((lines, at) => justified(40 + 130 * at, 80 + (at % 2), 95, lines));
  const markdown = markdownOf({
    words: [...wordsAt(40, 50, "The gazette of the whole river", { size: 20 }), ...words],
  });
  expect(markdown).not.toMatch(/\||<table/);
  for (const lines of columns) expect(markdown.replaceAll(/\s+/g, " ")).toContain(lines.join(" "));
});

test("cells that begin below each other stay a table, though each row reaches from edge to edge", () => {
  const rows = [
    ["Harbour", "12.40", "open"],
    ["North gate", "8.15", "shut"],
    ["Mill", "127.00", "shut"],
    ["Upper lock", "3.20", "open"],
    ["Quarry", "44.90", "shut"],
  ];
  const words = rows.flatMap(([name = "", amount = "", state = ""], at) => [
    ...wordsAt(40, 80 + 12 * at, name),
    ...wordsAt(180 - 5 * amount.length, 80 + 12 * at, amount),
    ...wordsAt(240, 80 + 12 * at, state),
  ]);
  expect(markdownOf({ words })).toContain("| North gate | 8.15 | shut |");
});

describe("labels stay beside their values", () => {
  const block = (x: number, y: number, pairs: readonly (readonly [string, string])[]) =>
    pairs.flatMap(([label, value], at) => [
      ...wordsAt(x, y + 12 * at, label),
      ...wordsAt(x + 90, y + 12 * at, value),
    ]);

  test.each([
    [
      "Latin",
      [
        ["Name:", "Gull rowing club"],
        ["Billing contact:", "Per Lind"],
        ["Since:", "2019-05-04"],
      ],
    ],
    [
      "Cyrillic",
      [
        ["Имя:", "Лодочный клуб"],
        ["Договор:", "KX-1550"],
        ["Сумма:", "387.64"],
      ],
    ],
    [
      "Japanese",
      [
        ["名前：", "港の倉庫"],
        ["日付：", "2024-03-01"],
        ["番号：", "AB-12"],
      ],
    ],
  ] as const)("two blocks, one half a line lower, above a heading and a table: %s", (_script, pairs) => {
    const rows = ["Oars 4 12.00", "Ropes 12 8.40", "Lamps 3 99.10"].flatMap((row, at) =>
      row.split(" ").flatMap((cell, column) => wordsAt(40 + 150 * column, 170 + 14 * at, cell)),
    );
    const words = [
      ...wordsAt(40, 60, "Harbour office"),
      ...wordsAt(40, 80, "Pier road"),
      ...block(300, 66, pairs),
      ...wordsAt(40, 140, "Order", { size: 18 }),
      ...rows,
    ];
    const markdown = markdownOf({ words });
    const lines = pairs.map(([label, value]) => `- ${label} ${value}`);
    const order = ["Harbour office", ...lines, "# Order", "| Oars | 4 | 12.00 |"];
    const places = order.map((text) => markdown.indexOf(text));
    expect(places).toEqual(places.toSorted((a, b) => a - b));
    expect(places[0]).toBeGreaterThanOrEqual(0);
  });

  test("further lines of a value belong to it; a label beside running text is none", () => {
    const pairs = block(40, 60, [
      ["Name:", "Gull"],
      ["Contact:", "Per Lind"],
    ]);
    const more = linesAt(130, 84, ["4 Pier Road", "Nordhaven 04021"]);
    const margin = [...wordsAt(40, 200, "Summary:"), ...linesAt(130, 200, proseLines(4))];
    const markdown = markdownOf({ words: [...pairs, ...more, ...margin] });
    expect(markdown).toContain("- Contact: Per Lind 4 Pier Road Nordhaven 04021");
    expect(markdown).not.toContain("Summary: lorem");
  });
});

test("heads at the left of their cells are the heads of figures at the right", () => {
  const ends = [40, 300, 380, 460];
  const rows = [
    "Bow 6 968.80 778.72",
    "Stern 16 426.33 321.92",
    "Keel 5 303.52 542.73",
    "Mast 17 844.97 50.51",
  ];
  const body = rows.flatMap((row, line) =>
    row
      .split(" ")
      .flatMap((cell, at) =>
        wordsAt((ends[at] ?? 0) - (at > 0 ? 5 * cell.length : 0), 100 + 14 * line, cell),
      ),
  );
  const heads = [40, 250, 303, 383].flatMap((x, at) =>
    wordsAt(x, 84, ["Part", "Count", "Price", "Total"][at] ?? "", { isBold: true }),
  );
  const markdown = markdownOf({ words: [...heads, ...body] });
  expect(markdown.replaceAll("*", "")).toContain("| Part | Count | Price | Total |");
});

test("boxes of a page are no cells where text stands beside text in one of them", () => {
  const keys = ["Roles and duties", "of all keepers", "Rows of the list", "Columns of the list"].flatMap(
    (text, at) => linesAt(40, 230 + 24 * at, [text]),
  );
  const words = [
    ...keys,
    ...linesAt(160, 230, filled(sentence("Crew", 7), 44)),
    ...linesAt(420, 230, ["All papers", "of the office"]),
    ...linesAt(420, 320, filled(sentence("Keeper", 3), 22)),
    ...wordsAt(160, 620, "Number 5110"),
  ];
  const rulings = [
    ...[210, 290, 600, 700].map((y) => across(y, y === 290 ? 410 : 0, 600)),
    ...[410, 600].map((x) => ({ isHorizontal: false as const, x, y0: 210, y1: 700 })),
  ];
  const markdown = markdownOf({ words, rulings });
  expect(markdown).not.toMatch(/\||<table/);
  expect(markdown.replace(/\s+/g, " ")).toContain(
    "Crew 0 went down to the river and came back again. Crew 1 went",
  );
});

describe("notes at the right edge", () => {
  const right = (y: number, text: string) => {
    const words = wordsAt(0, y, text);
    const end = words.at(-1)?.x1 ?? 0;
    return words.map((word) => ({ ...word, x0: word.x0 + 550 - end, x1: word.x1 + 550 - end }));
  };
  const questions = ["Name the unit of force.", "Say why a boat of oak floats on the river.", "Draw a lock."];
  const page = (notes: readonly string[]) => [
    ...questions.flatMap((text, at) => [
      ...wordsAt(50, 150 + 60 * at, text),
      ...right(150 + 60 * at, notes[at] ?? ""),
    ]),
    ...linesAt(50, 350, filled(sentence("Crew", 4), 90)),
  ];

  test("go on with the lines of text before them", () => {
    expect(markdownOf({ words: page(["(1 mark)", "(4 marks)", "(2 marks)"]) })).toContain(
      "Name the unit of force. (1 mark)\n\nSay why a boat of oak floats on the river. (4 marks)",
    );
  });

  test("are no texts of a column beside the other", () => {
    const markdown = markdownOf({ words: page(["Northam School", "Brackwater", "Mill Hall"]) });
    expect(markdown).not.toContain("force. Northam");
  });
});
