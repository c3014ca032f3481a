import { describe, expect, test } from "vitest";

import { parseHtml } from "./parse.ts";
import { type HtmlTree, TEXT, tagId } from "./tree.ts";

/** The tree as nested brackets: `[p id=x:text[b:bold]]`. */
function sketch(html: string): string {
  return childrenOf(parseHtml(html), 0);
}

function childrenOf(tree: HtmlTree, node: number): string {
  let text = "";
  const end = tree.end[node] ?? 0;
  for (let child = node + 1; child < end; child = tree.end[child] ?? end) text += sketchNode(tree, child);
  return text;
}

function sketchNode(tree: HtmlTree, node: number): string {
  if (tree.tag[node] === TEXT) return tree.text(node);
  const attributes = tree.attributes(node).map(([name, value]) => ` ${name}=${value}`);
  const content = childrenOf(tree, node);
  return `[${tree.nameOf(node)}${attributes.join("")}${content === "" ? "" : `:${content}`}]`;
}

describe("structure", () => {
  test.each([
    ["paragraphs end at blocks", "<p>a<p>b<div>c</div>d", "[p:a][p:b][div:c]d"],
    ["list items", "<ul><li>a<li>b<ul><li>c</ul><li>d</ul>", "[ul:[li:a][li:b[ul:[li:c]]][li:d]]"],
    ["definitions", "<dl><dt>a<dd>b<dt>c</dl>d", "[dl:[dt:a][dd:b][dt:c]]d"],
    ["cells and rows", "<table><tr><td>1<td>2<tr><th>3</table>4", "[table:[tr:[td:1][td:2]][tr:[th:3]]]4"],
    [
      "row groups",
      "<table><thead><tr><th>a<tbody><tr><td>b<tfoot><tr><td>c</table>",
      "[table:[thead:[tr:[th:a]]][tbody:[tr:[td:b]]][tfoot:[tr:[td:c]]]]",
    ],
    [
      "caption and columns",
      "<table><caption>a<colgroup><col><tr><td>b",
      "[table:[caption:a][colgroup:[col]][tr:[td:b]]]",
    ],
    [
      "a table inside a cell keeps to itself",
      "<table><tr><td><table><tr><td>a</table>b<td>c</table>",
      "[table:[tr:[td:[table:[tr:[td:a]]]b][td:c]]]",
    ],
    [
      "an end tag does not leave its cell",
      "<div><table><tr><td>a</div>b</table>",
      "[div:[table:[tr:[td:ab]]]]",
    ],
    [
      "options",
      "<select><optgroup><option>a<option>b<optgroup><option>c</select>d",
      "[select:[optgroup:[option:a][option:b]][optgroup:[option:c]]]d",
    ],
    ["links do not nest", "<a href=1>x<a href=2>y</a>z", "[a href=1:x][a href=2:y]z"],
    ["a formatting element ends with the block it ended in", "<b><div>x</b>y</div>z", "[b:[div:xy]]z"],
    [
      "an inline end tag does not leave its block",
      "<span><div>x</span>y</div>z</span>w",
      "[span:[div:xy]z]w",
    ],
    ["headings end each other", "<h1>a<h2>b</h1>c", "[h1:a][h2:b]c"],
    ["buttons", "<button>a<button>b</button>c", "[button:a][button:b]c"],
    ["ruby", "<ruby>a<rp>(<rt>b<rp>)</ruby>", "[ruby:a[rp:(][rt:b][rp:)]]"],
    ["stray end tags", "a</div>b</p>c</x-y>d", "abcd"],
    ["a line break written as an end tag", "a</br>b", "a[br]b"],
    ["void elements have no content", "<br>a<img src=x>b<input></input>c", "[br]a[img src=x]b[input]c"],
    ["a slash closes nothing in HTML", "<div/>a</div>b", "[div:a]b"],
    ["custom elements", "<x-A>a<y-b>c</Y-B></x-a>d", "[x-a:a[y-b:c]]d"],
    ["template content", "<template><p>a</template>b", "[template:[p:a]]b"],
    ["noscript content", "<noscript><p>a</noscript>b", "[noscript:[p:a]]b"],
  ])("%s", (_name, html, expected) => {
    expect(sketch(html)).toBe(expected);
  });
});

describe("page frame", () => {
  test.each([
    [
      "a start tag of the body ends the head",
      "<html><head><title>t</title><body>a",
      "[html:[head:[title:t]][body:a]]",
    ],
    ["content ends the head", "<head><meta><div>a</div>", "[head:[meta]][div:a]"],
    ["text ends the head", "<html><head> <base>a<p>b", "[html:[head: [base]]a[p:b]]"],
    ["what follows the end of the body stays in it", "<html><body>a</body></html>b", "[html:[body:ab]]"],
    [
      "repeated html, head and body tags",
      "<html><head></head><head><body><html><p>a<body>b",
      "[html:[head][body:[p:ab]]]",
    ],
    ["absent elements are not invented", "a<b>c</b>", "a[b:c]"],
    [
      "frames instead of a body",
      "<html><head><title>t</title></head> <frameset>a<frame src=x><noframes><p>b</noframes></frameset>c<body><p>d",
      "[html:[head:[title:t]] [frameset:[frame src=x][noframes:<p>b]]]",
    ],
    ["frames before a head is closed", "<head><meta><frameset><p>a", "[head:[meta]][frameset]"],
    ["no frames once there is content", "a<frameset>b</frameset>c<frameset>d", "a[frameset:b]c[frameset:d]"],
    ["no frames in a body", "<body><frameset><p>a", "[body:[frameset:[p:a]]]"],
    ["no frames in a noscript", "<noscript><frameset><p>a", "[noscript:[frameset:[p:a]]]"],
  ])("%s", (_name, html, expected) => {
    expect(sketch(html)).toBe(expected);
  });
});

describe("svg and math", () => {
  test.each([
    ["a slash closes", '<svg><path d="1"/><g><circle/></g></svg>a', "[svg:[path d=1][g:[circle]]]a"],
    ["an empty title is no raw text", "<svg><title/><g>a</svg>b", "[svg:[title][g:a]]b"],
    ["HTML inside a title", "<svg><title>a<b>c</b></title><g>d</svg>e", "[svg:[title:a[b:c]][g:d]]e"],
    ["an unclosed title", "<svg><title>a<path/></svg><p>b", "[svg:[title:a[path]]][p:b]"],
    ["an unclosed foreignObject", "<svg><foreignObject><b>a</svg>b", "[svg:[foreignobject:[b:a]]]b"],
    ["a block keeps a drawing open", "<svg><desc><p>a</svg>b", "[svg:[desc:[p:ab]]]"],
    ["a style is no raw text", "<svg><style>a<![CDATA[<b>]]></style></svg>c", "[svg:[style:a<b>]]c"],
    ["an unclosed style", "<svg><style>a</svg>b<p>c", "[svg:[style:a]]b[p:c]"],
    ["plaintext", "<svg><plaintext>a</plaintext>b", "[svg:[plaintext:a]b]"],
    ["HTML leaves an unclosed drawing", "<svg><g><div>a</div>b", "[svg:[g]][div:a]b"],
    [
      "HTML inside foreignObject",
      "<svg><foreignObject><div>a</div></foreignObject></svg>b",
      "[svg:[foreignobject:[div:a]]]b",
    ],
    ["formulas", "<math><mi>x</mi><mo/></math>y", "[math:[mi:x][mo]]y"],
    ["character data", "<svg><![CDATA[a<b]]></svg><![CDATA[c]]>d", "[svg:a<b]d"],
  ])("%s", (_name, html, expected) => {
    expect(sketch(html)).toBe(expected);
  });
});

describe("text", () => {
  test.each([
    ["character references", "&lt;&amp;&nbsp;&#65;&notit;&copy", "<&\u00A0A¬it;©"],
    ["a < that opens nothing", "1 < 2 <3 <", "1 < 2 <3 <"],
    [
      "comments of every kind",
      "a<!-- <p> -->b<!-->c<!--->d<!--x--!>e<?php x ?>f<!doctype html>g</ x>h</>i",
      "abcdefghi",
    ],
    ["scripts stay raw", "<script>a<b>&amp;</scriptx></SCRIPT >c", "[script:a<b>&amp;</scriptx>]c"],
    ["titles and text areas are decoded", "<title>a<b>&amp;</title>", "[title:a<b>&]"],
    ["iframe content is text", "<iframe src=x><p>a</iframe>b", "[iframe src=x:<p>a]b"],
    [
      "one newline after pre is dropped",
      "<pre>\n\na</pre><textarea>\r\nb</textarea>",
      "[pre:\na][textarea:b]",
    ],
    ["line ends", "a\r\nb\rc<p title='\r\n'>", "a\nb\nc[p title=\n]"],
    ["NUL is dropped from text", "a\0b<svg><desc>\0c", "ab[svg:[desc:c]]"],
    [
      "NUL is replaced in raw text, svg and attributes",
      "<title>a\0</title><svg>b\0<g>\0</g></svg><p title='\0'>",
      "[title:a\uFFFD][svg:b\uFFFD[g:\uFFFD]][p title=\uFFFD]",
    ],
    ["an end tag that is only begun", "a</", "a</"],
    ["an unclosed tag at the end is dropped", "a<div class=x", "a"],
  ])("%s", (_name, html, expected) => {
    expect(sketch(html)).toBe(expected);
  });
});

describe("a script ends where browsers end it", () => {
  test.each([
    [
      "a script written by a script that hides from old browsers",
      `<script><!-- document.write("<script src=x></script>"); //--></script>a`,
      `[script:<!-- document.write("<script src=x></script>"); //-->]a`,
    ],
    ["hiding alone", "<script><!-- x </script>a", "[script:<!-- x ]a"],
    ["a script named outside of a comment", "<script>'<script>'</script>a", "[script:'<script>']a"],
    ["a script named after the comment", "<script><!-- --><script></script>a", "[script:<!-- --><script>]a"],
    ["a comment that ends at once", "<script><!--><script></script>a", "[script:<!--><script>]a"],
    ["another that does", "<script><!---><script></script>a", "[script:<!---><script>]a"],
    [
      "an inner end tag only counts once",
      "<script><!--<script></script>x</script>a",
      "[script:<!--<script></script>x]a",
    ],
    [
      "inner scripts in a row",
      "<script><!--<SCRIPT></Script><script/></script >x</SCRIPT>a",
      "[script:<!--<SCRIPT></Script><script/></script >x]a",
    ],
    [
      "the comment ends inside the inner script",
      "<script><!--<script>--></script>a",
      "[script:<!--<script>-->]a",
    ],
    [
      "a second comment",
      "<script><!----><!--<script></script></script>a",
      "[script:<!----><!--<script></script>]a",
    ],
    ["longer names", "<script><!--<scripts></script>a", "[script:<!--<scripts>]a"],
    [
      "letters that only fold to those of the name",
      "<script><!--<\u017Fcript></script>a",
      "[script:<!--<\u017Fcript>]a",
    ],
    ["an inner script without end", "<script><!--<script></script>a", "[script:<!--<script></script>a]"],
    ["styles know no inner ones", "<style><!--<style></style>a", "[style:<!--<style>]a"],
    ["attributes of the end tag", `<script>x</script a=">" b>c`, "[script:x]c"],
  ])("%s", (_name, html, expected) => {
    expect(sketch(html)).toBe(expected);
  });
});

describe("attributes", () => {
  test.each([
    ["quotes of all kinds", `<p a="1 >" b='2"' c=3>`, `[p a=1 > b=2" c=3]`],
    ["without value", "<p hidden a= b>x", "[p hidden= a=b:x]"],
    ["names are lower-case, the first wins", "<p CLASS=a class=b>", "[p class=a]"],
    ["white space around the equals sign", "<p a = 1\n b\t=\n'2'>", "[p a=1 b=2]"],
    ["a slash in an unquoted value", "<a href=/x/>y</a>", "[a href=/x/:y]"],
    ["references, with the exception for addresses", '<a href="?a&copy=1&amp;b">', "[a href=?a&copy=1&b]"],
    ["no space between", `<p a="1"b='2'/c>`, "[p a=1 b=2 c=]"],
    ["odd names", `<p =a "b" <c>`, `[p =a= "b"= <c=]`],
  ])("%s", (_name, html, expected) => {
    expect(sketch(html)).toBe(expected);
  });

  test("a look-up tells missing from empty", () => {
    const tree = parseHtml("<p hidden Data-X=1>");
    expect(tree.attribute(1, "hidden")).toBe("");
    expect(tree.attribute(1, "data-x")).toBe("1");
    expect(tree.attribute(1, "class")).toBeUndefined();
    expect(tree.attribute(0, "hidden")).toBeUndefined();
  });
});

test("tables are parallel and in document order", () => {
  const tree = parseHtml("<div><p>a</p><b>c</b></div>");
  expect(Array.from(tree.tag)).toEqual([1, tagId("div"), tagId("p"), TEXT, tagId("b"), TEXT]);
  expect(Array.from(tree.parent)).toEqual([-1, 0, 1, 2, 1, 4]);
  expect(Array.from(tree.end)).toEqual([6, 6, 4, 4, 6, 6]);
  expect(tree.textContent(1)).toBe("ac");
  expect(tree.text(1)).toBe("");
  expect(tree.nameOf(3)).toBe("#text");
});

test("input of no length is a document without children", () => {
  expect(parseHtml("").size).toBe(1);
});

test("an element without end tag in a noscript ends with the noscript", () => {
  const tree = parseHtml('<noscript><iframe src="x" /></noscript><p>a</p><noscript><style>b</noscript>c');
  expect(tree.textContent(0)).toBe("abc");
  expect(selectText(tree)).toEqual(["p: a", "style: b", "#document: c"]);
});

function selectText(tree: HtmlTree): readonly string[] {
  return Array.from({ length: tree.size }, (_, node) => node)
    .filter((node) => tree.tag[node] === TEXT)
    .map((node) => `${tree.nameOf(tree.parent[node] ?? 0)}: ${tree.text(node)}`);
}
