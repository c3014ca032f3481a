import { describe, expect, test } from "vitest";

import { readXmlFeed } from "./read-xml-feed.ts";

const rss = (item: string) => readXmlFeed(`<rss><channel><item>${item}</item></channel></rss>`)?.items[0];
const atom = (entry: string) => readXmlFeed(`<feed><entry>${entry}</entry></feed>`)?.items[0];

describe("RSS", () => {
  test("has what its channel says, not what an item says", () => {
    const channel =
      "<title>Ferry</title><link>https://a.test/</link><description>News</description><language>en</language>";
    expect(
      readXmlFeed(`<rss><channel>${channel}<item><title>x</title></item></channel></rss>`),
    ).toMatchObject({
      title: "Ferry",
      url: "https://a.test/",
      description: "News",
      language: "en",
      isList: false,
    });
  });

  test.each([
    ["its link", "<link>/a</link><guid>https://a.test/guid</guid>", "/a"],
    ["a permanent link", "<guid>https://a.test/guid</guid>", "https://a.test/guid"],
    ["nothing where the id is not a link", '<guid isPermaLink="false">https://a.test/guid</guid>', undefined],
    ["nothing where the id is not an address", "<guid>tag:a.test,2026:1</guid>", undefined],
  ])("an item leads to %s", (_what, item, url) => {
    expect(rss(item)?.url).toBe(url);
  });

  test("prefers the whole text, keeps each author once, and every file once", () => {
    const item = `<description>short</description><content:encoded><![CDATA[<p>whole</p>]]></content:encoded>
      <dc:creator>Ann</dc:creator><author>Ann</author><enclosure url="/a.mp3"/><media:content url="/a.mp3"/>
      <media:group><media:content url="/b.mp4"/></media:group><enclosure url=""/>`;
    expect(rss(item)).toMatchObject({
      summaryHtml: "<p>whole</p>",
      authors: ["Ann"],
      files: ["/a.mp3", "/b.mp4"],
    });
  });

  test("of version 1.0 has its items beside the channel", () => {
    const feed = readXmlFeed(
      "<rdf:RDF><channel><title>T</title></channel><item><title>a</title></item></rdf:RDF>",
    );
    expect(feed).toMatchObject({ title: "T", items: [{ title: "a" }] });
  });
});

describe("Atom", () => {
  test.each([
    ["text is escaped", "<content>1 &lt; 2</content>", "1 &lt; 2"],
    ["HTML is as it is", '<content type="html">&lt;b&gt;a&lt;/b&gt;</content>', "<b>a</b>"],
    [
      "XHTML is written again",
      '<content type="xhtml"><div><x:b>a</x:b><br/></div></content>',
      "<div><b>a</b><br></div>",
    ],
    ["a summary where the content is empty", "<content> </content><summary>s</summary>", "s"],
  ])("%s", (_what, entry, html) => {
    expect(atom(entry)?.summaryHtml).toBe(html);
  });

  test("escapes attributes of XHTML", () => {
    const entry = `<content type="xhtml"><a href='"&gt;&lt;b'>x</a></content>`;
    expect(atom(entry)?.summaryHtml).toBe('<a href="&quot;>&lt;b">x</a>');
  });

  test("leads to the page, not to its comments, and to itself only without one", () => {
    const self = '<link rel="self" href="/self"/>';
    expect(atom(`<link rel="replies" href="/r"/>${self}<link href="/a"/>`)?.url).toBe("/a");
    expect(atom(self)?.url).toBe("/self");
    expect(atom('<link rel="replies" href="/r"/>')?.url).toBeUndefined();
  });

  test("has titles in plain text, authors by name or address, and labels of its categories", () => {
    const entry = `<title type="html">&lt;i&gt;a&lt;/i&gt; b</title><author><email>a@b.test</email></author>
      <author><name>Ann</name></author><category term="x" label="X"/><category term="y"/>`;
    expect(atom(entry)).toMatchObject({ title: "a b", authors: ["a@b.test", "Ann"], topics: ["X", "y"] });
  });
});

describe("lists", () => {
  test("a sitemap has addresses, dates and pictures", () => {
    const url = `<url><loc> https://a.test/ </loc><lastmod>2026-11-24</lastmod>
      <image:image><image:loc>/a.png</image:loc></image:image></url>`;
    expect(readXmlFeed(`<urlset>${url}</urlset>`)).toMatchObject({
      isList: true,
      items: [{ url: "https://a.test/", date: "2026-11-24", files: ["/a.png"] }],
    });
  });

  test("an outline keeps its order and depth", () => {
    const text = `<opml><head><title>Feeds</title></head><body>
      <outline text="News"><outline text="Ferry" xmlUrl="/f.xml" htmlUrl="/f"/></outline><outline title="b" url="/b"/></body></opml>`;
    expect(readXmlFeed(text)).toMatchObject({
      title: "Feeds",
      items: [
        { title: "News", items: [{ title: "Ferry", url: "/f", files: ["/f.xml"] }] },
        { title: "b", url: "/b" },
      ],
    });
  });
});

describe("hostile XML", () => {
  test("expands no entities of its own", () => {
    const text = `<!DOCTYPE rss [<!ENTITY a "boom">]><rss><channel><item><title>&a;</title></item></channel></rss>`;
    expect(readXmlFeed(text)?.items[0]?.title).not.toContain("boom");
  });

  test("that is nested very deeply does not end the process", () => {
    const deep = "<a>".repeat(100_000);
    expect(readXmlFeed(`<rss><channel><title>T</title>${deep}</channel></rss>`)).toMatchObject({ items: [] });
  });

  test("that ends in the middle gives what came before", () => {
    expect(readXmlFeed("<rss><channel><item><title>a</title></item><item><title>b")?.items[0]?.title).toBe(
      "a",
    );
  });

  test.each(["", "text", "<html></html>", "<constructor/>", "<a:/>"])("is not a feed: %j", (text) => {
    expect(readXmlFeed(text)).toBeUndefined();
  });
});
