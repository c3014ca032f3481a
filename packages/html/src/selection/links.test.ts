import { expect, test } from "vitest";

import { collectLinks } from "./links.ts";
import { parseHtml } from "../parser/parse.ts";
import { selectAll } from "./selection.ts";

function links(html: string): string[] {
  return collectLinks(selectAll(parseHtml(html)), "https://shop.test/a/b");
}

test.each([
  [" /c ", "https://shop.test/c"],
  ["d?e=1&amp;f", "https://shop.test/a/d?e=1&f"],
  ["https://other.test/#part", "https://other.test/#part"],
  ["//cdn.test/x", "https://cdn.test/x"],
  ["http:/other.test/x", "http://other.test/x"],
  ["https:/other.test/x", "https://other.test/x"],
  ["mailto:me@shop.test", "mailto:me@shop.test"],
])("keeps %s", (href, url) => {
  expect(links(`<a href="${href}">x</a>`)).toEqual([url]);
});

test.each([
  "",
  " ",
  "#",
  "#top",
  "javascript:void(0)",
  " JavaScript:x",
  "tel:+1",
  "data:,x",
  "ftp://x.test/",
  "http://[",
])("leaves out %j", (href) => {
  expect(links(`<a href="${href}">x</a>`)).toEqual([]);
});

test("document order, each once", () => {
  expect(links("<a href=2>a</a><p><a href=1>b</a></p><a href=/a/2>c</a><a>d</a><link href=3>")).toEqual([
    "https://shop.test/a/2",
    "https://shop.test/a/1",
  ]);
});
