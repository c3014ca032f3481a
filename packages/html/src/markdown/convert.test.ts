import { describe, expect, test } from "vitest";

import { parseHtml } from "../parser/parse.ts";
import { selectAll, without } from "../selection/selection.ts";
import { tagId } from "../parser/tree.ts";
import { toMarkdown } from "./convert.ts";

const BASE = "https://shop.test/dir/page";

function markdown(html: string): string {
  return toMarkdown(selectAll(parseHtml(html)), BASE);
}

/** Rows of [what it shows, HTML, Markdown]. */
type Rows = [string, string, string][];

describe("headings and paragraphs", () => {
  test.each<Rows[number]>([
    ["six levels", "<h1>a</h1><h2>b</h2><h6>c</h6>", "# a\n\n## b\n\n###### c"],
    ["no bold inside a heading", "<h2>a <strong>b</strong></h2>", "## a b"],
    ["a line break in a heading is a space", "<h2>a<br>b</h2>", "## a b"],
    ["closing hashes stay text", "<h2>C #</h2>", "## C \\#"],
    [
      "tooltips and their buttons are dropped",
      "<h4>Size <span><button>More</button><span role=tooltip>Fits most</span></span></h4>",
      "#### Size",
    ],
    ["a button that is the heading stays", "<h3><button>Size</button></h3>", "### Size"],
    [
      "a button that opens the part below stays",
      "<h3>1. <button aria-expanded=false>Size</button></h3>",
      "### 1. Size",
    ],
    ["what is only called a tooltip stays", `<p role=tooltip>${"a<wbr>".repeat(50)}</p>`, "a".repeat(50)],
    ["the sign of a link to itself", "<h3>¶ <a href=#p>P</a></h3>", "### P"],
    ["a sign without a link stays", "<h3>¶ P</h3>", "### ¶ P"],
    ["an empty heading is dropped", "<h2> <span></span></h2><p>x", "x"],
    ["one blank line between blocks", "<p>a</p>\n\n<div>b<section>c</section></div>", "a\n\nb\n\nc"],
    ["white space is folded", "<p>  a \n\t b&nbsp;&nbsp;c </p>", "a b c"],
    ["inline neighbours stay together", "<p><span>a</span><span>b</span> <span>c</span></p>", "ab c"],
    [
      "codes of page builders are dropped",
      '<p>[vc_row type="full"][vc_column_text]Hello[/vc_column_text][/vc_row]</p>',
      "Hello",
    ],
    ["a text about them stays", "<p>Write [vc_row] here</p>", "Write [vc_row] here"],
    ["code of them stays", "<pre>[vc_row][/vc_row]</pre>", "```\n[vc_row][/vc_row]\n```"],
    [
      "a value that is drawn",
      '<div role=img aria-label="4.5 out of 5 stars"><svg></svg></div>',
      "4.5 out of 5 stars",
    ],
    ["a drawing without a value", '<span role=img aria-label="Logo"><svg></svg></span>', ""],
    ["a break is a backslash", "<p>a<br>b</p>", "a\\\nb"],
    ["two breaks part paragraphs", "<p>a<br><br>b</p>", "a\n\nb"],
    ["breaks at the edges are dropped", "<p><br>a<br></p>", "a"],
    ["a rule", "<p>a</p><hr><p>b</p>", "a\n\n---\n\nb"],
    ["abbreviations and quotes", "<p><abbr title=x>HTML</abbr> <q>hi</q></p>", 'HTML "hi"'],
    ["powers and indices stay such", "<p>H<sub>2</sub>O m<sup>2</sup></p>", "H₂O m²"],
    ["exponents", "<p>10<sup>12</sup> and 10<sup>-3</sup>", "10^12 and 10^-3"],
    ["prices", "<p><sup>$</sup>1,549<sup>00</sup> <sup>$</sup>19 <sup>99</sup>", "$1,549.00 $19 99"],
    ["ordinals", "<p>21<sup>st</sup>", "21st"],
    ["ruby", "<ruby>漢<rp>(</rp><rt>kan</rt><rp>)</rp></ruby>", "漢(kan)"],
    ["nothing", " <div> </div> ", ""],
  ])("%s", (_, html, expected) => {
    expect(markdown(html)).toBe(expected);
  });
});

describe("emphasis", () => {
  test.each<Rows[number]>([
    ["bold, italic and struck", "<b>a</b> <em>b</em> <del>c</del>", "**a** _b_ ~~c~~"],
    ["white space moves out", "<b>a </b>b<i> c</i>", "**a** b _c_"],
    ["touching marks become one", "<b>a</b><strong>b</strong>", "**ab**"],
    ["nested marks of a kind count once", "<b>a <b>b</b></b>", "**a b**"],
    ["empty marks vanish", "a<b> </b>b<i></i>", "a b"],
    ["inside a word asterisks are used", "un<i>believ</i>able", "un*believ*able"],
    ["punctuation moves out where the mark would not close", "<b>name:</b>jo", "**name**:jo"],
    ["a mark that cannot be read is left out", "a<b>(b)</b>c", "a(b)c"],
    ["a mark around blocks is written on each", "<b><p>a</p><p>b</p></b>", "**a**\n\n**b**"],
  ])("%s", (_, html, expected) => {
    expect(markdown(html)).toBe(expected);
  });
});

describe("lists", () => {
  test.each<Rows[number]>([
    ["bullets", "<ul><li>a</li> <li>b</li></ul>", "- a\n- b"],
    ["numbers with a start", "<ol start=9><li>a<li>b</ol>", "9. a\n10. b"],
    ["numbers that items give themselves", "<ol><li>a<li value=5>b<li>c</ol>", "1. a\n5. b\n6. c"],
    ["numbers that count down", "<ol reversed><li>a<li>b<li>c</ol>", "3. a\n2. b\n1. c"],
    [
      "nested to the text column",
      "<ol><li>a<ul><li>b<ul><li>c</ul></ul><li>d</ol>",
      "1. a\n   - b\n     - c\n2. d",
    ],
    ["a list directly inside a list", "<ul><li>a</li><ul><li>b</li></ul></ul>", "- a\n  - b"],
    ["several blocks in an item", "<ul><li><p>a</p><p>b</p><li>c</ul>", "- a\n\n  b\n- c"],
    ["code in an item", "<ul><li>a<pre>x\ny</pre></ul>", "- a\n\n  ```\n  x\n  y\n  ```"],
    [
      "task boxes",
      "<ul><li><input type=checkbox checked> a<li><input type=checkbox disabled> b</ul>",
      "- [x] a\n- [ ] b",
    ],
    ["a control is no task box", "<ul><li><input type=checkbox id=toggle>a</ul>", "- a"],
    ["empty items are dropped", "<ul><li><svg></svg></li><li>a</li></ul>", "- a"],
    ["items without a list", "<li>a</li><p>b", "- a\n\nb"],
    ["paragraphs around", "a<ul><li>b</ul>c", "a\n\n- b\n\nc"],
  ])("%s", (_, html, expected) => {
    expect(markdown(html)).toBe(expected);
  });
});

describe("other blocks", () => {
  test.each<Rows[number]>([
    [
      "quotes nest",
      "<blockquote><p>a<p>b<blockquote>c</blockquote></blockquote>d",
      "> a\n>\n> b\n>\n> > c\n\nd",
    ],
    ["definitions", "<dl><dt>a<dd>b<dd>c</dl>", "**a**\n\nb\n\nc"],
    ["details", "<details><summary>a</summary>b</details>", "**a**\n\nb"],
    [
      "figures",
      "<figure><img src=/i.png alt=x><figcaption>c</figcaption></figure>",
      "![x](https://shop.test/i.png)\n\nc",
    ],
    [
      "controls are dropped",
      "<form><select><option>a</select><textarea>b</textarea><button>Go</button>c</form>",
      "c",
    ],
    [
      "a button that titles a part stays",
      "<h3><button aria-expanded=false>Q?</button></h3><p>A",
      "### Q?\n\nA",
    ],
    ["templates are dropped", "<template><p>a</p></template>b", "b"],
    ["drawings are dropped", "<svg><text>a</text></svg><canvas>b</canvas>c", "c"],
  ])("%s", (_, html, expected) => {
    expect(markdown(html)).toBe(expected);
  });

  test("leaves out what the selection leaves out", () => {
    const tree = parseHtml("<nav>a</nav><p>b</p>");
    const nav = tree.tag.indexOf(tagId("nav"));
    expect(toMarkdown(without(selectAll(tree), [nav]), BASE)).toBe("b");
  });
});

describe("hidden content", () => {
  test.each<Rows[number]>([
    ["the hidden attribute", "a<div hidden>b</div>", "a"],
    ["inline style", "a<span style='color:red; display: none'>b</span>", "a"],
    ["an icon", "<p><i aria-hidden=true>★</i> a", "a"],
    [
      "text hidden from assistive software only stays",
      "<p><span aria-hidden=true>$9.99 today</span>",
      "$9.99 today",
    ],
    ["a closed tab is content", "<div role=tabpanel hidden>a</div>", "a"],
    ["parts that React streams are content", "<div hidden id=S:0>a</div><div hidden id=x>b</div>", "a"],
    [
      "most of the page is content",
      `<div style="display:none">${"<p>a</p>".repeat(50)}</div>`,
      Array.from({ length: 50 }, () => "a").join("\n\n"),
    ],
    ["the page itself is never hidden", "<body style='visibility:hidden'>a", "a"],
  ])("%s", (_, html, expected) => {
    expect(markdown(html)).toBe(expected);
  });
});

describe("hostile input", () => {
  test.each([
    ["deep nesting", "<div>".repeat(20_000) + "x"],
    ["deep lists", "<ul><li>".repeat(5000) + "x"],
    ["deep quotes", "<blockquote>".repeat(5000) + "x"],
    ["deep tables", "<table><tr><td>".repeat(5000) + "x"],
    ["deep marks", "<b><i>".repeat(5000) + "x"],
  ])("%s keeps its text", (_, html) => {
    expect(markdown(html)).toContain("x");
  });

  test("deep nesting does not multiply the output", () => {
    const html = "<blockquote>".repeat(400) + "<p>x</p>".repeat(1000);
    expect(markdown(html).length).toBeLessThan(html.length * 15);
  });
});
