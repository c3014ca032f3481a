import { describe, expect, test } from "vitest";

import { parseHtml } from "../parser/parse.ts";
import { selectAll } from "../selection/selection.ts";
import { toMarkdown } from "./convert.ts";

/** Markdown of a paragraph of plain text. */
function written(text: string): string {
  const html = text.replaceAll("&", "&amp;").replaceAll("<", "&lt;");
  return toMarkdown(selectAll(parseHtml(`<p>${html}</p>`)), "https://shop.test/");
}

describe("escaped where it would be markup", () => {
  test.each([
    ["<div>", "\\<div>"],
    ["*a*", "\\*a*"],
    ["_a_", "\\_a_"],
    ["a`b", "a\\`b"],
    ["[a](b)", "[a\\](b)"],
    ["~~a~~", "~~a\\~\\~"],
    ["&amp;", "\\&amp;"],
    ["a\\*", "a\\\\*"],
    ["a*b*c", "a\\*b\\*c"],
    ["a (*b", "a (\\*b"],
    ["***", "\\***"],
    ["_ _ _", "\\_ _ _"],
    ["~~~ a", "\\~~~ a"],
    ["# a", "\\# a"],
    ["- a", "\\- a"],
    ["+ a", "\\+ a"],
    ["> a", "\\> a"],
    ["1. a", "1\\. a"],
    ["2) a", "2\\) a"],
    ["---", "\\---"],
    ["[a]: b", "\\[a]: b"],
    ["[x] a", "\\[x] a"],
  ])("%s", (text, expected) => {
    expect(written(text)).toBe(expected);
  });
});

describe("left alone where it is not", () => {
  test.each([
    "a < b > c",
    "3 * 4",
    "snake_case_name",
    "a footnote* here",
    "C*-algebra",
    "fill ____ in",
    "about (~5%)",
    "~30 - ~40",
    "a [b] (c)",
    "AT&T & co",
    "a # b - c + d",
    "#hashtag",
    "-1",
    "1.5",
    "C:\\dir",
    "a ~5 b",
    "a! b",
    "a | b",
    "(a) {b} $5",
  ])("%s", (text) => {
    expect(written(text)).toBe(text);
  });
});

test("beside emphasis, what could close it is escaped too", () => {
  const html = "<p><b>5*</b> and 6*";
  expect(toMarkdown(selectAll(parseHtml(html)), "https://shop.test/")).toBe("**5\\*** and 6\\*");
});

test.each([
  ["Tom & Jerry", "Tom & Jerry"],
  ["a &amp;amp;amp; b", "a \\&amp; b"],
])("a title with %s", (title, expected) => {
  const html = `<a href=/a title="${title}">x</a>`;
  expect(toMarkdown(selectAll(parseHtml(html)), "https://shop.test/")).toBe(
    `[x](https://shop.test/a "${expected}")`,
  );
});

test.each([
  ["snake_case of a.jpeg", "snake_case of a.jpeg"],
  ["a *b* [c]", "a \\*b* \\[c\\]"],
])("alternative text %s", (alt, expected) => {
  const html = `<img src=/a.png alt="${alt}">`;
  expect(toMarkdown(selectAll(parseHtml(html)), "https://shop.test/")).toBe(
    `![${expected}](https://shop.test/a.png)`,
  );
});

test("the start of a line behind a break counts as a line", () => {
  const html = "<p>a<br># b<br>--<br>1. c</p>";
  expect(toMarkdown(selectAll(parseHtml(html)), "https://shop.test/")).toBe("a\\\n\\# b\\\n--\\\n1\\. c");
});
