import { describe, expect, test } from "vitest";

import { findFlaws, PAGE, turn, TYPES } from "../../../test/damaged-page.ts";
import { parseHtml } from "./parser/parse.ts";
import { selectMainContent } from "./main-content/select.ts";
import { isEmpty, selectAll } from "./selection/selection.ts";
import { toMarkdown } from "./markdown/convert.ts";

/** `npm run soak -- pages` has five thousand. */
const SEEDS = 100;

describe("a page that is damaged at random", () => {
  test("never throws, and gives clean Markdown", () => {
    for (let seed = 1; seed <= SEEDS; seed++) expect(findFlaws(seed)).toEqual([]);
  });

  test("also when it is read in an encoding it is not written in", () => {
    for (const type of TYPES) {
      for (const encoding of ["utf8", "utf16le", "latin1"] as const) {
        expect(() => turn(Buffer.from(PAGE, encoding), type)).not.toThrow();
      }
    }
  });
});

describe("what a hostile page repeats a hundred thousand times", () => {
  test.each([
    ["spans that touch", "<span>Ab</span>"],
    ["superscripts behind digits", "<sup>1</sup>"],
    ["images without an address of their own", "<img data-x-src='a b' src=blank.gif><noscript></noscript>"],
    ["links to the page itself", "<a href=page#x>a</a>"],
    ["lines of code", "<code><span class=line></span></code>"],
    ["asterisks", "*"],
    ["brackets", "[("],
    ["numbered items", "<li value=3>"],
  ])("%s is done in time", (_, piece) => {
    const tree = parseHtml(`<p>1${piece.repeat(100_000)}`);
    expect(toMarkdown(selectAll(tree), "https://example.test/dir/page")).not.toBe("");
  });

  test("without a space has main content", () => {
    const whole = selectAll(parseHtml(`<p>${"漢".repeat(5_000_000)}`));
    expect(isEmpty(selectMainContent(whole, "https://example.test/"))).toBe(false);
  });

  test("in one attribute is done in time", () => {
    const tree = parseHtml(`<img alt=a src=blank.gif data-img-src="${"a.png?".repeat(500_000)}'">`);
    expect(toMarkdown(selectAll(tree), "https://example.test/dir/page")).toContain("![a](");
  });
});
