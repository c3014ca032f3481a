import { describe, expect, test } from "vitest";

import { parseHtml } from "../parser/parse.ts";
import { selectReadable } from "./scriptless.ts";
import { keptNodes } from "./selection.ts";

const PROSE = "<p>A sentence of the article that says something about it, and goes on.</p>".repeat(12);

function readableText(html: string): string {
  const selection = selectReadable(parseHtml(html));
  const texts = [...keptNodes(selection)].map((node) => selection.tree.text(node));
  return texts.join(" ").trim();
}

describe("a noscript part", () => {
  test("is what readers get of a page that is bare without scripts", () => {
    expect(readableText(`<div id="app"></div><noscript>${PROSE}</noscript>`)).toMatch(/^A sentence/);
  });

  test("stays out when it says little", () => {
    expect(readableText('<div id="app"></div><noscript>Turn scripts on.</noscript>')).toBe("");
  });

  test("stays out of a page with text", () => {
    expect(readableText(`<main>${PROSE}</main><noscript>Again: ${PROSE}</noscript>`)).not.toContain("Again");
  });
});
