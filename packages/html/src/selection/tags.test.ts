import { describe, expect, test } from "vitest";

import { parseHtml } from "../parser/parse.ts";
import { selectAll } from "./selection.ts";
import { serializeHtml } from "./serialize.ts";
import { applyExcludeTags, applyIncludeTags } from "./tags.ts";

const PAGE = selectAll(
  parseHtml(
    "<html><head><title>t</title></head><body><h1>a</h1><div class=ad>b<p>c</p></div><h1>d</h1><script>e</script></body></html>",
  ),
);

function included(...selectors: readonly string[]): string {
  return serializeHtml(applyIncludeTags(PAGE, selectors), "http://x.test/");
}

function excluded(...selectors: readonly string[]): string {
  return serializeHtml(applyExcludeTags(PAGE, selectors), "http://x.test/");
}

describe("includeTags", () => {
  test.each([
    [["h1"], "<h1>a</h1><h1>d</h1>"],
    [[".ad", "h1"], '<h1>a</h1><div class="ad">b<p>c</p></div><h1>d</h1>'],
    [["p", ".ad"], '<div class="ad">b<p>c</p></div>'],
    [["h1, p"], "<h1>a</h1><p>c</p><h1>d</h1>"],
    [["h1[", "p"], "<p>c</p>"],
    [[".none"], ""],
    [["title", "script"], ""],
  ])("%j", (selectors, content) => {
    expect(included(...selectors)).toBe(`<html><body>${content}</body></html>`);
  });

  test("no selectors keep everything", () => {
    expect(applyIncludeTags(PAGE, [])).toBe(PAGE);
  });
});

describe("excludeTags", () => {
  test.each([
    [[".ad"], "<h1>a</h1><h1>d</h1>"],
    [["p", "h1:first-child"], '<div class="ad">b</div><h1>d</h1>'],
    [["h1[", ".none"], '<h1>a</h1><div class="ad">b<p>c</p></div><h1>d</h1>'],
  ])("%j", (selectors, content) => {
    expect(excluded(...selectors)).toBe(`<html><body>${content}</body></html>`);
  });
});

test("both together", () => {
  const selection = applyExcludeTags(applyIncludeTags(PAGE, [".ad"]), ["p"]);
  expect(serializeHtml(selection, "http://x.test/")).toBe(
    '<html><body><div class="ad">b</div></body></html>',
  );
});
