import { describe, expect, test } from "vitest";

import { parseHtml } from "../../packages/html/src/parser/parse.ts";
import { type HtmlTree, TEXT } from "../../packages/html/src/parser/tree.ts";
import { parseTreeCases, readTreeCases, type TreeNode } from "./tree-cases.ts";

/** Our parser reads the content of noscript as elements, as browsers do that run no scripts. */
const documents = readTreeCases().filter((one) => !one.isFragment && !one.needsScripts);

const UNSEEN: ReadonlySet<string> = new Set(["script", "style"]);

/**
 * What the two trees of a case are compared by: all texts in document order, with white space folded to single spaces
 * and none at the ends. Texts inside script and style are set in brackets, so that none of them passes for text of the
 * page, and none of the page for theirs.
 */
function textOf(tree: readonly TreeNode[]): string {
  let unseenDepth = Infinity;
  const texts = tree.map(({ depth, name, text }) => {
    if (depth <= unseenDepth) unseenDepth = UNSEEN.has(name) ? depth : Infinity;
    return name === "#text" && depth > unseenDepth ? `⟦${text}⟧` : text;
  });
  return texts
    .join("")
    .replace(/[\t\n\f\r ]+/gu, " ")
    .trim();
}

function nodesOf(tree: HtmlTree): readonly TreeNode[] {
  const depths = new Int32Array(tree.size).fill(-1);
  return Array.from({ length: tree.size - 1 }, (_, index) => {
    const node = index + 1;
    const depth = (depths[tree.parent[node] ?? 0] ?? 0) + 1;
    depths[node] = depth;
    return { depth, name: tree.nameOf(node), text: tree.tag[node] === TEXT ? tree.text(node) : "" };
  });
}

describe("the tree construction cases of html5lib", () => {
  test("all 1,578 document cases are read", () => {
    expect(documents).toHaveLength(1578);
  });

  test("at least 97 % of the document cases have the text that their trees state", ({ onTestFailed }) => {
    const differing = documents
      .map(({ html, tree }) => ({ html, stated: textOf(tree), parsed: textOf(nodesOf(parseHtml(html))) }))
      .filter(({ stated, parsed }) => stated !== parsed);
    const share = 1 - differing.length / documents.length;
    onTestFailed(() => console.error(`${(share * 100).toFixed(2)} %; these differ:`, differing));
    expect(share).toBeGreaterThanOrEqual(0.97);
  });
});

describe("reading a case", () => {
  test("texts of several lines, namespaces, attributes, comments and the content of templates", () => {
    const [first, second] = parseTreeCases(`#data
<svg><title a=b>x

y</title></svg><!--
| "c"-->

#errors
(1,1): expected-doctype
#new-errors
(1:2) odd
#document
| <html>
|   <svg svg>
|     <svg title>
|       a="b"
|       "x

y"
|   <!--
-->
|   <template>
|     content
|       "z"

#data
#errors
#document-fragment
td
#script-on
#document
| ""
`);
    expect(first).toEqual({
      html: '<svg><title a=b>x\n\ny</title></svg><!--\n| "c"-->\n',
      tree: [
        { depth: 0, name: "html", text: "" },
        { depth: 1, name: "svg", text: "" },
        { depth: 2, name: "title", text: "" },
        { depth: 3, name: "#text", text: "x\n\ny" },
        { depth: 1, name: "template", text: "" },
        { depth: 3, name: "#text", text: "z" },
      ],
      isFragment: false,
      needsScripts: false,
    });
    expect(second).toMatchObject({
      html: "",
      tree: [{ depth: 0, name: "#text", text: "" }],
      isFragment: true,
      needsScripts: true,
    });
  });

  test("a case without a tree is an error", () => {
    expect(() => parseTreeCases("#data\n<p>\n#errors\n")).toThrow("not complete");
  });

  test.each([
    ["white space is folded", " a\n\n<p> b </p> ", "a b"],
    ["scripts and styles are set apart", "a<style>b</style><script>c</script>d", "a⟦b⟧⟦c⟧d"],
    ["elements in them, too", "a<svg><style>b<g>c</g></style>d</svg>", "a⟦b⟧⟦c⟧d"],
  ])("of the text, %s", (_name, html, expected) => {
    expect(textOf(nodesOf(parseHtml(html)))).toBe(expected);
  });
});
