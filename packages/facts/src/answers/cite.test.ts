import { expect, test } from "vitest";

import { citationsOf } from "./cite.ts";

const PAGE = [
  "# Slopes",
  "",
  "The north slope grew 4.1 mm in 2026. The south slope did not grow.",
  "",
  "| Slope | Growth |",
  "| --- | --- |",
  "| West | 2.3 mm |",
].join("\n");

function cited(text: string) {
  return citationsOf(text, PAGE).map(({ start, end, line }) => [line, PAGE.slice(start, end)]);
}

test("a sentence that stands on the page is cited as it stands", () => {
  expect(cited("The south slope did not grow.")).toEqual([[3, "The south slope did not grow."]]);
});

test("an answer in other words is traced to the line with most of them", () => {
  expect(cited("In 2026 the northern slope grew by 4.1 mm. West grew 2.3 mm.")).toEqual([
    [3, "The north slope grew 4.1 mm in 2026."],
    [7, "| West | 2.3 mm |"],
  ]);
});

test.each(["Nobody knows anything about lichens here.", "", "\n\n"])("nothing is cited for %j", (text) => {
  expect(cited(text)).toEqual([]);
});
