import { describe, expect, test } from "vitest";

import { parseHtml } from "../parser/parse.ts";
import { selectAll } from "../selection/selection.ts";
import { toMarkdown } from "./convert.ts";

const BASE = "https://shop.test/dir/page";

function markdown(html: string): string {
  return toMarkdown(selectAll(parseHtml(html)), BASE);
}

describe("links", () => {
  test.each([
    [
      "a heading is not named after the link to itself",
      '<h2>Setup<a href="#setup" aria-label="Direct link to Setup">&#8203;</a></h2>',
      "## Setup",
    ],
    [
      "a heading without text is",
      '<h2><a href="/x" aria-label="Setup"><svg></svg></a></h2>',
      "## [Setup](https://shop.test/x)",
    ],
    ["absolute", '<a href="../a">x</a>', "[x](https://shop.test/a)"],
    ["with a title", '<a href="/a" title="A &quot;b&quot;">x</a>', '[x](https://shop.test/a "A \\"b\\"")'],
    [
      "a title that repeats the text says nothing",
      '<a href="/a" title="x">x</a>',
      "[x](https://shop.test/a)",
    ],
    ["mail", '<a href="mailto:a@b.test">x</a>', "[x](mailto:a@b.test)"],
    ["spaces and brackets in the address", '<a href="/a b)">x</a>', "[x](https://shop.test/a%20b\\))"],
    ["balanced brackets stay", '<a href="/a_(b)">x</a>', "[x](https://shop.test/a_(b))"],
    ["brackets in the text are escaped", '<a href="/a">[x]</a>', "[\\[x\\]](https://shop.test/a)"],
    ["an exclamation mark before makes no image", 'a!<a href="/a">x</a>', "a\\![x](https://shop.test/a)"],
    ["white space moves out", 'a<a href="/a"> x </a>b', "a [x](https://shop.test/a) b"],
    [
      "touching links are kept apart",
      '<a href="/a">x</a><a href="/b">y</a>',
      "[x](https://shop.test/a) [y](https://shop.test/b)",
    ],
    [
      "two links that divide a word are one",
      '<a href="/a">cer</a><a href="/a">emony</a> <a href="/a">x</a><a href="/b">y</a>',
      "[ceremony](https://shop.test/a) [x](https://shop.test/a) [y](https://shop.test/b)",
    ],
    ["a line break inside", '<a href="/a">x<br>y</a>', "[x\\\ny](https://shop.test/a)"],
    [
      "an image as text",
      '<a href="/a"><img src="/i.png" alt="i"></a>',
      "[![i](https://shop.test/i.png)](https://shop.test/a)",
    ],
    [
      "a label instead of text",
      '<a href="/a" aria-label="Home"><svg></svg></a>',
      "[Home](https://shop.test/a)",
    ],
    ["a title instead of text", '<a href="/a" title="Home"><svg></svg></a>', "[Home](https://shop.test/a)"],
    ["nothing to show", 'a <a href="/a"><svg></svg></a> b', "a b"],
    ["script addresses leave the text", '<a href="javascript:go()">x</a>', "x"],
    ["invalid addresses leave the text", '<a href="http://[">x</a>', "x"],
    ["no address", "<a name=x>x</a>", "x"],
    ["fragments are absolute", '<a href="#part">Part</a>', "[Part](https://shop.test/dir/page#part)"],
    ["skip links are dropped", '<a href="#c">Skip to Content</a>a', "a"],
    [
      "a skip link to another page is a link",
      '<a href="/c">Skip to content</a>',
      "[Skip to content](https://shop.test/c)",
    ],
    ["headings do not link to themselves", '<h2>A<a href="#a">¶</a></h2>', "## A"],
    [
      "nor to a place in their page",
      '<h2><a href="#toc">A</a></h2><a href="/dir/page#b"><h3>B</h3></a><h4><a href="/c#d">C</a></h4>',
      "## A\n\n### B\n\n#### [C](https://shop.test/c#d)",
    ],
    ["nor name their address", '<h3>A <a href="#part-a">#part-a</a></h3>', "### A"],
    ["footnote references are text", 'a<sup><a href="#fn1">1</a></sup>', "a[1]"],
    [
      "footnote references by the page's own address",
      'a<sup><a href="/dir/page#fn1">[1]</a></sup><p><a href="https://shop.test/dir/page#ref1">^</a> b',
      "a[1]\n\nb",
    ],
    [
      "a wiki's links to edit a part",
      '<h2>A<span class="mw-editsection">[<a href="/edit?section=1">edit</a>]</span></h2>',
      "## A",
    ],
    ["a footnote in brackets", 'a<a href="#fn1"><sup>[2]</sup></a>(b)', "a[2\\](b)"],
  ])("%s", (_, html, expected) => {
    expect(markdown(html)).toBe(expected);
  });
});

describe("links around blocks", () => {
  test.each([
    [
      "on the heading",
      '<a href="/a"><p>x</p><h3>T</h3><p>y</p></a>',
      "x\n\n### [T](https://shop.test/a)\n\ny",
    ],
    [
      "on the first line without a heading",
      '<a href="/a"><div>x</div><div>y</div></a>',
      "[x](https://shop.test/a)\n\ny",
    ],
    [
      "on text rather than on a picture",
      '<a href="/a"><div><img src="/i.png" alt=""></div><div>x</div></a>',
      "![](https://shop.test/i.png)\n\n[x](https://shop.test/a)",
    ],
    [
      "not inside another link",
      '<a href="/a">x<svg><a href="/b">y</a></svg></a>',
      "[x](https://shop.test/a)",
    ],
  ])("%s", (_, html, expected) => {
    expect(markdown(html)).toBe(expected);
  });
});

describe("images", () => {
  test.each([
    [
      "decoration beside a link with words to the same place is dropped",
      '<a href=/a><img src=/i.png alt=""></a> <a href=/a>Chair</a>',
      "[Chair](https://shop.test/a)",
    ],
    [
      "decoration that alone leads somewhere stays",
      '<a href=/a><img src=/i.png alt=""></a> <a href=/b>Chair</a>',
      "[![](https://shop.test/i.png)](https://shop.test/a) [Chair](https://shop.test/b)",
    ],
    [
      "absolute with alternative text",
      '<img src="i.png" alt="a [b]">',
      "![a \\[b\\]](https://shop.test/dir/i.png)",
    ],
    [
      "the largest candidate",
      '<img src="s.png" srcset="m.png 2x, l.png 3x">',
      "![](https://shop.test/dir/l.png)",
    ],
    ["lazy loading", '<img data-src="/i.png">', "![](https://shop.test/i.png)"],
    [
      "the same picture once",
      '<img src="/i.png" alt="a"> <img src="/i.png" alt="b">',
      "![a](https://shop.test/i.png)",
    ],
    [
      "a stand-in that says nothing is dropped",
      '<img src="data:image/gif;base64,R0"><img src="/spacer.gif">a',
      "a",
    ],
    [
      "a stand-in with alternative text stays",
      '<img src="/loading.gif" alt="A boat">',
      "![A boat](https://shop.test/loading.gif)",
    ],
    ["counting pixels are dropped", '<img src="/i.png" width="1" height="1">a', "a"],
    [
      "embedded pictures stay here",
      '<img src="data:image/png;base64,AAAA" alt="a">',
      "![a](data:image/png;base64,AAAA)",
    ],
    ["no source", "<img alt=a>b", "b"],
  ])("%s", (_, html, expected) => {
    expect(markdown(html)).toBe(expected);
  });
});

describe("embedded media", () => {
  test.each([
    [
      "a player",
      '<iframe src="https://v.test/embed/1" title="Film"></iframe>',
      "[Film](https://v.test/embed/1)",
    ],
    ["a document", '<iframe src="/files/a.pdf"></iframe>', "[iframe](https://shop.test/files/a.pdf)"],
    ["other frames are dropped", '<iframe src="https://ads.test/x"></iframe>a', "a"],
    ["video", '<video><source src="/v.mp4">No video</video>', "[video](https://shop.test/v.mp4)"],
    ["audio", '<audio src="/a.mp3" title="Song"></audio>', "[Song](https://shop.test/a.mp3)"],
    ["video without an address", "<video>none</video>a", "a"],
  ])("%s", (_, html, expected) => {
    expect(markdown(html)).toBe(expected);
  });
});
