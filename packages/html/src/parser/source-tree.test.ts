import { describe, expect, test } from "vitest";

import { parseHtml } from "./parse.ts";
import { type HtmlTree, TEXT } from "./tree.ts";

function shown(tree: HtmlTree, node: number): string {
  let text = "";
  const add = (source: string, from: number, to: number, what: string) => {
    text += `${what}${source.slice(from, to)}`;
  };
  tree.visitText(node, add, "");
  return text;
}

describe("visitText shows what text returns", () => {
  test.each([
    ["plain texts", "<p>One<p>Two"],
    ["references between plain texts", "<p>One<p>Two &amp; more<p>Three<p>&lt;"],
    ["a reference in an attribute", '<p title="a&amp;b">One<p>Two'],
    ["raw text", "<script>a && b</script><p>One"],
    ["other line ends", "<p>One\r\nTwo\rThree"],
    ["texts between other line ends", "<p>One</p>\r\n<p>Two &lt;</p>\r\n<p>Three\rFour</p>"],
    ["characters that are not allowed", "<p>One\0Two"],
    ["nothing", ""],
  ])("%s", (_, html) => {
    const tree = parseHtml(html);
    const nodes = Array.from({ length: tree.size }, (__, node) => node);
    const expected = nodes.map((node) => (tree.tag[node] === TEXT ? tree.text(node) : ""));
    expect(nodes.map((node) => shown(tree, node))).toEqual(expected);
    // In any order.
    expect(nodes.reverse().map((node) => shown(tree, node))).toEqual(expected.reverse());
  });
});

test("a name of an attribute is noted for the whole page, and none that the page does not have", () => {
  const tree = parseHtml('<p CLASS=a><img Alt itemprop="price"></p><!-- <i dropped="1"> --></p typeof="x">');
  const noted = (name: string) => tree.mayHaveAnywhere(name);
  expect(["class", "alt", "itemprop"].map(noted)).toEqual([true, true, true]);
  expect(["dropped", "typeof", "itemtype"].map(noted)).toEqual([false, false, false]);
  expect(parseHtml("").mayHaveAnywhere("class")).toBe(false);
});
