import { describe, expect, test } from "vitest";

import { parseHtml } from "./parser/parse.ts";
import { selectAll } from "./selection.ts";
import { serializeHtml } from "./serialize.ts";

/** The cleaned body of a page at http://x.test/a/. */
function clean(body: string): string {
  const html = serializeHtml(selectAll(parseHtml(body)), "http://x.test/a/");
  return html.slice("<html><body>".length, -"</body></html>".length);
}

describe("addresses", () => {
  test.each([
    ["links", "<a href='b?c&amp;d'>x</a>", '<a href="http://x.test/a/b?c&amp;d">x</a>'],
    ["what is no URL stays", "<a href='http://['>x</a>", '<a href="http://[">x</a>'],
    ["empty ones stay", "<a href=''>x</a>", '<a href="">x</a>'],
    ["images", "<img src=/b.png alt=c>", '<img src="http://x.test/b.png" alt="c">'],
    [
      "players",
      "<video src=v poster=p></video>",
      '<video src="http://x.test/a/v" poster="http://x.test/a/p"></video>',
    ],
    ["data URIs stay", "<img src='data:image/png;base64,AA=='>", '<img src="data:image/png;base64,AA==">'],
  ])("%s", (_name, html, expected) => {
    expect(clean(html)).toBe(expected);
  });
});

describe("images", () => {
  test.each([
    ["the largest of srcset", "<img src=a srcset='b 2x, c 3x' sizes=1px>", '<img src="http://x.test/a/c">'],
    [
      "the largest of the picture",
      "<picture><source srcset='b 900w'><img src=a></picture>",
      '<picture><img src="http://x.test/a/b"></picture>',
    ],
    ["lazy ones", "<img data-src=b>", '<img src="http://x.test/a/b" data-src="b">'],
    ["each address once", "<img src=a><p><img src='/a/a'></p>", '<img src="http://x.test/a/a"><p></p>'],
    ["without address", "<img alt=a><img alt=b>", '<img alt="a"><img alt="b">'],
  ])("%s", (_name, html, expected) => {
    expect(clean(html)).toBe(expected);
  });
});

describe("markup", () => {
  test.each([
    ["escapes text", "a &lt;b&gt; &amp;amp; &nbsp;", "a &lt;b&gt; &amp;amp; &nbsp;"],
    ["escapes attributes", `<p title='"<&amp;>'>`, '<p title="&quot;&lt;&amp;&gt;"></p>'],
    ["closes what was open", "<ul><li>a<li>b", "<ul><li>a</li><li>b</li></ul>"],
    ["void elements", "a<br>b<hr><input disabled>", 'a<br>b<hr><input disabled="">'],
    ["drops event handlers", "<p onclick=x() OnLoad=y id=a>b</p>", '<p id="a">b</p>'],
    ["drops names that would not survive", `<p "a <b c>d</p>`, '<p c="">d</p>'],
    ["keeps other attributes", "<p data-a=1 style='b'>c</p>", '<p data-a="1" style="b">c</p>'],
    ["leaves out scripts and styles", "a<script>b</script><style>c</style><noscript>d</noscript>e", "ae"],
    ["raw text stays raw", "<iframe><b>&amp;</iframe>", "<iframe><b>&amp;</iframe>"],
    ["a newline that is content", "<pre>\n\na</pre>", "<pre>\n\na</pre>"],
    [
      "custom elements and drawings",
      "<x-a><svg><path d=1 /></svg></x-a>",
      '<x-a><svg><path d="1"></path></svg></x-a>',
    ],
  ])("%s", (_name, html, expected) => {
    expect(clean(html)).toBe(expected);
  });

  test("what is written reads back the same", () => {
    const once = clean("<table><tr><td>a &amp; b<td><pre>\n\n x</pre></table><p title='&quot;'>c<p>d");
    expect(clean(once)).toBe(once);
  });

  test("the page's own html and body elements are kept", () => {
    const page = "<!doctype html><html lang=en><head><title>t</title></head><body class=b>x</body></html>";
    expect(serializeHtml(selectAll(parseHtml(page)), "http://x.test/")).toBe(
      '<html lang="en"><body class="b">x</body></html>',
    );
  });

  test("nothing selected", () => {
    expect(serializeHtml(selectAll(parseHtml("")), "http://x.test/")).toBe("<html><body></body></html>");
  });
});

describe("text within drawings and formulas becomes no tag, whatever element it is in", () => {
  const RAW = ["xmp", "iframe", "noembed", "noframes", "plaintext"];
  const TAG = "<img src=x onerror=alert(1)>";

  test.each(RAW)("%s with what parsers of drawings take as text", (name) => {
    for (const foreign of ["svg", "math"]) {
      const html = clean(`<${foreign}><${name}><![CDATA[${TAG}]]></${name}></${foreign}>`);
      expect(html).toBe(`<${foreign}><${name}>&lt;img src=x onerror=alert(1)&gt;</${name}></${foreign}>`);
      expect(clean(html)).toBe(html);
    }
  });

  test.each(RAW)("%s where only some readers see HTML again", (name) => {
    for (const [outer, inner] of [
      ["svg", "foreignobject"],
      ["svg", "mi"],
      ["math", "annotation-xml"],
      ["math", "desc"],
    ]) {
      const html = clean(`<${outer}><${inner}><${name}>${TAG}</${name}></${inner}></${outer}>`);
      expect([outer, inner, html]).toEqual([outer, inner, expect.not.stringContaining("<img")]);
    }
  });

  test.each(RAW)("character references in %s mean characters there", (name) => {
    const html = `<svg><${name}>&lt;b&gt; &amp;amp;</${name}></svg>`;
    expect(clean(html)).toBe(html);
  });
});

test("a deep page and a wide one", () => {
  expect(clean("<div>".repeat(100_000))).toBe(
    "<div>".repeat(512) + "<div></div>".repeat(100_000 - 512) + "</div>".repeat(512),
  );
  expect(clean("<p>a</p>".repeat(100_000))).toBe("<p>a</p>".repeat(100_000));
});
