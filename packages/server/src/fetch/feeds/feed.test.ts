import { describe, expect, test } from "vitest";

import { isoDate, readJsonFeed, readXmlFeed } from "./feed.ts";

describe("the date of a feed", () => {
  test.each([
    ["RFC 822", "Tue, 24 Nov 2026 05:00:00 GMT", "2026-11-24T05:00:00Z"],
    ["without the day of the week", "24 Nov 2026 05:00:00 +0100", "2026-11-24T04:00:00Z"],
    ["with two digits for the year", "24 Nov 26 05:00:00 GMT", "2026-11-24T05:00:00Z"],
    ["with a zone by its name", "Tue, 24 Nov 2026 05:00:00 EST", "2026-11-24T10:00:00Z"],
    ["without a zone, as UTC", "Tue, 24 Nov 2026 05:00:00", "2026-11-24T05:00:00Z"],
    ["a day alone, as a day", "Tue, 24 Nov 2026", "2026-11-24"],
    ["ISO 8601", "2026-11-24T05:00:00+02:00", "2026-11-24T03:00:00Z"],
    ["with fractions", "2026-11-24T05:00:00.250Z", "2026-11-24T05:00:00.250Z"],
    ["with white around it", "\n  2026-11-24T05:00:00Z ", "2026-11-24T05:00:00Z"],
  ])("is written in ISO 8601: %s", (_what, written, iso) => {
    expect(isoDate(written)).toBe(iso);
  });

  test.each([
    ["a year", "2026"],
    ["a month", "2026-11"],
    ["a day", "2026-11-24"],
    ["a time without a zone, which only its site knows", "2026-11-24T05:00:00"],
    ["words", "last Tuesday"],
    ["a season", "Spring 2024"],
    ["a number of an issue", "Issue 12"],
    ["a bare number", "12"],
    ["a day that no month has", "2026-02-31T05:00:00Z"],
    ["a month of another language", "24 mai 2026 05:00"],
    ["a zone that is not known", "Tue, 24 Nov 2026 05:00:00 XYZT"],
  ])("stays as it is where it says less or cannot be read: %s", (_what, written) => {
    expect(isoDate(written)).toBe(written);
  });

  test.each([undefined, "", "  "])("is missing where nothing is written: %j", (written) => {
    expect(isoDate(written) ?? "").toBe("");
  });
});

const itemOf = (item: object) => readJsonFeed(JSON.stringify({ items: [item] }))?.items[0];

describe("a JSON Feed", () => {
  test("has what it says of itself", () => {
    const feed = { title: " Ferry ", home_page_url: "https://a.test/", description: "News", language: "en" };
    expect(readJsonFeed(JSON.stringify({ ...feed, items: [] }))).toEqual({
      title: "Ferry",
      url: "https://a.test/",
      description: "News",
      language: "en",
      items: [],
      isList: false,
    });
  });

  test("has authors of both versions, and topics, pictures and attachments", () => {
    const item = {
      author: { name: "Ann" },
      authors: [{ name: "Bob" }, { url: "https://a.test/nameless" }, 7],
      tags: ["ships", 7, null],
      image: "https://a.test/a.png",
      attachments: [{ url: "https://a.test/a.mp3" }, { mime_type: "audio/mpeg" }],
    };
    expect(itemOf(item)).toMatchObject({
      authors: ["Bob", "Ann"],
      topics: ["ships"],
      files: ["https://a.test/a.png", "https://a.test/a.mp3"],
    });
  });

  test("prefers HTML to text, and text to a summary; plain text is escaped", () => {
    const texts = { content_html: "<p>a</p>", content_text: "1 < 2", summary: "s" };
    expect(itemOf(texts)?.summaryHtml).toBe("<p>a</p>");
    expect(itemOf({ ...texts, content_html: "" })?.summaryHtml).toBe("1 &lt; 2");
    expect(itemOf({ summary: "a & b" })?.summaryHtml).toBe("a &amp; b");
    expect(itemOf({})?.summaryHtml).toBeUndefined();
  });

  test("links to the item, else to what it is about", () => {
    expect(itemOf({ url: "https://a.test/1", external_url: "https://b.test/" })?.url).toBe(
      "https://a.test/1",
    );
    expect(itemOf({ external_url: "https://b.test/" })?.url).toBe("https://b.test/");
  });

  test("has the date of publication, else of the last change", () => {
    const date_modified = "2026-01-02T00:00:00Z";
    expect(itemOf({ date_published: "2026-01-01T00:00:00Z", date_modified })?.date).toBe(
      "2026-01-01T00:00:00Z",
    );
    expect(itemOf({ date_modified })?.date).toBe(date_modified);
  });

  test("ignores values of other types", () => {
    expect(
      itemOf({ title: 7, url: ["https://a.test/"], authors: "Ann", tags: "ships", attachments: {} }),
    ).toMatchObject({
      title: undefined,
      url: undefined,
      authors: [],
      topics: ["ships"],
      files: [],
    });
    expect(readJsonFeed('{"items": [null, 1, "a", []]}')?.items).toEqual([]);
  });

  test.each(["", "{", "[]", "null", '"items"', "{}", '{"items": {}}', "<rss>"])("is none: %j", (text) => {
    expect(readJsonFeed(text)).toBeUndefined();
  });

  test("is none where names of every object would be its members", () => {
    expect(readJsonFeed('{"__proto__": {"items": []}}')).toBeUndefined();
  });
});

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

describe("the titles of a feed", () => {
  const rssTitle = (title: string): string | undefined =>
    readXmlFeed(`<rss><channel><title>x</title><item><title>${title}</title></item></channel></rss>`)
      ?.items[0]?.title;
  const atomTitle = (title: string): string | undefined =>
    readXmlFeed(`<feed xmlns="http://www.w3.org/2005/Atom"><entry>${title}</entry></feed>`)?.items[0]?.title;

  test.each([
    ["names of characters that nothing declares", "Caf&eacute; &mdash; 5&euro;", "Café — 5€"],
    ["names of characters in German", "Stra&szlig;e &amp;uuml;ber &amp;amp; unter", "Straße über & unter"],
    ["markup", "&lt;b&gt;Log&lt;/b&gt; &lt;br&gt;of", "Log of"],
    ["markup in a section", "<![CDATA[<em>Ein</em> Titel &#8211; zwei]]>", "Ein Titel – zwei"],
    ["scripts", "Log&lt;script&gt;alert(1)&lt;/script&gt;", "Log"],
    ["signs that open nothing", "1 &lt; 2 &amp; 3", "1 < 2 & 3"],
  ])("are text in RSS: %s", (_, written, shown) => {
    expect(rssTitle(written)).toBe(shown);
  });

  test.each([
    ["escaped twice", '<title type="html">Keeper&amp;#8217;s &amp;amp; oars</title>', "Keeper’s & oars"],
    ["in base64", '<title mode="base64">TG9ja3MgPGI+MTwvYj4=</title>', "Locks 1"],
    [
      "XHTML by its old type, with a script",
      '<title type="application/xhtml+xml"><div>A<script>b()</script> &lt;hr&gt;</div></title>',
      "A <hr>",
    ],
    ["plain text with a tag in it", "<title>What &lt;hr> does</title>", "What <hr> does"],
    [
      "XHTML that speaks of a tag",
      '<title type="xhtml"><div>The <b>tag</b> &lt;hr&gt;</div></title>',
      "The tag <hr>",
    ],
    [
      "escaped as in Atom 0.3",
      '<title type="text/html" mode="escaped">&lt;i&gt;Seil&lt;/i&gt; &amp;amp; Ruder</title>',
      "Seil & Ruder",
    ],
  ])("are text in Atom: %s", (_, written, shown) => {
    expect(atomTitle(written)).toBe(shown);
  });

  test("of the feed itself are text, too", () => {
    expect(
      readXmlFeed("<rss><channel><title>Weir &amp;amp; &lt;i&gt;mill&lt;/i&gt;</title></channel></rss>")
        ?.title,
    ).toBe("Weir & mill");
  });
});

describe("feeds as others write them", () => {
  test("RSS 1.0 whose elements carry prefixes", () => {
    const feed = `<r:RDF xmlns:r="http://www.w3.org/1999/02/22-rdf-syntax-ns#" xmlns:rss="http://purl.org/rss/1.0/" xmlns:dc="http://purl.org/dc/elements/1.1/">
      <rss:channel><rss:title>Mill</rss:title><rss:link>https://a.test/</rss:link></rss:channel>
      <rss:item><dc:title>Stone</dc:title><rss:link>https://a.test/stone</rss:link></rss:item></r:RDF>`;
    expect(readXmlFeed(feed)).toMatchObject({
      title: "Mill",
      url: "https://a.test/",
      items: [{ title: "Stone", url: "https://a.test/stone" }],
    });
  });

  test("elements of Atom in RSS, and Atom 0.3", () => {
    const asText = `<feed><entry><link rel="alternate">https://a.test/1</link></entry></feed>`;
    expect(readXmlFeed(asText)?.items[0]?.url).toBe("https://a.test/1");
    const written = `<rss><channel><item><link href="https://a.test/1"/><updated>2026-11-24T05:00:00Z</updated></item></channel></rss>`;
    expect(readXmlFeed(written)?.items[0]).toMatchObject({
      url: "https://a.test/1",
      date: "2026-11-24T05:00:00Z",
    });
    const old = `<feed version="0.3"><tagline>Of the mill</tagline><entry><title>a</title><created>2026-11-24T05:00:00Z</created></entry></feed>`;
    expect(readXmlFeed(old)).toMatchObject({
      description: "Of the mill",
      items: [{ date: "2026-11-24T05:00:00Z" }],
    });
  });

  test("addresses go by the nearest xml:base", () => {
    const feed = `<feed xmlns="http://www.w3.org/2005/Atom" xml:base="/log/"><link href="."/>
      <entry xml:base="2026/11/"><title>a</title><link href="sill"/><summary type="html">x</summary></entry>
      <entry><title>b</title><link href="crane"/><content type="html" xml:base="https://b.test/x/">y</content></entry></feed>`;
    expect(readXmlFeed(feed, "https://a.test/feed")).toMatchObject({
      url: "https://a.test/log/",
      items: [
        { url: "https://a.test/log/2026/11/sill", base: "https://a.test/log/2026/11/" },
        { url: "https://a.test/log/crane", base: "https://b.test/x/" },
      ],
    });
  });

  test("declarations that explode are not expanded", () => {
    const bomb = Array.from(
      { length: 20 },
      (_, at) => `<!ENTITY e${at + 1} "${`&e${at};`.repeat(20)}">`,
    ).join("");
    const feed = `<!DOCTYPE rss [<!ENTITY e0 "x">${bomb}]><rss><channel><title>a &e20;</title></channel></rss>`;
    expect(readXmlFeed(feed)?.title?.length).toBeLessThan(100);
  });
});
