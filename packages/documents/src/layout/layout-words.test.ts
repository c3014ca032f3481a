import { describe, expect, test } from "vitest";

import { linesAt, pdfPage, proseLines, wordsAt } from "../../../../test/pdf-pages.ts";
import { writeMarkdown } from "../blocks/blocks-markdown.ts";
import { layOut } from "./document.ts";
import { draftPage } from "./draft.ts";
import type { Look, PdfPage } from "./page/page.ts";

function convert(...pages: readonly PdfPage[]) {
  return writeMarkdown(layOut(pages.map(draftPage), []), { pageMarkers: false });
}

/** Paragraphs one below the other, with white between them. */
function paragraphsAt(y: number, texts: readonly string[]) {
  return texts.flatMap((text, at) => wordsAt(50, y + 30 * at, text));
}

describe("labels", () => {
  test.each([
    "J. Doe and T. Lewandowski wrote this report.",
    "V. Putin met the delegation in the morning.",
    "I. INTRODUCTION",
    "A. Experimental setup",
    "i) only one point was raised",
    "o bien se queda todo como estaba",
  ])("a line keeps its first word: %s", (line) => {
    const words = [...paragraphsAt(100, [line]), ...linesAt(50, 200, proseLines(6))];
    expect(convert(pdfPage({ words })).markdown).toContain(line);
  });

  test("letters and numerals that count on are list items, and stay", () => {
    const items = ["(a) The first reason given.", "(b) The second reason given.", "(c) The third."];
    const words = [...linesAt(50, 100, proseLines(4)), ...paragraphsAt(200, items)];
    const { markdown } = convert(pdfPage({ words }));
    for (const item of items) expect(markdown).toContain(`- ${item}`);
  });

  test("a series may be interrupted, and goes over pages", () => {
    const items = ["iii. The third rule is this.", "iv. The fourth rule is that."];
    const pages = items.map((item, at) =>
      pdfPage({ number: at + 1, words: [...linesAt(50, 100, proseLines(4)), ...paragraphsAt(200, [item])] }),
    );
    for (const item of items) expect(convert(...pages).markdown).toContain(`- ${item}`);
  });

  test("initials in any order are no list", () => {
    const words = paragraphsAt(100, ["T. Lewandowski, Warsaw", "A. Doe, London", "M. Rossi, Turin"]);
    expect(convert(pdfPage({ words })).markdown).not.toContain("- ");
  });
});

describe("words at the edges of pages", () => {
  const text = linesAt(50, 300, proseLines(8));

  test("the letterhead of the only page stays, its bare number does not", () => {
    const words = [
      ...wordsAt(50, 30, "PORT AUTHORITY OF VIANA"),
      ...text,
      ...wordsAt(50, 750, "Registered office: 12 Quay Street"),
      ...wordsAt(300, 785, "1"),
    ];
    const { markdown } = convert(pdfPage({ words }));
    expect(markdown).toContain("PORT AUTHORITY OF VIANA");
    expect(markdown).toContain("Registered office: 12 Quay Street");
    expect(markdown).not.toMatch(/^1$/m);
  });

  test("what stands at the edge of one page of several stays; what repeats does not", () => {
    const pages = [1, 2, 3, 4].map((number) =>
      pdfPage({
        number,
        words: [
          ...wordsAt(50, 30, `Annual report ${2020 + number}`),
          ...text,
          ...(number === 2 ? wordsAt(50, 775, "Draft for comment only") : []),
        ],
      }),
    );
    const { markdown } = convert(...pages);
    expect(markdown).toContain("Draft for comment only");
    expect(markdown).not.toContain("Annual report");
  });

  test("numbers that count the pages are left out wherever they stand", () => {
    const pages = [1, 2].map((number) =>
      pdfPage({
        number,
        words: [...text, ...wordsAt(number % 2 ? 550 : 50, number % 2 ? 785 : 770, `${number + 6}`)],
      }),
    );
    expect(convert(...pages).markdown).not.toMatch(/^[78]$/m);
  });
});

test("square letters of a fixed width are text, and letters of a program beside them are code", () => {
  const square: Partial<Look> = { isMonospaced: true, font: "IPAGothic" };
  const typed: Partial<Look> = { isMonospaced: true, font: "Courier" };
  const words = [
    ...wordsAt(50, 100, "港の信号と番人が橋を帳簿に渡し舟と運ぶ。", square),
    ...wordsAt(50, 150, "def fill(lock, level):", typed),
    ...wordsAt(70, 162, "while lock.level < level:", typed),
    ...wordsAt(90, 174, "lock.open(gate=1)", typed),
    ...wordsAt(50, 220, "事務所で橋を北の港の川の運ぶ冬に番人が。", square),
  ];
  expect(convert(pdfPage({ words })).markdown).toBe(
    [
      "港の信号と番人が橋を帳簿に渡し舟と運ぶ。",
      "```\ndef fill(lock, level):\n    while lock.level < level:\n        lock.open(gate=1)\n```",
      "事務所で橋を北の港の川の運ぶ冬に番人が。",
    ].join("\n\n"),
  );
});

test("a last line is no value of a label that ends a text in the column beside it", () => {
  const left = ["The bridge is checked each day in", "year, and below:"];
  const right = ["All of them are told of it in writing", "when it opens again."];
  const words = [...linesAt(50, 100, left), ...linesAt(262, 100, right)];
  const { markdown } = convert(pdfPage({ words }));
  expect(markdown).not.toContain("below: when");
});

test("words in Greek are text, and Greek letters among signs are a formula", () => {
  const texts = ["Κοντα στη γεφυρα", "α + β = γ"];
  const words = [...paragraphsAt(100, texts), ...linesAt(50, 200, proseLines(6))];
  const [page] = layOut([draftPage(pdfPage({ words }))], []);
  expect(page?.blocks.slice(0, 2).map(({ type }) => type)).toEqual(["text", "formula"]);
});

test("two dates with a dash between are read from the right on pages that are", () => {
  const prose = ["גשר ישן שומר על נהר שקט", "בעמק רחב ליד משרד קטן של אבן"].flatMap((text, at) =>
    wordsAt(300, 100 + 12 * at, text.split(" ").toReversed().join(" ")),
  );
  const dates = (text: string) => convert(pdfPage({ words: [...prose, ...wordsAt(60, 200, text)] })).markdown;
  expect(dates("31/10/2026 – 01/10/2026")).toContain("01/10/2026 – 31/10/2026");
  expect(dates("+44 20 118")).toContain("+44 20 118");
});

test("numbers of items on lines of their own go on with the text below", () => {
  const items = ["Between the weirs", "Keeper of the lock"].flatMap((text, at) => [
    ...wordsAt(50, 100 + 28 * at, `${at + 1}.`),
    ...wordsAt(64, 114 + 28 * at, text),
  ]);
  const words = [...items, ...linesAt(50, 200, proseLines(6))];
  expect(convert(pdfPage({ words })).markdown).toMatch(/^1\. Between the weirs\n2\. Keeper of the lock\n/);
});

test("capitals set apart are words, and names of columns are not", () => {
  const apart = (text: string) =>
    text.split("").flatMap((letter, at) => (letter === " " ? [] : wordsAt(50 + 9 * at, 100, letter)));
  const shown = (text: string) =>
    convert(pdfPage({ words: [...apart(text), ...linesAt(50, 130, proseLines(6))] })).markdown;
  expect(shown("STARTERS AND SOUPS")).toContain("STARTERS AND SOUPS");
  expect(shown("ABCDEF")).toContain("A B C D E F");
});
