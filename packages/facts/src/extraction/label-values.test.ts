import { describe, expect, test } from "vitest";

import { parseHtml } from "@pergamon-dev/html/parser/parse";
import { gatherEvidence } from "../structured/evidence.ts";
import { extractJson } from "./extract-json.ts";

const NAMES = ["title", "author", "email", "quay", "tide"];
const SCHEMA = {
  type: "object",
  properties: Object.fromEntries(NAMES.map((name) => [name, { type: "string" }])),
};

function valuesOf(facts: string): unknown {
  const html = `<!doctype html><body><main><h1>Pier nine</h1>${facts}</main></body>`;
  const tree = parseHtml(html);
  const evidence = gatherEvidence({ tree, source: () => html, metadata: () => ({}) });
  return extractJson(evidence, { schema: SCHEMA }, "https://site.test/pier").value;
}

describe("a label is never the value of another", () => {
  test.each([
    ["terms without definitions", "<dl><dt>Author<dt>Email<dt>Quay</dl>"],
    ["two names of columns", "<table><tr><th>Quay</th><th>Email</th></tr></table>"],
    ["headings below each other", "<h2>Author</h2><h2>Quay</h2><h2>Email</h2>"],
    ["lines in bold below each other", "<p><b>Author</b></p><p><b>Quay</b></p><p><b>Email</b></p>"],
  ])("%s", (_name, facts) => {
    expect(valuesOf(facts)).toEqual({ title: "Pier nine" });
  });
});

test.each([
  ["a dash in a heading or a link", `<p><a href="/t">Tide – the film</a></p><h2>Quay - a guide</h2>`],
  ["a dash inside a word", "<p>Quay-side</p><p>Tide-table</p>"],
  ["italics that begin one paragraph", "<p><i>Quay</i> North is where we met.</p><p>Tide comes.</p>"],
  ["a link in a sentence", `<p>Quay <a href="/n">North</a> is where we met.</p>`],
])("%s makes no label", (_name, facts) => {
  expect(valuesOf(facts)).toEqual({ title: "Pier nine" });
});

describe("a value stands", () => {
  test.each([
    [
      "below a line in bold, and ends before the next",
      "<p><strong>Quay</strong></p><p>North</p><p><strong>Tide</strong></p><p>Low</p>",
    ],
    ["behind a dash", "<ul><li>Quay – North</li><li><b>Tide</b> — Low</li></ul>"],
    ["behind a dash, on lines of one paragraph", "<p>Quay - North<br>Tide - Low</p>"],
    ["between bars", "<p>Quay: North | Tide: Low</p>"],
    ["behind bold words, line by line", "<p><b>Quay</b> North<br><b>Tide</b> Low</p>"],
    ["on the line below bold words", "<p><b>Quay</b><br>North<br><b>Tide</b><br>Low</p>"],
    ["as text below a heading", "<div><h4>Quay</h4>North</div><div><h4>Tide</h4>Low</div>"],
    [
      "in lines that begin alike",
      `<p><i class="k">Quay</i> North</p><p><i class="k">Tide</i> Low</p><p>Nothing else.</p>`,
    ],
    ["in a link after its label", `<p>Quay <a href="/n">North</a></p><p>Tide <a href="/l">Low</a></p>`],
    ["behind the colon of its own line", "<p>Quay</p><p>: North</p><p>Tide</p><p>: Low</p><p>Text.</p>"],
  ])("%s", (_name, facts) => {
    expect(valuesOf(facts)).toEqual({ title: "Pier nine", quay: "North", tide: "Low" });
  });
});

test("what has been taken out of a page is no value, whatever stands for it", () => {
  expect(
    valuesOf("<dl><dt>Quay<dd>&lt;LOCATION&gt;<dt>Tide<dd>****<dt>Author<dd>&lt;PERSON&gt;</dl>"),
  ).toEqual({ title: "Pier nine" });
});

test("who did something in the middle of a sentence did not write the page", () => {
  const sentence = "The cranes and winches of this pier were drawn and built by ";
  expect(valuesOf(`<p>${sentence.repeat(2)}<a href="/k">Kim Park</a> in a year.</p>`)).toEqual({
    title: "Pier nine",
  });
});
