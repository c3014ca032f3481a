import { describe, expect, test } from "vitest";

import { readJsonFeed } from "./read-json-feed.ts";

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
