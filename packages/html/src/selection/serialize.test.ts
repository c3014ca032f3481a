import { describe, expect, test } from "vitest";

import { parseHtml } from "../parser/parse.ts";
import { tagId } from "../parser/tree.ts";
import { only, selectAll } from "./selection.ts";
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
    [
      "forms and their buttons",
      "<form action=/s><input type=image src=i formaction=t></form>",
      '<form action="http://x.test/s"><input type="image" src="http://x.test/a/i" formaction="http://x.test/a/t"></form>',
    ],
    ["a form that is sent to its page", "<form action></form>", '<form action=""></form>'],
    [
      "objects and quotes",
      "<object data=/o></object><embed src=e><q cite=c>q</q>",
      '<object data="http://x.test/o"></object><embed src="http://x.test/a/e"><q cite="http://x.test/a/c">q</q>',
    ],
    [
      "styles",
      `<p style="color:red;background:url(b.png) no-repeat,URL('/c d.png'),url(#e),url(data:f)">x</p>`,
      '<p style="color:red;background:url(&quot;http://x.test/a/b.png&quot;) no-repeat,url(&quot;http://x.test/c%20d.png&quot;),url(#e),url(data:f)">x</p>',
    ],
    [
      "what is loaded late",
      "<div data-bg=/b.jpg data-url=c data-image='{\"a\":1}'></div><iframe data-src=f></iframe>",
      '<div data-bg="http://x.test/b.jpg" data-url="c" data-image="{&quot;a&quot;:1}"></div><iframe data-src="http://x.test/a/f"></iframe>',
    ],
    [
      "parts of drawings stay",
      '<svg><use href="#i"></use><image xlink:href=j.png></image></svg>',
      '<svg><use href="#i"></use><image xlink:href="http://x.test/a/j.png"></image></svg>',
    ],
    [
      "the largest of a late srcset",
      "<div data-srcset='b 1x, c 2x'></div>",
      '<div data-srcset="http://x.test/a/c"></div>',
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
    ["lazy ones", "<img data-src=b>", '<img src="http://x.test/a/b" data-src="http://x.test/a/b">'],
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

  test("a page without an html element has one body", () => {
    expect(serializeHtml(selectAll(parseHtml("<body class=b>x")), "http://x.test/")).toBe(
      '<html><body class="b">x</body></html>',
    );
  });

  test("a body that alone is selected is the only one", () => {
    const page = selectAll(parseHtml("<html lang=en><body class=b><p>x</p></body></html>"));
    const body = only(page, [page.tree.tag.indexOf(tagId("body"))]);
    expect(serializeHtml(body, "http://x.test/")).toBe('<html><body class="b"><p>x</p></body></html>');
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
