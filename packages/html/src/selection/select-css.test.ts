import { describe, expect, test } from "vitest";

import { parseHtml } from "../parser/parse.ts";
import { selectCss } from "./select-css.ts";

const PAGE =
  parseHtml(`<html lang=en-GB><body><ul id=a><li class="x y">1</li> <li>2</li><li class=z>3</li></ul>
  <div><p>4</p>text<p data-q="r s">5</p><a href="/b#c">6</a><p></p></div><x-tab>7</x-tab><iframe src=f></iframe></body>`);

function texts(selector: string): string {
  return selectCss(PAGE, selector)
    .map((node) => PAGE.textContent(node))
    .join();
}

describe("matches, in document order", () => {
  test.each([
    ["li", "1,2,3"],
    ["LI", "1,2,3"],
    [".x.y", "1"],
    ["#a .z", "3"],
    ["ul > li + li", "2,3"],
    [".x ~ li", "2,3"],
    ["li:not(.x)", "2,3"],
    ["a, .z, li", "1,2,3,6"],
    ["[data-q]", "5"],
    ["[data-q~=s]", "5"],
    ['a[href^="/b" i]', "6"],
    ["x-tab", "7"],
    ["div:has(> a) a", "6"],
    ["p:contains(4)", "4"],
    ["li:is(.x, .z)", "1,3"],
    ["li:first-child", "1"],
    ["li:last-child", "3"],
    ["p:first-of-type", "4"],
    ["a:only-of-type", "6"],
    ["li:nth-child(2)", "2"],
    ["li:nth-child(odd)", "1,3"],
    ["li:nth-child(-n+2)", "1,2"],
    ["li:nth-child( 2n + 1 )", "1,3"],
    ["li:nth-last-child(1)", "3"],
    ["p:nth-of-type(2)", "5"],
    ["div > :nth-child(3)", "6"],
    ["p:nth-last-of-type(3)", "4"],
    ["li:nth-child(1 of .z)", "3"],
    ["p:empty", ""],
    ["li:lang(en)", "1,2,3"],
  ])("%s", (selector, expected) => {
    expect(texts(selector)).toBe(expected);
  });

  test("iframe", () => {
    expect(selectCss(PAGE, "iframe")).toHaveLength(1);
  });
});

test.each(["", " ", "li[", "::x", ":none(", "li:nth-child(foo)", "a|b", "> li >", `#a${"x".repeat(500)}`])(
  "an invalid selector matches nothing: %j",
  (selector) => {
    expect(selectCss(PAGE, selector)).toEqual([]);
  },
);

describe("hostile pages", () => {
  const siblings = parseHtml(`<ul>${"<li>x</li>".repeat(100_000)}</ul>`);

  test.each([
    ["li:nth-child(3n)", 33_333],
    ["li:nth-last-child(1)", 1],
    ["li:first-of-type", 1],
    ["li:last-child", 1],
    ["li + li", 99_999],
    ["li ~ li", 99_999],
    ["b ~ li", 0],
    ["ul:has(li) > li", 100_000],
  ])("%s among 100,000 siblings", (selector, count) => {
    expect(selectCss(siblings, selector)).toHaveLength(count);
  });

  test("a selector that would try every path up a deep page gives up", () => {
    const deep = parseHtml("<div>".repeat(500));
    expect(selectCss(deep, `b${" div".repeat(100)}`)).toEqual([]);
  });
});
