import { expect, test } from "vitest";

import { htmlToMarkdown } from "../index.ts";

const PROSE =
  "<p>The slip behind the chandlery was rebuilt over two winters, with oak sleepers from a siding.</p>".repeat(
    4,
  );

function isShown(style: string, part: string): boolean {
  const html = `<head>${style}</head><main><h1>Slip</h1>${PROSE}${part}${PROSE}</main>`;
  const shown = [true, false].map((onlyMainContent) =>
    htmlToMarkdown(html, { onlyMainContent }).includes("Draft of it"),
  );
  expect(shown[0]).toBe(shown[1]);
  return shown[0] === true;
}

const draft = (attributes: string): string =>
  `<div ${attributes}><p>Draft of it, to be checked before it is printed.</p></div>`;

test.each([
  ["by a class", "<style>.a{display:none}</style>", draft("class='x a'")],
  ["by an id, in another case", "<style>#n { DISPLAY : NONE !important }</style>", draft("id=n")],
  ["out of sight", "<style>i,.a{visibility:hidden;color:red}</style>", draft("class=a")],
  [
    "below another element",
    "<style>main .b > .a{display:none}</style>",
    `<section class=b>${draft("class=a")}</section>`,
  ],
  ["by an element's name", "<style>div.a{display:none}</style>", draft("class=a")],
  ["after it was shown", "<style>.a{display:block}.a{display:none}</style>", draft("class=a")],
  ["on screens", "<style media=screen>@media screen{.a{display:none}}</style>", draft("class=a")],
  ["behind comments", "<style>/* {} */ .c{}/**/.a/*x*/{display:none}</style>", draft("class=a")],
])("hidden %s", (_, style, part) => {
  expect(isShown(style, part)).toBe(false);
});

test.each([
  ["another class", "<style>.b{display:none}</style>", draft("class=a")],
  [
    "another place",
    "<style>nav .a, .b > .a{display:none}</style>",
    `<section class=b><div>${draft("class=a")}</div></section>`,
  ],
  ["a state", "<style>.a:hover, .a::before, .a[open]{display:none}</style>", draft("class=a")],
  ["narrow windows alone", "<style>@media (max-width:600px){.a{display:none}}</style>", draft("class=a")],
  [
    "print alone",
    "<style media=print>.a{display:none}</style><style>@media print{.a{display:none}}</style>",
    draft("class=a"),
  ],
  [
    "wide windows show it",
    "<style>.a{display:none}@media (min-width:600px){.a{display:block}}</style>",
    draft("class=a"),
  ],
  ["a state shows it", "<style>.a{display:none}.a.is-open{display:block}</style>", draft("class=a")],
  ["its parent's state shows it", "<style>.a{display:none}.open .a{display:flex}</style>", draft("class=a")],
  [
    "a class for wide windows shows it",
    "<style>.a{display:none}@media (min-width:600px){.md\\:b{display:block}}</style>",
    draft("class='a md:b'"),
  ],
  ["a later class shows it", "<style>.a{display:none}.b{display:block}</style>", draft("class='a b'")],
  ["its own style shows it", "<style>.a{display:none}</style>", draft("class=a style='display:block'")],
  ["a button opens it", "<style>.a{display:none}</style>", `<button>More</button>${draft("class=a")}`],
  [
    "a title opens it",
    "<style>.a{display:none}</style>",
    `<div onclick=go()>More</div>\n${draft("class=a")}`,
  ],
  ["for browsers without scripts", "<noscript><style>.a{display:none}</style></noscript>", draft("class=a")],
  ["unfinished", "<style>.a{display:none</style>", draft("class=b")],
])("not hidden: %s", (_, style, part) => {
  expect(isShown(style, part)).toBe(true);
});

test("a page that scripts show is read as a whole", () => {
  const html = `<style>.late{visibility:hidden}</style><div class=late>${PROSE}</div><p>Loading</p>`;
  expect(htmlToMarkdown(html)).toContain("The slip behind");
});

test("what is seen stays where a hidden part says it first", () => {
  const text =
    "<p>Crews train on the canal when the wind comes from the north-east, and walk their boats round.</p>";
  const html = `<style>.teaser{display:none}</style><main><div class=teaser>${text}</div>${PROSE}<section>${text}</section></main>`;
  expect(htmlToMarkdown(html).split("Crews train")).toHaveLength(2);
});

test.each([
  ["rules", `.a{display:none}`.repeat(600_000)],
  ["selectors", `${".a ".repeat(100)}.b,`.repeat(30_000)],
  ["braces", "{".repeat(3_000_000)],
  ["comments", "/*".repeat(2_000_000)],
  ["at-rules", "@media screen{".repeat(300_000)],
])("10 MB of %s are read in time", (_, sheet) => {
  const before = process.cpuUsage();
  htmlToMarkdown(`<style>display:none ${sheet}</style>${draft("class=b").repeat(2000)}${PROSE}`);
  expect(process.cpuUsage(before).user / 1000).toBeLessThan(10_000);
});
