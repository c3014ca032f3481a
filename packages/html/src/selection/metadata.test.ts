import { describe, expect, test } from "vitest";

import { extractMetadata, type Metadata } from "./metadata.ts";
import { parseHtml } from "../parser/parse.ts";

function metadataOf(head: string, body = ""): Metadata {
  const html = `<html lang="en-GB"><head>${head}</head><body>${body}</body></html>`;
  return extractMetadata(parseHtml(html), "https://shop.test/a/b");
}

describe("title", () => {
  test.each([
    ["the first in head, trimmed", "<title> a &amp;\n b </title><title>c</title>", "a &\n b"],
    ["og:title", "<title> </title><meta property=og:title content=c>", "c"],
    ["twitter:title", "<meta name=twitter:title content=c>", "c"],
    ["not overwritten by a meta", "<title>a</title><meta name=title content=b>", "a"],
  ])("%s", (_name, head, title) => {
    expect(metadataOf(head, "<svg><title>drawing</title></svg>")["title"]).toBe(title);
  });

  test("that stands behind a drawing in the body is the page's", () => {
    const body = "<svg><title>drawing</title></svg><title>Moorings</title><main>Text</main>";
    expect(metadataOf("", body)["title"]).toBe("Moorings");
  });

  test("a drawing's is none", () => {
    expect(metadataOf("", "<svg><title>drawing</title></svg>")).not.toHaveProperty("title");
  });

  test("a page without head or body tags has one too", () => {
    expect(extractMetadata(parseHtml("<title>a</title><p>b"), "http://x.test/")["title"]).toBe("a");
  });
});

test("several descriptions are joined, several values of other names are listed", () => {
  const head = `<meta name=description content=a><meta name=description content="b &lt;"><meta name=author content=x>
    <meta name=author content=y><meta name=author content=z><meta name=keywords content="k, l"><meta name=robots content="">`;
  expect(metadataOf(head)).toMatchObject({
    description: "a, b <",
    author: ["x", "y", "z"],
    keywords: "k, l",
    robots: "",
  });
});

test.each([
  ["ogTitle", "property", "og:title"],
  ["ogDescription", "property", "og:description"],
  ["ogUrl", "property", "og:url"],
  ["ogImage", "property", "og:image"],
  ["ogAudio", "property", "og:audio"],
  ["ogDeterminer", "property", "og:determiner"],
  ["ogLocale", "property", "og:locale"],
  ["ogSiteName", "property", "og:site_name"],
  ["ogVideo", "property", "og:video"],
  ["articleSection", "name", "article:section"],
  ["articleTag", "name", "article:tag"],
  ["publishedTime", "property", "article:published_time"],
  ["modifiedTime", "property", "article:modified_time"],
  ["dcDescription", "name", "dc.description"],
  ["dcSubject", "name", "dc.subject"],
  ["dcType", "name", "dc.type"],
  ["dcDate", "name", "dc.date"],
  ["dcDateCreated", "name", "dc.date.created"],
  ["dcTermsKeywords", "name", "dcterms.keywords"],
  ["dcTermsSubject", "name", "dcterms.subject"],
  ["dcTermsAudience", "name", "dcterms.audience"],
  ["dcTermsType", "name", "dcterms.type"],
  ["dcTermsCreated", "name", "dcterms.created"],
])("%s is the first %s=%s, which is copied too", (field, naming, key) => {
  const head = `<meta ${naming}="${key}" content=1><meta ${naming}="${key}" content=2>`;
  expect(metadataOf(head)).toMatchObject({ [field]: "1", [key]: ["1", "2"] });
  expect(metadataOf("")).not.toHaveProperty(field);
});

describe("copied names", () => {
  test.each([
    ["<meta name=viewport content=w>", "viewport", "w"],
    ["<meta property=fb:app_id content=1>", "fb:app_id", "1"],
    ["<meta itemprop=price content=9>", "price", "9"],
    ["<meta name=a property=b content=c>", "a", "c"],
    ["<meta name=Theme-Color content=red>", "Theme-Color", "red"],
    ["<meta name=constructor content=x>", "constructor", "x"],
  ])("%s", (head, key, value) => {
    expect(metadataOf(head)[key]).toBe(value);
  });

  test("a name from the body", () => {
    expect(metadataOf("", "<meta itemprop=sku content=1>")).toHaveProperty("sku", "1");
  });

  test("metas without content or name are none", () => {
    expect(
      metadataOf("<meta charset=utf-8><meta name=a><meta content=b><meta http-equiv=refresh content=c>"),
    ).toEqual({
      language: "en-GB",
      ogLocaleAlternate: [],
    });
  });

  test("__proto__ is no name", () => {
    const metadata = metadataOf("<meta name=__proto__ content=x><meta name=__proto__ content=y>");
    expect(Object.keys(metadata)).toEqual(["language", "ogLocaleAlternate"]);
    expect(Object.getPrototypeOf(metadata)).toBe(Object.prototype);
  });
});

describe("language", () => {
  test("as the page writes it", () => {
    expect(metadataOf("")["language"]).toBe("en-GB");
  });

  test("absent without lang", () => {
    expect(extractMetadata(parseHtml("<html><body>a"), "http://x.test/")).not.toHaveProperty("language");
  });
});

describe("favicon", () => {
  test.each([
    ["<link rel=icon href=/f.ico>", "https://shop.test/f.ico"],
    ["<link rel='shortcut icon' href=f.ico><link rel=icon href=g.ico>", "https://shop.test/a/g.ico"],
    ["<base href=/x/><link rel='Shortcut Icon' href=f.ico>", "https://shop.test/a/f.ico"],
    ["<link rel=apple-touch-icon href=//cdn.test/f.png>", "https://cdn.test/f.png"],
  ])("%s", (head, url) => {
    expect(metadataOf(head)["favicon"]).toBe(url);
  });

  test("is not guessed", () => {
    expect(metadataOf("<link rel=stylesheet href=x>")).not.toHaveProperty("favicon");
  });
});

test("ogLocaleAlternate is always a list", () => {
  const meta = "<meta property=og:locale:alternate content=";
  expect(metadataOf("")["ogLocaleAlternate"]).toEqual([]);
  expect(metadataOf(`${meta}de>`)["ogLocaleAlternate"]).toEqual(["de"]);
  expect(metadataOf(`${meta}de>${meta}fr>`)["ogLocaleAlternate"]).toEqual(["de", "fr"]);
});

test("numbers and lengths are bounded", () => {
  const many = Array.from({ length: 100_000 }, (_, i) => `<meta name=k${i} content=v>`).join("");
  const metadata = metadataOf(`${"<meta name=a content=b>".repeat(100_000)}${many}`);
  expect(Object.keys(metadata).length).toBeLessThanOrEqual(510);
  expect(metadata["a"]).toHaveLength(500);
  expect(metadataOf(`<meta name=a content="${"x".repeat(20_000)}">`)["a"]).toHaveLength(10_000);
  expect(metadataOf("<meta name=description content=abc>".repeat(10_000))["description"]).toHaveLength(
    10_000,
  );
});
