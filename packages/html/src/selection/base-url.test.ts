import { describe, expect, test } from "vitest";

import { baseUrlOf, resolveUrl } from "./base-url.ts";
import { parseHtml } from "../parser/parse.ts";

const PAGE_URL = "https://shop.test/a/b?c";

describe("baseUrlOf", () => {
  test.each([
    ["<p>", PAGE_URL],
    ["<base href='/x/'>", "https://shop.test/x/"],
    ["<base target=_top><base href=' y '><base href=/z/>", "https://shop.test/a/y"],
    ["<base href='//cdn.test'>", "https://cdn.test/"],
    ["<base href='javascript:void(0)'>", PAGE_URL],
    ["<base href='data:,x'>", PAGE_URL],
    ["<base href='http://['>", PAGE_URL],
  ])("%s", (html, expected) => {
    expect(baseUrlOf(parseHtml(html), PAGE_URL)).toBe(expected);
  });
});

describe("resolveUrl", () => {
  test.each([
    ["c", "https://shop.test/a/c"],
    [" /c d ", "https://shop.test/c%20d"],
    ["?x=1", "https://shop.test/a/b?x=1"],
    ["#top", "https://shop.test/a/b?c#top"],
    ["//cdn.test/x", "https://cdn.test/x"],
    ["http:/other.test/x", "http://other.test/x"],
    ["https:/shop.test/y", "https://shop.test/y"],
    ["mailto:me@shop.test", "mailto:me@shop.test"],
    ["http://[", undefined],
  ])("%s", (href, expected) => {
    expect(resolveUrl(href, PAGE_URL)).toBe(expected);
  });

  test("against a base that is no URL nothing resolves", () => {
    expect(resolveUrl("x", "")).toBeUndefined();
  });
});
