import { describe, expect, test } from "vitest";

import { parseHtml } from "../parser/parse.ts";
import { selectAll } from "../selection/selection.ts";
import { TEXT } from "../parser/tree.ts";
import { chooseBlocks } from "./choose.ts";
import { shippedModel } from "./model/model.ts";
import { readPage } from "./tables/page-tables.ts";

const PROSE = "<p>A sentence of the article that says something about it.</p>";

/** The texts that are kept of a page in which each block is as likely as `chanceOf` says. */
function keptTexts(html: string, chanceOf: (text: string) => number): readonly string[] {
  const tree = parseHtml(html);
  const page = readPage(selectAll(tree), "https://site.test/", shippedModel().lexica);
  const texts = Array.from(page.blocks.first, (node) => (tree.tag[node] === TEXT ? tree.text(node) : ""));
  const kept = chooseBlocks(page, Float32Array.from(texts, chanceOf));
  return texts.filter((_, block) => kept[block] === 1 && !texts[block]?.startsWith("A sentence"));
}

function between(parts: string): string {
  return `<main>${PROSE}${parts}${PROSE}<p>Chrome</p>${PROSE}</main>`;
}

/** The parts in question have the chances given, paragraphs are sure. */
function chances(ofParts: Readonly<Record<string, number>>): (text: string) => number {
  return (text) => ofParts[text] ?? (text === "Chrome" ? 0.01 : 0.95);
}

describe("between kept paragraphs", () => {
  const table = "<table><tr><td>One</td><td>Two</td></tr><tr><td>Three</td><td>Four</td></tr></table>";

  test("a table stays with all of its cells", () => {
    const likely = chances({ One: 0.3, Two: 0.05, Three: 0.3, Four: 0.05 });
    expect(keptTexts(between(`<div>Chrome</div>${table}`), likely)).toEqual(["One", "Two", "Three", "Four"]);
  });

  test("a table goes with all of its cells", () => {
    const unlikely = chances({ One: 0.3, Two: 0.01, Three: 0.01, Four: 0.01 });
    expect(keptTexts(between(`<div>Chrome</div>${table}`), unlikely)).toEqual([]);
  });

  test.each([
    ["a heading", "<div>Chrome</div><h2>Part</h2><div>Chrome</div>", 0.2],
    ["a list", "<div>Chrome</div><ul><li>Part</li></ul><div>Chrome</div>", 0.3],
    ["code", "<div>Chrome</div><pre>Part</pre><div>Chrome</div>", 0.3],
    ["a caption", "<div>Chrome</div><figure><figcaption>Part</figcaption></figure><div>Chrome</div>", 0.3],
  ])("%s stays though it is unlikely by itself", (_, parts, chance) => {
    expect(keptTexts(between(parts), chances({ Part: chance }))).toEqual(["Part"]);
    expect(keptTexts(between(parts), chances({ Part: 0.04 }))).toEqual([]);
  });
});

test.each([
  ["in boxes of its lines", "<pre><code><div><div><b>Part</b></div></div></code></pre>"],
  ["without pre", "<code><b>Part</b></code>"],
])("the last code of a text stays, %s", (_, code) => {
  expect(keptTexts(`<main>${PROSE}${PROSE}${code}</main>`, chances({ Part: 0.1 }))).toEqual(["Part"]);
});

describe("F3 a bare link in the article", () => {
  const article = (link: string) => `<main><article>${PROSE}${PROSE}${link}</article></main>`;
  const unlikely = chances({ Download: 0.05 });

  test.each([
    ["after a paragraph", article('<a href="/report.pdf?v=2">Download</a>')],
    ["in a box of its own", article('<div><a href="/data.csv">Download</a></div>')],
  ])("stays when it leads to a file: %s", (_, html) => {
    expect(keptTexts(html, unlikely)).toEqual(["Download"]);
  });

  test.each([
    ["another page", article('<a href="/next">Download</a>')],
    ["a file, but stands in the navigation", article('<nav><a href="/report.pdf">Download</a></nav>')],
    ["a file, far from what is kept", `<main>${PROSE}</main><main><a href="/a.pdf">Download</a></main>`],
  ])("goes as the model says when it leads to %s", (_, html) => {
    expect(keptTexts(html, unlikely)).toEqual([]);
  });
});

describe("in a long manual", () => {
  const manual = (parts: string): string => `<main>${PROSE.repeat(60)}${parts}${PROSE.repeat(60)}</main>`;

  test.each([
    ["a definition", "<dl><dt>Term</dt><dd><p>Rare</p></dd></dl>", ["Term", "Rare"]],
    ["a table", "<table><tr><td>Rare</td><td>Rare</td></tr></table>", ["Rare", "Rare"]],
    ["a list", "<ul><li>Rare</li><li>Rare</li></ul>", ["Rare", "Rare"]],
    ["a list of ways", "<ul><li><a href=/a>Rare</a></li></ul>", []],
    ["a lone line", "<div>Rare</div>", []],
    ["a list of the furniture", "<nav><ul><li>Rare</li></ul></nav>", []],
  ])("%s that says little stays with what is around it, or not", (_, parts, expected) => {
    expect(keptTexts(manual(parts), chances({ Rare: 0.01 }))).toEqual(expected);
  });

  test.each([
    ["named headings", (id: string, title: string) => `<h2 id="${id}">${title}</h2>`],
    ["anchors of old", (id: string, title: string) => `<a name="${id}"></a>\n<h3>${title}</h3>`],
    ["boxes", (id: string, title: string) => `<section id="${id}"><div><h2>${title}</h2></div></section>`],
    ["anchors inside", (id: string, title: string) => `<h2><div>${title}</div><a id="${id}"></a></h2>`],
  ])("sections stay that its contents list: %s", (_, headed) => {
    const names = ["Öffnen", "Weight", "Rope", "Fee"];
    const contents = names
      .map((name) => `<li><a href="#${encodeURIComponent(name)}">${name}</a></li>`)
      .join("");
    const sections = names.map(
      (name) => `${headed(name, `On ${name}`)}${name === "Fee" ? "<p>Low</p>" : PROSE}`,
    );
    const page = `<nav><ul>${contents}</ul></nav><main>${sections.join("")}</main><div><h2>More</h2><p>Low</p></div>`;
    const likely = chances({
      "On Fee": 0.12,
      Low: 0.12,
      More: 0.12,
      ...Object.fromEntries(names.map((n) => [n, 0])),
    });
    expect(keptTexts(page, likely)).toEqual([...names.map((name) => `On ${name}`), "Low"]);
  });

  test("headings whose numbers alone differ are no repeats, and code has no copies", () => {
    const heading = (version: string): string =>
      `<h2>What else is new in release number ${version}</h2>${PROSE}`;
    const code = (word: string): string =>
      `<div class=${word}><pre>const a = open("gate", 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, ${word});</pre></div>`;
    const page = `<main>${heading("1.1")}${code("one")}${heading("1.2")}<section>${code("two")}</section></main>`;
    expect(keptTexts(page, chances({}))).toHaveLength(4);
  });

  test("lists in the cells of a box of facts are parts of its table", () => {
    const row = (name: string, value: string): string =>
      `<tr><th>${name}</th><td><div class=plain><ul><li><a href=/${value}>${value}</a></li></ul></div></td></tr>`;
    const table = `<table><tbody>${row("Founder", "Asta")}${row("Place", "Vik")}</tbody></table>`;
    const likely = chances({ Founder: 0.9, Place: 0.9, Asta: 0.05, Vik: 0.05 });
    expect(keptTexts(`<main>${table}${PROSE}</main>`, likely)).toEqual(["Founder", "Asta", "Place", "Vik"]);
  });
});
