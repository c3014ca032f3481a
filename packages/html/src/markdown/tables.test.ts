import { describe, expect, test } from "vitest";

import { parseHtml } from "../parser/parse.ts";
import { selectAll, without } from "../selection/selection.ts";
import { tagId } from "../parser/tree.ts";
import { toMarkdown } from "./convert.ts";

function markdown(html: string): string {
  return toMarkdown(selectAll(parseHtml(html)), "https://shop.test/");
}

function table(rows: string): string {
  return markdown(`<table>${rows}</table>`);
}

describe("data tables", () => {
  test.each([
    ["a head", "<thead><tr><th>A<th>B</thead><tr><td>1<td>2", "| A | B |\n| --- | --- |\n| 1 | 2 |"],
    ["the first row without a head", "<tr><td>a<td>b<tr><td>1<td>2", "| a | b |\n| --- | --- |\n| 1 | 2 |"],
    [
      "a head that comes last",
      "<tbody><tr><td>1<td>2<thead><tr><th>A<th>B",
      "| A | B |\n| --- | --- |\n| 1 | 2 |",
    ],
    [
      "pipes are escaped",
      "<tr><th>a|b<th><code>c|d</code><tr><td>1<td>2",
      "| a\\|b | `c\\|d` |\n| --- | --- |\n| 1 | 2 |",
    ],
    [
      "line breaks",
      "<tr><th>A<th>B<tr><td>1<br>2<td><p>3</p><p>4</p>",
      "| A | B |\n| --- | --- |\n| 1<br>2 | 3<br>4 |",
    ],
    [
      "columns are filled",
      "<tr><th>A<th>B<tr><td colspan=2>1<tr><td>2",
      "| A | B |\n| --- | --- |\n| 1 |  |\n| 2 |  |",
    ],
    [
      "rows are filled",
      "<tr><th>A<th>B<tr><td rowspan=2>1<td>2<tr><td>3",
      "| A | B |\n| --- | --- |\n| 1 | 2 |\n|  | 3 |",
    ],
    [
      "empty rows are dropped",
      "<tr><th>A<th>B<tr><td><td> <tr><td>1<td>2",
      "| A | B |\n| --- | --- |\n| 1 | 2 |",
    ],
    [
      "empty columns are dropped",
      "<tr><th>A<th><th>B<tr><td>1<td> <td>2<tr><td>3<td><td>",
      "| A | B |\n| --- | --- |\n| 1 | 2 |\n| 3 |  |",
    ],
    [
      "a caption stays",
      "<caption>C</caption><tr><th>A<th>B<tr><td>1<td>2",
      "C\n\n| A | B |\n| --- | --- |\n| 1 | 2 |",
    ],
    [
      "lists in a table with a header",
      "<tr><th>A<th>B<tr><td><ul><li>1<li>2</ul><td>3",
      "| A | B |\n| --- | --- |\n| 1<br>2 | 3 |",
    ],
    [
      "signs that are drawn",
      "<tr><th>A<th>B<th>C<tr><td><svg><title>Yes|so</title></svg><td><i class='fa fa-check'></i><td><svg><use href='#icon-cross'></svg><tr><td>1<td><a title=Edit><svg></svg></a><td><span aria-label=half></span>",
      "| A | B | C |\n| --- | --- | --- |\n| Yes\\|so | ✓ | ✗ |\n| 1 |  | half |",
    ],
    [
      "short code in a table with a header",
      "<tr><th>A<th>B<tr><td><pre>a | b\n  c</pre><td>3",
      "| A | B |\n| --- | --- |\n| `a \\| b`<br>`  c` | 3 |",
    ],
    ["hidden cells", "<tr><th>A<th hidden>X<th>B<tr><td>1<td>2", "| A | B |\n| --- | --- |\n| 1 | 2 |"],
  ])("%s", (_, rows, expected) => {
    expect(table(rows)).toBe(expected);
  });

  test("cells that are left out keep their column", () => {
    const tree = parseHtml("<table><tr><th>A<th>B<tr><td id=x>1<td>2<tr><td>3<td>4</table>");
    const cell = tree.tag.indexOf(tagId("td"));
    const selection = without(selectAll(tree), [cell]);
    expect(toMarkdown(selection, "https://shop.test/")).toBe("| A | B |\n| --- | --- |\n|  | 2 |\n| 3 | 4 |");
  });

  test("links and images stay in cells", () => {
    const rows = '<tr><th>A<th>B<tr><td><a href="/a">x</a><td><img src="/i.png" alt="i">';
    expect(table(rows)).toContain("| [x](https://shop.test/a) | ![i](https://shop.test/i.png) |");
  });
});

describe("layout tables", () => {
  test.each([
    ["a single cell", "<tr><td><p>a</p><p>b</p>", "a\n\nb"],
    ["a single row without a header", "<tr><td>a<td>b", "a\n\nb"],
    [
      "a nested table",
      "<tr><td>a<td><table><tr><th>A<th>B<tr><td>1<td>2</table><tr><td>c<td>d",
      "a\n\n| A | B |\n| --- | --- |\n| 1 | 2 |\n\nc\n\nd",
    ],
    [
      "long code in a table with a header",
      `<tr><th>A<th>B<tr><td><pre>${"1\n".repeat(7)}</pre><td>3`,
      `A\n\nB\n\n\`\`\`\n${"1\n".repeat(7)}\`\`\`\n\n3`,
    ],
    ["headings in cells", "<tr><td><h2>a</h2><td>b<tr><td>c<td>d", "## a\n\nb\n\nc\n\nd"],
    ["lists in cells", "<tr><td><ul><li>a</ul><td>b<tr><td>c<td>d", "- a\n\nb\n\nc\n\nd"],
  ])("%s", (_, rows, expected) => {
    expect(table(rows)).toBe(expected);
  });

  test("a role says so", () => {
    expect(markdown("<table role=presentation><tr><td>a<td>b<tr><td>c<td>d</table>")).toBe(
      "a\n\nb\n\nc\n\nd",
    );
  });
});

describe("hostile tables", () => {
  test("huge spans do not multiply the output", () => {
    const rows = "<tr><td colspan=1000 rowspan=60000>a<td colspan=1000>b".repeat(2000);
    expect(table(rows).length).toBeLessThan(rows.length);
  });

  test("100,000 cells are all there, each once, also where rows overlap", () => {
    const rows = Array.from({ length: 25_000 }, (_none, at) => {
      const spans = at % 5 === 0 ? "rowspan=4 colspan=2" : "";
      return `<tr><td ${spans}>a${at}.<td>b${at}.<td rowspan=10000>c${at}.<td>d${at}.`;
    });
    const cells = table(rows.join("")).match(/[abcd]\d+\./gu) ?? [];
    expect(cells).toHaveLength(100_000);
    expect(new Set(cells).size).toBe(100_000);
  });

  test("one wide row does not widen all others", () => {
    const rows = `<tr>${"<td>x".repeat(2000)}${"<tr><td>y<td>z".repeat(2000)}`;
    expect(table(rows).length).toBeLessThan(rows.length * 2);
  });
});

test("a head whose row is left out is a row", () => {
  const html =
    "<table><thead><th></th><th>Sill</th></thead><tbody><tr><td>Upper</td><td>1.8 m</td></tr></tbody></table>";
  expect(markdown(html)).toBe("|  | Sill |\n| --- | --- |\n| Upper | 1.8 m |");
});
