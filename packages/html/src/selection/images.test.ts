import { expect, test } from "vitest";

import { collectImages } from "./images.ts";
import { parseHtml } from "../parser/parse.ts";
import { selectCss } from "./select-css.ts";
import { selectAll, without } from "./selection.ts";

/** Addresses below http://x.test/, without it. */
function images(html: string): string[] {
  const found = collectImages(selectAll(parseHtml(html)), "http://x.test/");
  return found.map((url) => url.replace("http://x.test/", ""));
}

test.each([
  ["src and data-src", "<img src=a data-src=b>", ["a", "b"]],
  ["every candidate", "<img src=a srcset='b 2x, c 3x' data-srcset='d 9w'>", ["a", "b", "c", "d"]],
  ["sources of a picture", "<picture><source srcset='a 1x, b 2x'><img src=c></picture>", ["a", "b", "c"]],
  ["sources of a player are none", "<video poster=a><source src=b srcset=c></video>", ["a"]],
  [
    "backgrounds",
    `<p style="background: url( 'a b' ), url(c)"><p style='background-image:url("d")'>`,
    ["a%20b", "c", "d"],
  ],
  ["other styles", "<p style='list-style:url(a)'>", []],
  [
    "data and blob, but no script",
    "<img src='data:image/gif;base64,R0'><img src='javascript:x'><img src='blob:http://y.test/1'>",
    ["data:image/gif;base64,R0", "blob:http://y.test/1"],
  ],
  ["each once", "<img src=a><img src=/a><img src=' '>", ["a"]],
])("%s", (_name, html, expected) => {
  expect(images(html)).toEqual(expected);
});

test.each([
  "<meta property=og:image content=a>",
  "<meta property=og:image:url content=a>",
  "<meta property=og:image:secure_url content=a>",
  "<meta name=twitter:image content=a>",
  "<meta name=Twitter:Image:Src content=a>",
  "<meta itemprop=image content=a>",
  "<link rel=icon href=a>",
  "<link rel='shortcut icon' href=a>",
  "<link rel=apple-touch-icon href=a>",
  "<link rel=image_src href=a>",
])("metadata: %s", (html) => {
  expect(images(`<html><head>${html}</head><body></body></html>`)).toEqual(["a"]);
});

test("document order: metadata first", () => {
  expect(
    images("<html><head><meta property=og:image content=b></head><body><img src=a></body></html>"),
  ).toEqual(["b", "a"]);
});

test("shown images come from the selection only", () => {
  const page = selectAll(parseHtml("<nav><img src=a></nav><img src=b>"));
  const narrowed = without(page, selectCss(page.tree, "nav"));
  expect(collectImages(narrowed, "http://x.test/")).toEqual(["http://x.test/b"]);
});

test("a style of a million addresses", () => {
  expect(images(`<p style="background:${"url(".repeat(1_000_000)}">`).length).toBeLessThanOrEqual(100);
});
