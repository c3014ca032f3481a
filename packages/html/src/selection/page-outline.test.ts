import { describe, expect, test } from "vitest";

import { baseUrlOf } from "./base-url.ts";
import { outlinePage } from "./page-outline.ts";
import { parseHtml } from "../parser/parse.ts";

const PAGE = "http://site.test/docs/start";

function outline(html: string) {
  const tree = parseHtml(html);
  return outlinePage(tree, baseUrlOf(tree, PAGE));
}

const links = (html: string) => outline(html).links;

describe("the links of a page", () => {
  test("are those of its navigation, footer and image maps, too", () => {
    const html = `<nav><a href=/a>a</a></nav><main><a href="b">b</a></main><map><area href="c"></map><footer><a href=/a>a</a></footer>`;
    expect(links(html)).toEqual(["http://site.test/a", "http://site.test/docs/b", "http://site.test/docs/c"]);
  });

  test("count that are not to be followed", () => {
    expect(links(`<meta name=robots content="nofollow"><a rel="nofollow" href="/a">a</a>`)).toEqual([
      "http://site.test/a",
    ]);
  });

  test("have no fragments, and are of the web", () => {
    const html = `<a href="/a#b">1</a><a href="/a#c">2</a><a href="#top">3</a><a href="mailto:a@b.cd">4</a>
      <a href="javascript:void 0">5</a><a href="">6</a><a>7</a><a href="http://[">8</a><a href="//other.test/x">9</a>`;
    expect(links(html)).toEqual(["http://site.test/a", "http://other.test/x"]);
  });

  test("keep fragments that scripts read as addresses", () => {
    const html = `<a href="#/a">1</a><a href="/app#!b">2</a><a href="#/a">3</a><a href="#/">4</a>`;
    expect(links(html)).toEqual(["http://site.test/docs/start#/a", "http://site.test/app#!b"]);
  });

  test.each([
    ["another folder", "/other/", "http://site.test/other/a"],
    ["another host", "https://other.test/x/y", "https://other.test/x/a"],
    ["no web address", "data:text/html,x", "http://site.test/docs/a"],
    ["a script", "javascript:alert(1)", "http://site.test/docs/a"],
    ["no address", "http://[", "http://site.test/docs/a"],
  ])("count from the base, where that is %s", (_name, base, link) => {
    expect(links(`<base href="${base}"><base href="http://second.test/"><a href="a">a</a>`)).toEqual([link]);
  });

  test("are not what scripts, styles, texts and heads name", () => {
    const html = `<link rel=next href=/a><script>location="/b"</script><div onclick="location='/c'">http://site.test/d</div>
      <template><a href=/e>e</a></template><form action=/f></form><iframe src=/g></iframe>`;
    expect(links(html)).toEqual([]);
  });

  test("end somewhere", () => {
    const many = Array.from({ length: 10_010 }, (_, index) => `<a href=/${index}>`).join("");
    expect(links(many)).toHaveLength(10_000);
  });
});

test("texts that differ in numbers alone have one hash", () => {
  const month = (name: string) => outline(`<title>x</title><h1>${name}</h1><p>No  entries</p>`).textHash;
  expect(month("Month 12")).toBe(month("Month 1"));
  expect(month("Month 12")).not.toBe(month("Year 12"));
});
