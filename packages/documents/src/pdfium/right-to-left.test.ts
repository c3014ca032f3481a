import { expect, test } from "vitest";

import { wordsAt } from "../../../../test/pdf-pages.ts";
import type { Word } from "../layout/page/page.ts";
import { joinRightToLeft } from "./right-to-left.ts";

/** Letters of five points each, at these places. */
const drawn = (letters: readonly (readonly [string, number])[]): Word[] =>
  letters.flatMap(([text, x]) => wordsAt(x, 40, text));

test.each([
  [
    "from the right",
    [
      ["כ", 95],
      ["ל", 90],
      ["ט", 80],
      ["ו", 75],
    ],
    ["כל", "טו"],
  ],
  [
    "from the left",
    [
      ["ו", 75],
      ["ט", 80],
      ["ל", 90],
      ["כ", 95],
    ],
    ["טו", "כל"],
  ],
  [
    "with its stop",
    [
      ["כ", 95],
      ["ל", 90],
      [".", 84],
    ],
    ["כל."],
  ],
  [
    "of a number among them",
    [
      ["כ", 95],
      ["3", 80],
      ["1", 70],
      ["2", 75],
    ],
    ["כ", "123"],
  ],
  [
    "of a key among them",
    [
      ["כ", 95],
      ["-", 75],
      ["F", 70],
      ["7", 80],
    ],
    ["כ", "F-7"],
  ],
  [
    "on a page without them",
    [
      ["a", 70],
      ["b", 75],
    ],
    ["a", "b"],
  ],
] as const)("letters that are drawn one by one are one word: %s", (_case, letters, words) => {
  expect(
    joinRightToLeft(drawn(letters))
      .map(({ text }) => text)
      .toSorted(),
  ).toEqual([...words].toSorted());
});

test("letters behind a space that is drawn begin a word, however narrow the gap", () => {
  const letters = drawn([
    ["כ", 95],
    ["ל", 90],
    ["ט", 85],
    ["ו", 80],
  ]).map((word) => (word.text === "ט" ? { ...word, isBehindSpace: true } : word));
  expect(joinRightToLeft(letters).map(({ text }) => text)).toEqual(["כל", "טו"]);
});
