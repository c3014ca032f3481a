import { FirecrawlClient, type SdkError } from "firecrawl";
import { beforeAll, describe, expect, test } from "vitest";

import { drawText, greyPixels } from "../text-picture.ts";
import type { DocumentPageBlocks } from "../../packages/server/src/api/document-blocks.ts";
import { type PdfSource, scannedPage, textLines, textPage, writePdf } from "../pdf-writer.ts";
import { useSharedWorld } from "../use-world.ts";

const world = useSharedWorld();
let client: FirecrawlClient;

beforeAll(async () => {
  client = new FirecrawlClient({ apiUrl: world.baseUrl, apiKey: "fc-anything" });
});

/** Puts a file on a path. */
function file(path: string, body: Uint8Array, contentType = "application/pdf"): string {
  return world.site.page(path, (_request, response) => {
    response.writeHead(200, { "content-type": contentType }).end(body);
  });
}

const pdfAt = (path: string, source: PdfSource) => file(path, writePdf(source));

async function dataOf(request: Readonly<Record<string, unknown>>) {
  const { status, body } = await world.scrape(request);
  expect(body).toMatchObject({ success: true });
  expect(status).toBe(200);
  return body.data;
}

const THREE_PAGES = [
  textPage("The first page is about apples and pears.", "They grow on trees."),
  textPage("The second page is about whales and dolphins.", "They live in the sea."),
  textPage("The third page is about trains and trams.", "They run on rails."),
];

/** A page as a scanner makes it, without any text. */
const SCAN = scannedPage({ width: 60, height: 80, pixels: new Uint8Array(60 * 80).fill(200) });

test("A76 values of a PDF name their page and box", async () => {
  const url = pdfAt("/cited.pdf", { pages: [textPage("Cover"), textPage("Invoice number: 4711")] });
  const schema = { type: "object", properties: { invoiceNumber: { type: "string" } } };
  const data = await dataOf({ url, formats: ["markdown", { type: "json", schema, citeSources: true }] });
  expect(data.json).toEqual({ invoiceNumber: "4711" });
  expect(data).not.toHaveProperty("blocks");
  const [citation] = data.citations?.["invoiceNumber"] ?? [];
  expect(citation).toMatchObject({ url, text: "4711", page: 2, foundBy: "label" });
  expect(data.markdown?.slice(...(citation?.markdownSpan ?? []))).toBe("4711");
  expect(citation?.bbox?.every((share) => share > 0 && share < 1)).toBe(true);
});

describe("A32 a PDF of three pages", () => {
  let url: string;
  beforeAll(() => {
    url = pdfAt("/three.pdf", { pages: THREE_PAGES, info: { Title: "Three pages", Author: "Ann" } });
  });

  test("costs three credits, and says how many pages it has", async () => {
    const { markdown, metadata } = await client.scrape(url);
    for (const text of ["apples and pears", "whales and dolphins", "trains and trams"]) {
      expect(markdown).toContain(text);
    }
    expect(metadata).toMatchObject({
      numPages: 3,
      totalPages: 3,
      creditsUsed: 3,
      title: "Three pages",
      author: "Ann",
      contentType: "application/pdf",
    });
  });

  test("of which two are wanted costs two", async () => {
    const { markdown, metadata } = await client.scrape(url, { parsers: [{ type: "pdf", maxPages: 2 }] });
    expect(metadata).toMatchObject({ numPages: 2, totalPages: 3, creditsUsed: 2 });
    expect(markdown).toContain("whales");
    expect(markdown).not.toContain("trains");
  });

  test("of which more are wanted than it has gives all", async () => {
    const { metadata } = await dataOf({ url, parsers: [{ type: "pdf", maxPages: 10_000 }] });
    expect(metadata).toMatchObject({ numPages: 3, totalPages: 3, creditsUsed: 3 });
  });

  test("is cached, and costs the same from the cache", async () => {
    await dataOf({ url });
    const { metadata } = await dataOf({ url, formats: ["markdown", "links"] });
    expect(metadata).toMatchObject({ cacheState: "hit", numPages: 3, creditsUsed: 3 });
  });

  test.each([{ maxPages: 3 }, { pages: true }, { blocks: true }, { pageMarkers: true }])(
    "does not touch the cache with %j",
    async (options) => {
      const { metadata } = await dataOf({ url, parsers: [{ type: "pdf", ...options }] });
      expect(metadata).not.toHaveProperty("cacheState");
    },
  );

  test("can be fetched again by its id", async () => {
    const { metadata, markdown } = await dataOf({ url, parsers: [{ type: "pdf", pages: true }] });
    const { body } = await world.get(`/v2/scrape/${metadata.scrapeId}`);
    expect(body.data).toMatchObject({ markdown, metadata: { numPages: 3 }, pages: { length: 3 } });
  });
});

describe("A13 and A33 pages and blocks", () => {
  let url: string;
  beforeAll(() => {
    url = pdfAt("/parts.pdf", { pages: THREE_PAGES });
  });

  test("are there only when they are asked for", async () => {
    const plain = await dataOf({ url });
    expect(Object.keys(plain).sort()).toEqual(["markdown", "metadata"]);
    const named = await dataOf({ url, parsers: ["pdf", "image"] });
    expect(named).not.toHaveProperty("pages");
    const paged = await dataOf({ url, parsers: [{ type: "pdf", pageMarkdown: true }] });
    expect(paged.pages).toHaveLength(3);
    expect(paged).not.toHaveProperty("blocks");
  });

  test("of an HTML page are never there", async () => {
    const page = world.site.page("/page", "<h1>No document</h1>");
    const data = await dataOf({ url: page, parsers: [{ type: "pdf", pages: true, blocks: true }] });
    expect(Object.keys(data).sort()).toEqual(["markdown", "metadata"]);
  });

  test("cover the pages that were read, and the spans cut out what the blocks contain", async () => {
    const parsers = [{ type: "pdf", pages: true, blocks: true, maxPages: 2 }];
    const { markdown = "", pages, blocks = [] } = await dataOf({ url, parsers });
    expect(pages?.map(({ pageNumber }) => pageNumber)).toEqual([1, 2]);
    expect(pages?.[1]?.markdown).toContain("dolphins");
    // US Letter at 200 dpi, though nothing was rendered.
    expect(blocks.map(({ items: _items, ...page }) => page)).toEqual([
      { pageNumber: 1, width: 1700, height: 2200, status: "ok" },
      { pageNumber: 2, width: 1700, height: 2200, status: "ok" },
    ]);
    const items = blocks.flatMap((page) => page.items);
    const shown = items.filter(({ markdownSpan }) => markdownSpan !== null);
    expect(shown.length).toBeGreaterThan(1);
    for (const { content, markdownSpan } of shown) {
      expect(markdown.slice(...(markdownSpan as [number, number]))).toBe(content);
    }
    expect(items[0]).toMatchObject({ id: "p1.b0", source: "native_text", readingOrder: 0 });
  });

  test.each([0, 10_001])("maxPages %i is refused", async (maxPages) => {
    const { status } = await world.scrape({ url, parsers: [{ type: "pdf", maxPages }] });
    expect(status).toBe(400);
  });
});

test("A34 page markers stand before every page but the first", async () => {
  const url = pdfAt("/markers.pdf", {
    pages: THREE_PAGES.map((page, index) => ({
      ...page,
      content: `${page.content}\n${textLines([`End of part ${index + 1}.`], { top: 500 })}`,
    })),
  });
  const { markdown = "" } = await dataOf({ url, parsers: [{ type: "pdf", pageMarkers: true }] });
  expect(markdown.startsWith("The first page")).toBe(true);
  expect(markdown.match(/\n\n---\n\n<!-- page \d+ -->\n\n/g)).toEqual([
    "\n\n---\n\n<!-- page 2 -->\n\n",
    "\n\n---\n\n<!-- page 3 -->\n\n",
  ]);
  const plain = await dataOf({ url, maxAge: 0 });
  expect(markdown.replaceAll(/\n\n---\n\n<!-- page \d+ -->\n\n/g, "\n\n")).toBe(plain.markdown);
});

describe("A35 a PDF that is not to be parsed", () => {
  test.each([[[]], [["image"]]])("with parsers %j is base64, for one credit", async (parsers) => {
    const url = pdfAt("/raw.pdf", { pages: THREE_PAGES });
    const { markdown, html, metadata } = await dataOf({ url, parsers, formats: ["markdown", "html"] });
    expect(markdown).toMatch(/^JVBERi/);
    expect(html).toBe(markdown);
    expect(metadata).toMatchObject({ creditsUsed: 1, contentType: "application/pdf" });
    expect(metadata).not.toHaveProperty("numPages");
  });

  test("is base64 by its format too, unread", async () => {
    const url = pdfAt("/raw-format.pdf", { pages: THREE_PAGES });
    const { rawBase64, metadata } = await dataOf({ url, formats: ["rawBase64"] });
    expect(rawBase64).toMatch(/^JVBERi/);
    expect(metadata.creditsUsed).toBe(1);
  });
});

describe("A36 a PDF without text", () => {
  test("is refused in fast mode", async () => {
    const url = pdfAt("/scan.pdf", { pages: [SCAN] });
    const { status, body } = await world.scrape({ url, parsers: [{ type: "pdf", mode: "fast" }] });
    expect([status, body.code]).toEqual([500, "SCRAPE_PDF_OCR_REQUIRED"]);
    expect(body.error).toMatch(/^This PDF is scanned/);
  });

  test.each(["auto", "ocr"] as const)("is read in mode %s, and its blocks tell how", async (mode) => {
    const lines = ["Rivers carry water to the sea", "Mountains keep the morning light"];
    const placed = lines.map((text, at) => ({ text, x: 120, y: 200 + 60 * at }));
    const picture = await greyPixels(drawText({ width: 850, height: 1100, lines: placed, fontPx: 36 }));
    const url = pdfAt(`/scan-${mode}.pdf`, { pages: [scannedPage(picture)] });
    const data = await client.scrape(url, { parsers: [{ type: "pdf", mode, blocks: true }] as never });
    for (const line of lines) expect(data.markdown).toContain(line);
    const [page] = (data as { blocks?: readonly DocumentPageBlocks[] }).blocks ?? [];
    expect(page).toMatchObject({ status: "ok", items: [{ source: "layout_ocr" }] });
    expect(page?.items[0]?.confidence.ocr).toBeGreaterThan(0.5);
    expect(data.metadata).toMatchObject({ numPages: 1, creditsUsed: 1 });
  });

  test("that draws its letters is told to be image-based", async () => {
    const content = Array.from({ length: 30 }, (_, index) => `${20 * index} 100 15 300 re f`).join("\n");
    const url = pdfAt("/drawn.pdf", { pages: [{ content }] });
    const { body } = await world.scrape({ url, parsers: [{ type: "pdf", mode: "fast" }] });
    expect(body.error).toMatch(/^This PDF is image-based/);
  });

  test("with nothing on it is empty", async () => {
    const url = pdfAt("/blank.pdf", { pages: [{ content: "" }] });
    const { markdown, metadata } = await dataOf({ url, parsers: [{ type: "pdf", mode: "fast" }] });
    expect([markdown, metadata["numPages"]]).toEqual(["", 1]);
  });
});

describe("A37 a page where a PDF was promised", () => {
  test("is told as a wall, after one try more", async () => {
    const url = world.site.page("/walled.pdf", "<h1>Are you human?</h1><p>Prove it.</p>");
    const { status, body } = await world.scrape({ url });
    expect([status, body.code]).toEqual([500, "SCRAPE_PDF_ANTIBOT_ERROR"]);
    expect(body.error).toMatch(/^PDF scrape was prevented by anti-bot/);
    expect(world.site.hits("/walled.pdf").length).toBeGreaterThan(1);
  });

  test("is answered with the PDF when the second try brings it", async () => {
    const pdf = writePdf({ pages: THREE_PAGES });
    const url = world.site.page("/guarded.pdf", (_request, response) => {
      const isFirst = world.site.hits("/guarded.pdf").length === 1;
      response.writeHead(200, { "content-type": isFirst ? "text/html" : "application/pdf" });
      response.end(isFirst ? "<h1>Wait a moment</h1>" : pdf);
    });
    const { markdown, metadata } = await dataOf({ url });
    expect(markdown).toContain("apples");
    expect(metadata.proxyUsed).toBe("stealth");
  });

  test.each(["/File:map.pdf", "/blob/main/paper.pdf", "/paper.pdf/about"])(
    "is a page at %s, which is about a file",
    async (path) => {
      const { markdown } = await dataOf({ url: world.site.page(path, "<h1>About a file</h1>") });
      expect(markdown).toContain("About a file");
    },
  );

  test("is a page when the server says that something failed", async () => {
    const { markdown, metadata } = await dataOf({ url: world.site.url("/missing.pdf") });
    expect(markdown).toContain("Nothing here");
    expect(metadata.statusCode).toBe(404);
  });
});

describe("a PDF", () => {
  test("of no declared type is known by its bytes", async () => {
    const url = file("/download", writePdf({ pages: THREE_PAGES }), "application/octet-stream");
    expect((await dataOf({ url })).markdown).toContain("apples");
  });

  test("has links, and HTML from its Markdown", async () => {
    const url = pdfAt("/html.pdf", { pages: THREE_PAGES });
    const { html, links, images } = await dataOf({ url, formats: ["html", "links", "images"] });
    expect(html).toContain("<p>");
    expect([links, images]).toEqual([[], []]);
  });

  test("that opens with the empty password is read", async () => {
    const url = pdfAt("/empty-password.pdf", { pages: THREE_PAGES, password: "" });
    expect((await dataOf({ url })).markdown).toContain("apples");
  });

  test.each([
    ["encrypted", writePdf({ pages: THREE_PAGES, password: "open sesame" }), "encrypted"],
    ["damaged", Buffer.from("%PDF-1.7\nnothing"), "damaged"],
    ["without-pages", writePdf({ pages: [] }), "no page of it is found"],
  ])("that is %s is refused in words", async (name, body, reason) => {
    const { status, error } = await client.scrape(file(`/${name}.pdf`, body)).then(
      () => ({ status: 200, error: undefined }),
      (failure: unknown) => ({ status: (failure as SdkError).status, error: failure as SdkError }),
    );
    expect(status).toBe(500);
    expect(error?.code).toBe("SCRAPE_UNSUPPORTED_FILE_ERROR");
    expect(error?.message).toMatch(
      new RegExp(`^The URL returned a file type that .* cannot process: .*${reason}`),
    );
  });
});
