import { expect, test } from "vitest";

import { parseHtml } from "../../parser/parse.ts";
import { selectAll, without } from "../../selection/selection.ts";
import { Lexicon } from "./lexicon.ts";
import { readPage } from "./page-tables.ts";

const UNKNOWN = { names: new Lexicon([], []), words: new Lexicon([], []) };

test.each(["<style>.a{color:red}</style>", "<script>go(1, 2)</script>", "<svg><title>Star</title></svg>"])(
  "%s inside a text is not part of it",
  (element) => {
    const tree = parseHtml(`<p>Two ${element} words</p>`);
    const { blocks, texts } = readPage(selectAll(tree), "https://site.test/", UNKNOWN);
    expect(blocks.size).toBe(1);
    expect(texts.words[0]).toBe(2);
    expect(texts.chars[0]).toBe(8);
  },
);

test("what the caller left out of a text is not part of it", () => {
  const tree = parseHtml("<p>Two <b>bold</b> words</p>");
  const bold = Array.from({ length: tree.size }, (_, node) => node).filter(
    (node) => tree.nameOf(node) === "b",
  );
  const { texts } = readPage(without(selectAll(tree), bold), "https://site.test/", UNKNOWN);
  expect(texts.words[0]).toBe(2);
});
