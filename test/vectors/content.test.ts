import { createHash } from "node:crypto";

import { beforeAll, describe, expect, test } from "vitest";

import { htmlPage } from "../site.ts";
import { useSharedWorld } from "../use-world.ts";

const world = useSharedWorld();

/** Puts bytes or text of a type on a path. */
function file(path: string, contentType: string, body: string | Uint8Array, status = 200): string {
  return world.site.page(path, (_request, response) => {
    response.writeHead(status, { "content-type": contentType }).end(body);
  });
}

/** The data of a scrape that succeeds. */
async function dataOf(request: Readonly<Record<string, unknown>>) {
  const { status, body } = await world.scrape(request);
  expect(body).toMatchObject({ success: true });
  expect(status).toBe(200);
  return body.data;
}

const PNG = Buffer.from(
  "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==",
  "base64",
);

describe("A16 main content", () => {
  const ARTICLE = `<article><h1>The whale</h1><p>${"Whales are mammals that live in the sea. ".repeat(8)}</p></article>`;
  let url: string;

  beforeAll(() => {
    url = world.site.page(
      "/article",
      htmlPage(
        `<header class="top">Site header</header><nav><ul><li><a href="/a">Menu entry</a></li></ul></nav>${ARTICLE}
         <aside class="sidebar">Related stories</aside><footer>Imprint here</footer>`,
      ),
    );
  });

  test("is all there is by default, in html as in markdown", async () => {
    const { markdown, html } = await dataOf({ url, formats: ["markdown", "html"] });
    for (const text of [markdown, html]) {
      expect(text).toContain("The whale");
      expect(text).toContain("live in the sea");
      for (const left of ["Site header", "Menu entry", "Related stories", "Imprint here"]) {
        expect(text).not.toContain(left);
      }
    }
  });

  test("is joined by the rest when it is not the only format", async () => {
    const { markdown, html } = await dataOf({ url, formats: ["markdown", "html"], onlyMainContent: false });
    for (const text of [markdown, html]) {
      for (const kept of ["The whale", "Site header", "Menu entry", "Related stories", "Imprint here"]) {
        expect(text).toContain(kept);
      }
    }
  });

  test.each([true, false])("of a bare page is what its noscript holds (%s)", async (onlyMainContent) => {
    const words = `<p>${"Words for those without scripts. ".repeat(30)}</p>`;
    const bare = world.site.page(
      "/scriptless",
      htmlPage(`<div id="app"></div><noscript>${words}</noscript>`),
    );
    const { markdown, html } = await dataOf({
      url: bare,
      formats: ["markdown", "html"],
      onlyMainContent,
      fastMode: true,
      maxAge: 0,
    });
    expect(markdown).toContain("Words for those");
    expect(html).toContain("Words for those");
  });

  test("is the whole page when nothing else is left", async () => {
    const onlyNav = world.site.page("/only-nav", htmlPage("<nav><p>All the text there is</p></nav>"));
    const { markdown } = await dataOf({ url: onlyNav });
    expect(markdown).toContain("All the text there is");
  });
});

describe("A17 URLs in the content", () => {
  test("become absolute against the base", async () => {
    const url = world.site.page(
      "/base",
      htmlPage(
        '<p>See <a href="next">next</a> and <a href="/top">top</a>.</p><img src="pic.png" alt="A pic">',
        '<base href="/deep/er/">',
      ),
    );
    const { markdown, html, links } = await dataOf({ url, formats: ["markdown", "html", "links"] });
    expect(markdown).toContain(`[next](${world.site.url("/deep/er/next")})`);
    expect(markdown).toContain(`[top](${world.site.url("/top")})`);
    expect(markdown).toContain(`![A pic](${world.site.url("/deep/er/pic.png")})`);
    expect(html).toContain(`href="${world.site.url("/deep/er/next")}"`);
    expect(html).toContain(`src="${world.site.url("/deep/er/pic.png")}"`);
    expect(links).toEqual([world.site.url("/deep/er/next"), world.site.url("/top")]);
  });

  test("of images are the largest candidates, each once", async () => {
    const url = world.site.page(
      "/srcset",
      htmlPage(
        `<p>Text</p><img src="small.png" srcset="mid.png 600w, large.png 1200w" alt="one">
         <img src="same.png" alt="two"><img src="same.png" alt="three">`,
      ),
    );
    const { markdown, html } = await dataOf({ url, formats: ["markdown", "html"] });
    expect(markdown).toContain(`![one](${world.site.url("/large.png")})`);
    expect(markdown?.match(/same\.png/g)).toHaveLength(1);
    expect(html).toContain("large.png");
    expect(html).not.toMatch(/srcset|small\.png|mid\.png/);
    expect(html?.match(/same\.png/g)).toHaveLength(1);
  });
});

describe("A18 embedded images", () => {
  const uri = `data:image/png;base64,${PNG.toString("base64")}`;
  let url: string;

  beforeAll(() => {
    url = world.site.page("/embedded", htmlPage(`<p>Text</p><img alt="dot" src="${uri}">`));
  });

  test("are replaced in markdown and kept in html", async () => {
    const { markdown, html } = await dataOf({ url, formats: ["markdown", "html"] });
    expect(markdown).toContain("![dot](<Base64-Image-Removed>)");
    expect(markdown).not.toContain("base64,");
    expect(html).toContain(uri);
  });

  test("stay when they are requested", async () => {
    const { markdown, html } = await dataOf({
      url,
      formats: ["markdown", "html"],
      removeBase64Images: false,
    });
    expect(markdown).toContain(`![dot](${uri})`);
    expect(html).toContain(uri);
  });
});

test("A19 JSON comes as a fenced block", async () => {
  const body = '{"a": [1, 2],\n "b": "*x*"}';
  const url = file("/data", "application/json; charset=utf-8", body);
  const data = await dataOf({ url, formats: ["markdown", "html", "rawHtml"] });
  expect(data.markdown).toBe(`\`\`\`json\n${body}\n\`\`\``);
  expect(data.html).toContain(body);
  expect(data.rawHtml).toBe(body);
  expect(data.metadata.contentType).toBe("application/json");
});

test("A20 a windows-1251 page is decoded by its meta charset", async () => {
  const text = Buffer.concat([
    Buffer.from('<html><head><meta charset="windows-1251"></head><body><p>', "latin1"),
    Buffer.from([0xcf, 0xf0, 0xe8, 0xe2, 0xe5, 0xf2]),
    Buffer.from("</p></body></html>", "latin1"),
  ]);
  const { markdown, rawHtml } = await dataOf({
    url: file("/cyrillic", "text/html", text),
    formats: ["markdown", "rawHtml"],
  });
  expect(markdown).toBe("Привет");
  expect(rawHtml).toContain("<p>Привет</p>");
});

test("A21 metadata of the head", async () => {
  const head = `<title> The title </title>
    <meta name="description" content="First"><meta name="description" content="Second">
    <meta name="keywords" content="a, b"><meta name="robots" content="index">
    <meta property="og:title" content="OG &amp; title"><meta property="og:image" content="/og.png">
    <meta property="og:site_name" content="Site"><meta property="og:locale:alternate" content="de_DE">
    <meta property="og:locale:alternate" content="fr_FR">
    <meta name="twitter:card" content="summary"><meta property="article:published_time" content="2026-01-02">
    <meta name="dc.date" content="2026"><meta name="dcterms.created" content="2025">
    <meta name="author" content="Ann"><meta name="author" content="Bob">
    <link rel="icon" href="/fav.ico">`;
  const url = world.site.page("/head", htmlPage("<svg><title>No</title></svg><p>Text</p>", head));
  const { metadata } = await dataOf({ url });
  expect(metadata).toMatchObject({
    title: "The title",
    description: "First, Second",
    language: "en",
    keywords: "a, b",
    robots: "index",
    ogTitle: "OG & title",
    "og:title": "OG & title",
    "og:image": "/og.png",
    ogSiteName: "Site",
    ogLocaleAlternate: ["de_DE", "fr_FR"],
    "twitter:card": "summary",
    publishedTime: "2026-01-02",
    "article:published_time": "2026-01-02",
    dcDate: "2026",
    dcTermsCreated: "2025",
    author: ["Ann", "Bob"],
    favicon: world.site.url("/fav.ico"),
  });
});

test("A21 what the head lacks is absent", async () => {
  const { metadata } = await dataOf({ url: world.site.page("/bare", "<html><body><p>x</p></body></html>") });
  for (const key of [
    "title",
    "description",
    "language",
    "ogTitle",
    "favicon",
    "error",
    "cachedAt",
    "timezone",
  ]) {
    expect(metadata).not.toHaveProperty(key);
  }
  expect(metadata.ogLocaleAlternate).toEqual([]);
});

test("A21 metadata of the scrape wins over names of the page", async () => {
  const head =
    '<meta name="url" content="x"><meta name="statusCode" content="x"><meta name="creditsUsed" content="x">';
  const url = world.site.page("/names", htmlPage("<p>x</p>", head));
  const { metadata } = await dataOf({ url });
  expect(metadata).toMatchObject({
    url,
    sourceURL: url,
    statusCode: 200,
    creditsUsed: 1,
    concurrencyLimited: false,
  });
  expect(metadata.scrapeId).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
});

describe.each([
  ["A22", 404, "Not Found"],
  ["A22", 403, "Forbidden"],
  ["A23", 500, "Internal Server Error"],
  ["A23", 503, "Service Unavailable"],
])("%s a target that answers %i", (_vector, status, reason) => {
  test("is a success that tells it", async () => {
    const url = file(`/status-${status}`, "text/html", htmlPage(`<h1>Sorry: ${status}</h1>`), status);
    const { markdown, metadata } = await dataOf({ url });
    expect(markdown).toBe(`# Sorry: ${status}`);
    expect(metadata).toMatchObject({ statusCode: status, error: reason, creditsUsed: 1 });
  });

  test("may have an empty body", async () => {
    const { markdown, metadata } = await dataOf({ url: file(`/empty-${status}`, "text/html", "", status) });
    expect(markdown).toBe("");
    expect(metadata).toMatchObject({ statusCode: status, error: reason });
  });
});

test("A24 a redirect", async () => {
  const target = world.site.page("/target", htmlPage("<h1>Arrived</h1>"));
  const url = world.site.page("/moved", (_request, response) => {
    response.writeHead(302, { location: "/target" }).end();
  });
  const { markdown, metadata } = await dataOf({ url });
  expect(markdown).toBe("# Arrived");
  expect(metadata).toMatchObject({ url: target, sourceURL: url, statusCode: 200 });
  expect(metadata).not.toHaveProperty("error");
});

test("A25 links that the content lacks are counted in a warning", async () => {
  const links = Array.from({ length: 3 }, (_, at) => `<a href="/${at}">Page ${at}</a>`).join(" ");
  const prose =
    "<p>A sentence of the article that says something about it, and goes on for a while.</p>".repeat(9);
  const url = world.site.page(
    "/links-outside",
    htmlPage(`<nav>${links}</nav><main><h1>Text</h1>${prose}</main>`),
  );
  const narrow = await dataOf({ url, formats: ["links"] });
  expect(narrow.links).toEqual([]);
  expect(narrow.warning).toMatch(
    /^The content has no links, but the page has 3 links outside of it: .*onlyMainContent/,
  );
  const whole = await dataOf({ url, formats: ["links"], onlyMainContent: false });
  expect(whole.links).toHaveLength(3);
  expect(whole.warning).toBeUndefined();
});

test("A25 links", async () => {
  const url = world.site.page(
    "/links",
    htmlPage(
      `<main><p>Some text to read before the links.</p><a href="/b">b</a> <a href="/a">a</a> <a href="/b">again</a>
       <a href="mailto:me@shop.test">mail</a> <a href="#part">part</a> <a href="">empty</a>
       <a href="javascript:void(0)">js</a> <a href="tel:+1">tel</a> <a href="data:text/plain,x">data</a>
       <a href="https://other.test/x#y"> spaced </a><a href="http:/shop.test/typo">typo</a></main>`,
    ),
  );
  const { links } = await dataOf({ url, formats: ["links"] });
  expect(links).toEqual([
    world.site.url("/b"),
    world.site.url("/a"),
    "mailto:me@shop.test",
    "https://other.test/x#y",
    "http://shop.test/typo",
  ]);
});

test("A26 images", async () => {
  const url = world.site.page(
    "/images",
    htmlPage(
      `<main><p>Text</p><img src="/1.png"><img data-src="/2.png"><img src="javascript:alert(1)">
       <picture><source srcset="/3.webp 2x"><img src="/4.png"></picture>
       <video poster="/5.jpg"></video><div style="background-image: url('/6.png')">Block</div><img src="/1.png"></main>`,
      '<meta property="og:image" content="/og.png"><link rel="apple-touch-icon" href="/touch.png">',
    ),
  );
  const { images } = await dataOf({ url, formats: ["images"] });
  expect(images).not.toContain("javascript:alert(1)");
  const expected = ["1.png", "2.png", "3.webp", "4.png", "5.jpg", "6.png", "og.png", "touch.png"];
  expect([...(images ?? [])].toSorted()).toEqual(
    expected.map((name) => world.site.url(`/${name}`)).toSorted(),
  );
});

test("A27 attributes", async () => {
  const url = world.site.page(
    "/attributes",
    htmlPage(
      `<nav><b data-id="0">not filtered</b></nav><main><b id="x" data-id="1">a</b><b data-id="2">b</b><b>c</b></main>`,
    ),
  );
  const selectors = [
    { selector: "b", attribute: "id" },
    { selector: "main b", attribute: "data-id" },
    { selector: "b[[", attribute: "id" },
    { selector: "i", attribute: "id" },
  ];
  const { attributes } = await dataOf({ url, formats: [{ type: "attributes", selectors }] });
  expect(attributes).toEqual([
    { selector: "b", attribute: "id", values: ["0", "x", "2"] },
    { selector: "main b", attribute: "data-id", values: ["1", "2"] },
    { selector: "b[[", attribute: "id", values: [] },
    { selector: "i", attribute: "id", values: [] },
  ]);
});

describe("A28 rawBase64", () => {
  test.each([
    ["a picture", "image/png", PNG],
    ["an archive", "application/zip", Buffer.from("504b0304140000000800", "hex")],
    ["a page", "text/html", Buffer.from("<p>x</p>")],
    ["an unknown type", "x/y", createHash("sha256").update("x").digest()],
  ])("gives the bytes of %s", async (_case, contentType, bytes) => {
    const url = file(`/raw/${contentType}`, contentType, bytes);
    const data = await dataOf({ url, formats: ["rawBase64"] });
    expect(Buffer.from(data.rawBase64 ?? "", "base64").equals(bytes)).toBe(true);
    expect(data.metadata.contentType).toBe(contentType);
    expect(Object.keys(data).toSorted()).toEqual(["metadata", "rawBase64"]);
    expect(data.metadata).not.toHaveProperty("cacheState");
  });
});

test.each([
  ["zip", "application/zip", "504b0304140000000800"],
  ["mp4", "video/mp4", "0000001866747970"],
  ["woff2", "font/woff2", "774f4632"],
  ["exe", "application/octet-stream", "4d5a900003000000"],
])("A29 %s has no markdown", async (name, contentType, hex) => {
  const { status, body } = await world.scrape({
    url: file(`/file.${name}`, contentType, Buffer.from(hex, "hex")),
  });
  expect(status).toBe(500);
  expect(body).toMatchObject({ success: false, code: "SCRAPE_UNSUPPORTED_FILE_ERROR" });
  expect(body.error).toMatch(/^The URL returned a file type that .* cannot process: /);
});

describe("A31 tags", () => {
  let url: string;

  beforeAll(() => {
    url = world.site.page(
      "/tags",
      htmlPage(
        '<h1>One</h1><p>First</p><div class="ad">Buy</div><h1>Two</h1><p id="keep">Second</p><iframe src="/f"></iframe><footer>Imprint</footer>',
      ),
    );
  });

  test("that are included are all there is", async () => {
    const { markdown, html } = await dataOf({ url, includeTags: ["h1"], formats: ["markdown", "html"] });
    expect(markdown).toBe("# One\n\n# Two");
    expect(html).not.toMatch(/First|Second|Buy/);
  });

  test("are taken in the order of the page", async () => {
    const { markdown } = await dataOf({ url, includeTags: ["#keep", "h1, #none"] });
    expect(markdown).toBe("# One\n\n# Two\n\nSecond");
  });

  test("are whole, also what is no main content", async () => {
    const { markdown } = await dataOf({ url, includeTags: ["footer", ".ad", "#keep"] });
    expect(markdown).toBe("Buy\n\nSecond\n\nImprint");
  });

  test("that are excluded are gone", async () => {
    const { markdown } = await dataOf({ url, excludeTags: [".ad"], onlyMainContent: false });
    expect(markdown).toContain("First");
    expect(markdown).not.toContain("Buy");
  });

  test("without a match leave nothing", async () => {
    const { markdown } = await dataOf({ url, includeTags: [".none"] });
    expect(markdown).toBe("");
  });

  test("that are no selectors are ignored", async () => {
    const { markdown } = await dataOf({ url, includeTags: ["h1", "[["], excludeTags: ["]]"] });
    expect(markdown).toBe("# One\n\n# Two");
  });

  test("may be both included and excluded", async () => {
    const { markdown } = await dataOf({ url, includeTags: ["h1", "p"], excludeTags: ["#keep"] });
    expect(markdown).toBe("# One\n\nFirst\n\n# Two");
  });
});
