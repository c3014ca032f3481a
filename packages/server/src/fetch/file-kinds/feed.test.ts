import { describe, expect, test } from "vitest";

import type { DocumentTools } from "./document-tools.ts";
import { extractJson } from "@pergamon-dev/facts/extraction/extract-json";
import { lazy } from "@pergamon-dev/kit/lazy";
import { collectLinks } from "@pergamon-dev/html/selection/links";
import { kindNamed } from "./all.ts";
import { detectFile } from "./detect.ts";
import type { FileParts, FileSource, ReadOptions } from "./kind.ts";
import { completeParts } from "./parts.ts";

const URL_OF_FEED = "https://news.test/feeds/latest";
const OPTIONS: ReadOptions = {
  onlyMainContent: true,
  includeTags: [],
  excludeTags: [],
  removeBase64Images: true,
  removesConsent: true,
  parsers: [],
  languages: [],
};

async function read(body: string | Buffer, contentType = "text/html"): Promise<FileParts> {
  const bytes = Buffer.from(body as string);
  const { kind, mimeType } = await detectFile(bytes, contentType, URL_OF_FEED);
  const source: FileSource = { body: bytes, contentType, url: URL_OF_FEED, mimeType, options: OPTIONS };
  const stage = <Value>(_name: string, compute: () => Value) => lazy(compute);
  const { signal } = new AbortController();
  const documents = {} as DocumentTools;
  return completeParts(await kindNamed(kind).read(source, { stage, signal, documents }), source);
}

const RSS = `<?xml version="1.0"?><!-- made by hand --><rss version="2.0" xmlns:dc="http://purl.org/dc/elements/1.1/">
<channel><title>Harbour news</title><link>https://news.test/</link><description>What the ships do</description>
<item><title>Ferry &amp; crew</title><link>/ferry</link><pubDate>Tue, 24 Nov 2026 05:00:00 GMT</pubDate>
<dc:creator>Ada Berg</dc:creator><category>Ships</category><category>Crew</category>
<description><![CDATA[<p>The <b>east quay</b> ferry closes.</p><p>After 115 years.]]></description>
<enclosure url="https://news.test/ferry.mp3" type="audio/mpeg" length="1"/></item>
<item><title>Second</title><guid>https://news.test/second</guid><pubDate>not a date</pubDate>
<description>Cut off &lt;script&gt;let a = 1</description></item>
<item><title>Third</title><link>https://news.test/third</link></item>
</channel></rss>`;

describe("RSS", () => {
  test("is read as items with links, dates, authors, topics and texts, whatever type the server names", async () => {
    const feed = await read(RSS);
    expect(feed.markdown()).toBe(
      [
        "# [Harbour news](https://news.test/)",
        "What the ships do",
        "## [Ferry & crew](https://news.test/ferry)",
        "2026-11-24T05:00:00Z · Ada Berg · Ships, Crew",
        "The **east quay** ferry closes.",
        "After 115 years.",
        "[https://news.test/ferry.mp3](https://news.test/ferry.mp3)",
        "## [Second](https://news.test/second)",
        "not a date",
        "Cut off",
        "## [Third](https://news.test/third)",
      ].join("\n\n"),
    );
    expect(feed.rawHtml()).toBe(RSS);
    expect(feed.metadata()).toMatchObject({ title: "Harbour news", description: "What the ships do" });
    expect(collectLinks(feed.wanted(), feed.baseUrl())).toEqual([
      "https://news.test/",
      "https://news.test/ferry",
      "https://news.test/ferry.mp3",
      "https://news.test/second",
      "https://news.test/third",
    ]);
  });

  test("fills a schema", async () => {
    const feed = await read(RSS);
    const item = { type: "object", properties: { title: { type: "string" }, url: { type: "string" } } };
    const schema = { type: "object", properties: { items: { type: "array", items: item } } };
    expect(extractJson(feed.ownEvidence(), { schema }, URL_OF_FEED).value).toEqual({
      items: [
        { title: "Ferry & crew", url: "https://news.test/ferry" },
        { title: "Second", url: "https://news.test/second" },
        { title: "Third", url: "https://news.test/third" },
      ],
    });
  });
});

describe("other formats", () => {
  test("Atom, with texts of every kind and a prefix on its elements", async () => {
    const atom = `<a:feed xmlns:a="http://www.w3.org/2005/Atom"><a:title>Log</a:title>
      <a:link rel="self" href="https://news.test/self"/><a:link href="https://news.test/log"/>
      <a:entry><a:title type="html">One &lt;i&gt;two&lt;/i&gt;</a:title><a:link href="/one"/>
      <a:updated>2026-11-24T06:30:00+01:00</a:updated><a:author><a:name>Bo</a:name></a:author>
      <a:category term="x" label="Ex"/>
      <a:content type="xhtml"><div><p>Kept <em>as is</em></p></div></a:content></a:entry>
      <a:entry><a:title>Plain</a:title><a:summary>1 &lt; 2</a:summary></a:entry></a:feed>`;
    expect((await read(atom, "application/atom+xml")).markdown()).toBe(
      [
        "# [Log](https://news.test/log)",
        "## [One two](https://news.test/one)",
        "2026-11-24T05:30:00Z · Bo · Ex",
        "Kept _as is_",
        "## Plain",
        "1 < 2",
      ].join("\n\n"),
    );
  });

  test("JSON Feed", async () => {
    const feed = JSON.stringify({
      version: "https://jsonfeed.org/version/1.1",
      title: "Notes",
      items: [
        {
          id: "1",
          url: "https://news.test/1",
          content_html: "<p>Hello</p>",
          date_published: "2026-11-24T05:00:00Z",
        },
      ],
    });
    expect((await read(feed, "application/json")).markdown()).toBe(
      "# Notes\n\n## [https://news.test/1](https://news.test/1)\n\n2026-11-24T05:00:00Z\n\nHello",
    );
  });

  test("a sitemap is a list of addresses and dates", async () => {
    const sitemap = `<urlset><url><loc>https://news.test/a?x=1&amp;y=2</loc><lastmod>2026-11-01</lastmod></url>
      <url><loc>https://news.test/b</loc></url></urlset>`;
    expect((await read(sitemap, "application/xml")).markdown()).toBe(
      "- [https://news.test/a?x=1&y=2](https://news.test/a?x=1&y=2) 2026-11-01\n- [https://news.test/b](https://news.test/b)",
    );
  });

  test("OPML is a list of lists", async () => {
    const opml = `<opml version="2.0"><head><title>Mine</title></head><body><outline text="Ships">
      <outline text="Harbour" htmlUrl="https://news.test/" xmlUrl="https://news.test/rss"/></outline></body></opml>`;
    expect((await read(opml, "text/xml")).markdown()).toMatch(
      /^# Mine\n\n- Ships\n\s+- \[Harbour\]\(https:\/\/news\.test\/\) \[https:\/\/news\.test\/rss\]/,
    );
  });

  test("UTF-16", async () => {
    const bytes = Buffer.concat([Buffer.from([0xff, 0xfe]), Buffer.from(RSS, "utf16le")]);
    expect((await read(bytes, "application/rss+xml")).markdown()).toContain("## [Ferry & crew]");
  });
});

describe("what is not a feed", () => {
  test.each([
    ["<note><to>you</to></note>", "application/xml", "```xml"],
    ["<note>claims to be RSS</note>", "application/rss+xml", "```xml"],
    ['{"version": "https://jsonfeed.org/version/1", "items": 3}', "application/json", "```json"],
    ['{"items": []}', "application/json", "```json"],
    ["<html><body><p>about <rss></p></body></html>", "text/html", "about"],
  ])("%s stays what it is", async (body, type, start) => {
    expect((await read(body, type)).markdown().startsWith(start)).toBe(true);
  });
});

describe("hostile feeds", () => {
  test("entities that explode are not expanded", async () => {
    const bomb = `<!DOCTYPE rss [<!ENTITY a "aaaaaaaaaa"><!ENTITY b "&a;&a;&a;">]><rss><channel><title>&b;</title></channel></rss>`;
    expect((await read(bomb)).markdown().length).toBeLessThan(40);
  });

  test("a thousand comments before nothing, and outlines without end, are read in time", async () => {
    await read(`${"<!-- -->".repeat(1000)}x`, "application/xml");
    const deep = `<opml><body>${'<outline text="a">'.repeat(50_000)}</body></opml>`;
    expect((await read(deep)).markdown().length).toBeLessThan(10_000);
  });
});
