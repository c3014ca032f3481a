import { beforeAll, describe, expect, test } from "vitest";

import { type PdfSource, textLines, textPage, writePdf } from "../../../../test/pdf-writer.ts";
import type { PdfPage, Word } from "../layout/page/page.ts";
import { KnownFonts } from "./looks.ts";
import type { Pdfium } from "./library.ts";
import { openPdfReader, type PdfReader, UnreadablePdf } from "./reader.ts";

let reader: PdfReader;

beforeAll(async () => {
  reader = await openPdfReader();
});

function pageOf(source: PdfSource, number = 1): PdfPage {
  const pdf = reader.open(writePdf(source));
  try {
    return pdf.page(number);
  } finally {
    pdf.close();
  }
}

const onePage = (content: string, rest: object = {}) => pageOf({ pages: [{ content, ...rest }] });

function wordOf(page: PdfPage, text: string): Word {
  const word = page.words.find((one) => one.text === text);
  if (!word) throw new Error(`There is no word ${text} in: ${page.words.map((one) => one.text).join(" ")}`);
  return word;
}

const texts = ({ words }: PdfPage) => words.map(({ text }) => text).join(" ");

describe("what a page does not show", () => {
  const layered =
    "/OC /L1 BDC BT /F1 12 Tf 72 700 Td (Shown) Tj ET EMC /OC /L2 BDC BT /F1 12 Tf 72 600 Td (Secret) Tj ET EMC";

  test.each([
    ["of a layer that is off is absent", [true, false], "Shown"],
    ["of layers that are on is there", [true, true], "Shown Secret"],
  ])("%s, with a form on the page and without", (_what, layers, shown) => {
    expect(texts(pageOf({ pages: [{ content: layered }], layers }))).toBe(shown);
    const fields = [{ text: "Value", x: 72, y: 500 }];
    expect(texts(pageOf({ pages: [{ content: layered, fields }], layers }))).toBe(`${shown} Value`);
  });

  test("text of a scan, which is invisible, is there, whatever layer it is in", () => {
    const content = "/OC /L1 BDC BT 3 Tr /F1 12 Tf 72 700 Td (Recognised) Tj ET EMC";
    expect(texts(pageOf({ pages: [{ content }], layers: [true] }))).toBe("Recognised");
  });
});

test("boxes of a form are signs before their labels, whatever letters draw them", () => {
  const content = textLines(["Member", "Guest"]);
  const checkBoxes = [
    { isChecked: true, x: 200, y: 718 },
    { isChecked: false, x: 50, y: 701 },
  ];
  const { words } = onePage(content, { checkBoxes });
  const read = words.toSorted((a, b) => Math.round(a.base / 8) - Math.round(b.base / 8) || a.x0 - b.x0);
  expect(read.map(({ text }) => text)).toEqual(["☒", "Member", "☐", "Guest"]);
});

test.each([
  ["two below each other are bullets of what they stand before", [58, 58], "• North • South"],
  ["one alone is a drawing", [58, 20], "North South"],
  ["those between words are drawings", [86, 86], "North South"],
])("small discs: %s", (_what, places, read) => {
  const discs = places.map((x, at) => {
    const y = 703 - 20 * at;
    const [left, right, low, high] = [x, x + 4, y, y + 4];
    return `${left} ${y + 2} m ${left} ${high} ${left} ${high} ${x + 2} ${high} c ${right} ${high} ${right} ${high} ${right} ${y + 2} c ${right} ${low} ${right} ${low} ${x + 2} ${low} c ${left} ${low} ${left} ${low} ${left} ${y + 2} c h f`;
  });
  const lines = ["North", "South"].map((word, at) => `BT /F1 10 Tf 72 ${700 - 20 * at} Td (${word}) Tj ET`);
  const after =
    places[0] === 86 ? ["BT /F1 10 Tf 110 700 Td (up) Tj ET BT /F1 10 Tf 110 680 Td (up) Tj ET"] : [];
  const { words } = onePage([...lines, ...after, ...discs].join("\n"));
  const shown = words.filter(({ text }) => text !== "up").toSorted((a, b) => a.base - b.base || a.x0 - b.x0);
  expect(shown.map(({ text }) => text).join(" ")).toBe(read);
});

describe("the words of a page", () => {
  test("come in order, with their boxes from the top left corner", () => {
    const page = onePage(textLines(["Reading pages", "of files"]));
    expect(page.words.map(({ text }) => text)).toEqual(["Reading", "pages", "of", "files"]);
    const { x0, x1, y0, y1, base } = wordOf(page, "Reading");
    expect(base).toBeCloseTo(792 - 720, 1);
    expect(x0).toBeCloseTo(72, 0);
    expect(x1 - x0).toBeGreaterThan(30);
    expect(y0).toBeLessThan(base);
    expect(y1).toBeGreaterThan(base);
    expect(page).toMatchObject({ number: 1, width: 612, height: 792, unmapped: 0, isCut: false });
    expect(page.glyphs).toBe("Readingpagesoffiles".length);
  });

  test("know their font, size and colour, and share a look when they look alike", () => {
    const page = onePage(
      `1 0 0 rg ${textLines(["red one", "red two"])} 0 g ${textLines(["bold"], { font: "F2", size: 20, top: 300 })} ${textLines(["code"], { font: "F3", top: 200 })}`,
    );
    expect(wordOf(page, "red").look).toMatchObject({
      font: "Helvetica",
      size: 12,
      color: 0xff0000,
      angle: 0,
    });
    expect(wordOf(page, "two").look).toBe(wordOf(page, "red").look);
    expect(wordOf(page, "bold").look).toMatchObject({ isBold: true, size: 20, color: 0, isItalic: false });
    expect(wordOf(page, "code").look).toMatchObject({ isMonospaced: true });
  });

  test("are of a fixed pitch where their font says so and its name does not deny it", () => {
    const page = onePage(
      `${textLines(["prose"], { font: "F4" })} ${textLines(["typed"], { font: "F5", top: 200 })}`,
    );
    expect(wordOf(page, "prose").look.isMonospaced).toBe(false);
    expect(wordOf(page, "typed").look.isMonospaced).toBe(true);
  });

  test("are as large as the matrices draw them", () => {
    const page = onePage(`q 2 0 0 2 0 0 cm BT /F1 7 Tf 20 100 Td (large) Tj ET Q`);
    expect(wordOf(page, "large").look.size).toBeCloseTo(14, 3);
  });

  test("that touch are glued", () => {
    const page = onePage(`BT /F1 12 Tf 72 700 Td (half) Tj /F2 12 Tf (bold) Tj ( apart) Tj ET`);
    expect(wordOf(page, "bold").isGlued).toBe(true);
    expect(wordOf(page, "apart").isGlued).toBe(false);
  });

  const letterAt = (x: number, letter: string) => `1 0 0 1 ${x} 700 Tm (${letter}) Tj`;

  test("whose glyphs have a text of their own have it once, wherever these stand", () => {
    const given = (text: string, ...drawn: readonly string[]) =>
      `/Span<</ActualText (${text})>>BDC ${drawn.join(" ")} EMC`;
    const parts = [
      given("se", letterAt(72, "s"), letterAt(86, ".")),
      letterAt(80, "a"),
      given("ts", letterAt(87, "t"), letterAt(92, "W")),
      letterAt(103, "o"),
    ];
    expect(texts(onePage(`BT /F1 12 Tf ${parts.join(" ")} ET`))).toBe("seatso");
  });

  test("from the left among others from the right are whole", () => {
    const hebrew = Array.from(
      "89ABCDEF",
      (digit, at) => `/Span<</ActualText <FEFF05D${digit}>>>BDC ${letterAt(20 + 5 * at, "i")} EMC`,
    );
    const key = [
      letterAt(72, "C"),
      letterAt(80.7, "t"),
      letterAt(83.6, "-"),
      letterAt(86.6, "A"),
      letterAt(94.6, "2"),
    ];
    expect(texts(onePage(`BT /F1 12 Tf ${[...hebrew, ...key].join(" ")} ET`))).toContain("Ct-A2");
  });

  test("from the right have the letters of one glyph in order, and marks behind their letters", () => {
    const drawn = (x: number, letters: string, rise = 0) =>
      `/Span<</ActualText <FEFF${letters}>>>BDC 1 0 0 1 ${x} ${700 + rise} Tm (o) Tj EMC`;
    const alef = "0627";
    const lamAndAlef = "06440627";
    const glyphs = [
      drawn(100, alef),
      drawn(93.3, lamAndAlef),
      drawn(86.6, "0633064E", 1.5),
      drawn(80, "0645"),
    ];
    expect(texts(onePage(`BT /F1 12 Tf ${glyphs.join(" ")} ET`))).toBe("الاسَم");
  });

  test.each([
    ["f_i f_f_i T_h f_f.liga c_t.alt", ["fi", "ffi", "Th", "ff", "ct"]],
    [
      "uni00660069 u0066_i uni0E4D_uni0E48 f_f f_f f_f f_f f_f s_t",
      ["fi", "fi", "ํ่", "ff", "ff", "ff", "ff", "ff", "st"],
    ],
  ])("of glyphs that are named %s read as their parts", (names, parts) => {
    const glyphNames = names.split(" ");
    const codes = parts.map((_part, at) => `61${(at + 1).toString(16).padStart(2, "0")}61`);
    const content = `BT /F6 12 Tf ${codes.map((code, at) => `1 0 0 1 72 ${700 - 20 * at} Tm <${code}> Tj`).join(" ")} ET`;
    const page = pageOf({ pages: [{ content }], glyphNames });
    expect(page.words.map(({ text }) => text)).toEqual(parts.map((part) => `a${part}a`));
    expect(page.unmapped).toBe(0);
  });

  test("that are not drawn are told", () => {
    const page = onePage(`BT 3 Tr /F1 12 Tf 72 700 Td (behind) Tj ET`);
    expect(wordOf(page, "behind").look.isHidden).toBe(true);
  });

  test.each([
    [90, [0, 1, -1, 0, 300, 400]],
    [-90, [0, -1, 1, 0, 300, 400]],
    [180, [-1, 0, 0, -1, 300, 400]],
  ] as const)("that are turned by %i degrees stay whole", (degrees, matrix) => {
    const page = onePage(`BT /F1 12 Tf ${matrix.join(" ")} Tm (turned words) Tj ET`);
    expect(page.words.map(({ text }) => text)).toEqual(["turned", "words"]);
    const { angle } = wordOf(page, "turned").look;
    expect(Math.cos(angle)).toBeCloseTo(Math.cos((degrees * Math.PI) / 180), 4);
    expect(Math.sin(angle)).toBeCloseTo(Math.sin((degrees * Math.PI) / 180), 4);
  });

  test.each([
    [90, [0, 1, -1, 0, 100, 50], 792, 612],
    [180, [-1, 0, 0, -1, 562, 100], 612, 792],
    [270, [0, -1, 1, 0, 512, 742], 792, 612],
  ] as const)("of a page that is turned by %i degrees are upright", (rotate, matrix, width, height) => {
    const page = onePage(`BT /F1 12 Tf ${matrix.join(" ")} Tm (upright) Tj ET`, { rotate });
    expect(page).toMatchObject({ width, height });
    const { x0, base, look } = wordOf(page, "upright");
    expect(Math.cos(look.angle)).toBeCloseTo(1, 5);
    expect(x0).toBeCloseTo(50, 0);
    expect(base).toBeCloseTo(100, 0);
  });

  test("are placed within the part that is shown", () => {
    const page = onePage(textLines(["inside"], { top: 500 }), { cropBox: [50, 100, 450, 600] });
    expect(page).toMatchObject({ width: 400, height: 500 });
    expect(wordOf(page, "inside").x0).toBeCloseTo(22, 0);
    expect(wordOf(page, "inside").base).toBeCloseTo(100, 0);
  });
});

describe("words that are filled in", () => {
  const filled = {
    content: textLines(["Name:"], { font: "F3", top: 600 }),
    fields: [{ text: "Ada Lovelace", x: 150, y: 595 }],
    cropBox: [50, 100, 450, 700] as const,
  };

  test.each([false, true])("are words of the page, inherited resources: %s", (isInherited) => {
    const page = pageOf({ pages: [filled], isInherited });
    expect(page.words.map(({ text }) => text)).toEqual(["Name:", "Ada", "Lovelace"]);
    expect(wordOf(page, "Name:").look.font).toBe("Courier");
    expect(page).toMatchObject({ width: 400, height: 600 });
    expect(wordOf(page, "Ada").x0).toBeCloseTo(152 - 50, 0);
    expect(wordOf(page, "Ada").base).toBeCloseTo(700 - 600, 0);
  });

  test("leave the links of their page where they are", () => {
    const link = { url: "https://example.test/", box: [72, 600, 172, 620] as const };
    expect(onePage(filled.content, { ...filled, links: [link] }).links).toMatchObject([{ url: link.url }]);
  });
});

describe("what is drawn on a page", () => {
  test("lines and thin boxes are rulings", () => {
    const page = onePage("100 500 m 300 500 l S 100 400 200 1 re f 50 100 m 50 300 l S");
    // A stroke is as wide as its line.
    const rounded = page.rulings.map((ruling) =>
      ruling.isHorizontal
        ? [Math.round(ruling.y), ruling.x0, ruling.x1]
        : [Math.round(ruling.x), ruling.y0, ruling.y1],
    );
    expect(rounded).toEqual([
      [292, 99, 301],
      [392, 100, 300],
      [50, 491, 693],
    ]);
  });

  test("the sides of a box that is drawn are rulings, in forms too", () => {
    const page = onePage("q 1 0 0 1 10 20 cm 100 100 200 50 re S Q");
    expect(page.rulings).toHaveLength(4);
    expect(page.rulings.filter(({ isHorizontal }) => isHorizontal)).toHaveLength(2);
  });

  test("filled boxes and drawings are told apart, white ones too", () => {
    const page = onePage(
      "1 g 10 10 100 50 re f 0.5 g 200 10 100 50 re f 0 0 m 50 90 l 90 40 l 60 20 l 30 70 l 20 10 l 5 8 l f",
    );
    expect(page.boxes.map(({ isWhite, isDrawing }) => [isWhite, isDrawing])).toEqual([
      [true, false],
      [false, false],
      [false, true],
    ]);
    expect(page.boxes[0]?.box.map(Math.round)).toEqual([10, 732, 110, 782]);
  });

  test("pictures have places", () => {
    const picture = { width: 2, height: 2, pixels: new Uint8Array([0, 255, 255, 0]) };
    const page = onePage("q 200 0 0 100 72 600 cm /I1 Do Q", { pictures: [picture] });
    expect(page.images.map((box) => box.map(Math.round))).toEqual([[72, 92, 272, 192]]);
  });

  test("links have places", () => {
    const link = { url: "https://example.test/a?b=(c)", box: [72, 700, 172, 720] as const };
    const page = onePage(textLines(["a link"]), { links: [link] });
    expect(page.links).toEqual([{ url: link.url, box: [72, 72, 172, 92] }]);
  });

  test("is rendered in shades of grey", () => {
    const pdf = reader.open(writePdf({ pages: [{ content: "0 0 306 792 re f", width: 612, height: 792 }] }));
    const { pixels, width, height, dpi } = pdf.render(1, 36);
    pdf.close();
    expect([width, height, dpi, pixels.length]).toEqual([306, 396, 36, 306 * 396]);
    const row = pixels.subarray(100 * width, 101 * width);
    expect([row[10], row[140], row[165], row[300]]).toEqual([0, 0, 255, 255]);
  });
});

describe("what a file says of itself", () => {
  test("its title, its outline and the number of its pages", () => {
    const pages = [textPage("one"), textPage("two"), textPage("three")];
    const outline = [
      { title: "First (1)", page: 1 },
      { title: "Last", page: 3 },
    ];
    const pdf = reader.open(writePdf({ pages, outline, info: { Title: "A file", Author: "Ann" } }));
    expect(pdf.pageCount).toBe(3);
    expect(pdf.metadata()).toEqual({ title: "A file", author: "Ann" });
    expect(pdf.outline()).toEqual([
      { title: "First (1)", page: 1, depth: 1 },
      { title: "Last", page: 3, depth: 1 },
    ]);
    pdf.close();
  });

  test("encrypted files open with the empty password", () => {
    const pages = [{ ...textPage("secret words"), links: [] }];
    expect(pageOf({ pages, password: "" }).words.map(({ text }) => text)).toEqual(["secret", "words"]);
  });

  test.each([
    ["encrypted", writePdf({ pages: [textPage("x")], password: "open sesame" })],
    ["damaged", Buffer.from("%PDF-1.7\nnothing more")],
    ["damaged", Buffer.alloc(0)],
  ])("%s files are refused", (reason, bytes) => {
    expect(() => reader.open(bytes)).toThrow(UnreadablePdf);
    expect(() => reader.open(bytes)).toThrow(expect.objectContaining({ reason }));
  });

  test("a page that is not there is damaged", () => {
    const pdf = reader.open(writePdf({ pages: [textPage("x")] }));
    expect(() => pdf.page(2)).toThrow("Page 2 is damaged.");
    pdf.close();
  });
});

test.each([
  ["GRAPES+Sans-Oblique", 400],
  ["Text,ItalicMT", 400],
  ["Text-SemiboldItalic", 610],
  ["Text-Display", 610],
])("letters of %s have the weight that its name tells, or else the guessed one", (name, weight) => {
  const call = {
    FPDFFont_GetFlags: () => 0,
    FPDFFont_GetWeight: () => 610,
    FPDFFont_GetBaseFontName: () => 0,
  };
  const pdfium = { call, memory: { text: () => name } } as unknown as Pdfium;
  expect(new KnownFonts().read(pdfium, 1).weight).toBe(weight);
});
