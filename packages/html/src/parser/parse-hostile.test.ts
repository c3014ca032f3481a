import { expect, test } from "vitest";

import { parseHtml } from "./parse.ts";
import { type HtmlTree, tagId } from "./tree.ts";

/** Levels below the document. */
function depthOf(tree: HtmlTree): number {
  const depths = new Int32Array(tree.size);
  let deepest = 0;
  for (let node = 1; node < tree.size; node++) {
    depths[node] = (depths[tree.parent[node] ?? 0] ?? 0) + 1;
    deepest = Math.max(deepest, depths[node] ?? 0);
  }
  return deepest;
}

test.each([10_000, 100_000])("%i nested elements are flattened below level 512", (count) => {
  const tree = parseHtml("<div>".repeat(count) + "x" + "</div>".repeat(count) + "<p>y");
  expect(tree.size).toBe(count + 4);
  expect(depthOf(tree)).toBe(513);
  const last = tree.tag.lastIndexOf(tagId("p"));
  expect(tree.parent[last]).toBe(0);
  expect(tree.textContent(last)).toBe("y");
});

test("end tags of flattened elements close nothing else", () => {
  const tree = parseHtml("<div>".repeat(512) + "<b><i>x</i></b>y" + "</div>".repeat(511) + "<p>z");
  const last = tree.tag.lastIndexOf(tagId("p"));
  expect(tree.parent[last]).toBe(1);
});

test("a million attributes: the first 1,024 are kept", () => {
  const names = Array.from({ length: 1_000_000 }, (_, i) => `a${i}=${i}`);
  const tree = parseHtml(`<p ${names.join(" ")} id=last>x</p><p id=next>`);
  expect(tree.attributes(1)).toHaveLength(1024);
  expect(tree.attribute(1, "a1023")).toBe("1023");
  expect(tree.attribute(1, "id")).toBeUndefined();
  expect(tree.attribute(3, "id")).toBe("next");
});

test("a value of megabytes is kept whole", () => {
  const source = `data:image/png;base64,${"A".repeat(5_000_000)}`;
  expect(parseHtml(`<img alt=a src="${source}" title=b>`).attributes(1)).toEqual([
    ["alt", "a"],
    ["src", source],
    ["title", "b"],
  ]);
});

test.each([
  ["unclosed formatting", "<b>", 100_000, 100_001],
  ["unclosed formatting around paragraphs", "<b><p>", 100_000, 200_001],
  ["links in links", "<a href=x>", 100_000, 100_001],
  ["links around blocks", "<a href=x><div>", 100_000, 200_001],
  ["list items", "<ul><li>", 100_000, 200_001],
  ["tables in cells", "<table><tr><td>", 100_000, 300_001],
  ["paragraphs in a deep scope", "<button><p>", 100_000, 200_001],
  ["drawings left by HTML", "<svg><div>", 100_000, 200_001],
  ["< without a name", "<", 3_000_000, 2],
  ["end tags without a name", "</", 3_000_000, 1],
  ["declarations", "<!", 3_000_000, 1],
  ["unclosed comments", "<!--", 2_000_000, 1],
  ["unclosed scripts", "<script>", 1_000_000, 3],
  ["scripts that hide", "<script><!--</script>", 200_000, 400_001],
  ["scripts in the comment of a script", "<script><!--<script>", 300_000, 3],
  ["comments of a script that end", "<script><!--<script>--></script>", 200_000, 400_001],
  ["hidden scripts in noscript", "<noscript><script><!--<script></noscript>", 100_000, 300_001],
  ["unclosed frames in noscript", "<noscript><iframe></noscript>", 100_000, 200_001],
  ["unclosed quotes", '<a href="', 300_001, 1],
  ["NUL", "\0<p>\0", 100_000, 200_002],
  ["ampersands", "&", 3_000_000, 2],
  ["frames after content", "<meta>a<frameset></frameset>", 100_000, 300_001],
  ["framesets", "<frameset>a", 100_000, 100_001],
  ["NUL in a deep drawing", "<svg>\0", 100_000, 200_001],
  ["repeated heads", "<head>", 300_000, 2],
])("%s end in time with the expected number of nodes", (_name, piece, count, size) => {
  const tree = parseHtml(piece.repeat(count));
  expect(tree.size).toBe(size);
  expect(depthOf(tree)).toBeLessThanOrEqual(513);
});

test.each([
  ["unknown", "<x-y>", "</z-w>"],
  ["hidden behind blocks", "<span><div>", "</span>"],
  ["formatting behind blocks", "<b><div>", "</b>"],
  ["outside of the cell", "<div><table><tr><td>", "</div>"],
])("floods of unmatched end tags, %s", (_name, start, end) => {
  const tree = parseHtml(start.repeat(100) + end.repeat(300_000) + "x");
  expect(tree.textContent(0)).toBe("x");
});

test("50 MB of ordinary markup", () => {
  // `npm run soak -- pages` has a page of tags that is as large.
  const piece = `<div class='a b'><p>${"Hello ".repeat(40)}<b>w</b> &amp; x</p></div>\n`;
  const count = Math.ceil(50_000_000 / piece.length);
  const tree = parseHtml(piece.repeat(count));
  expect(tree.size).toBe(1 + 7 * count);
  expect(tree.textContent(tree.size - 7)).toBe(`${"Hello ".repeat(40)}w & x`);
});

test("any prefix of a page, and any bytes, give a tree", () => {
  const page = `<!doctype html><html lang="en"><head><title>a</title><script>x</script></head><body><p class='b'>c &amp;<!-- d --><svg><path/></svg><table><tr><td>e</table></body>`;
  for (let length = 0; length <= page.length; length++) {
    const tree = parseHtml(page.slice(0, length));
    expect(tree.end[0]).toBe(tree.size);
  }
  const bytes = Array.from({ length: 200_000 }, (_, i) => String.fromCharCode((i * 7919) % 256));
  expect(parseHtml(bytes.join("")).end[0]).toBeGreaterThan(0);
});
