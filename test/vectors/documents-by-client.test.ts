import { FirecrawlClient, type ScrapeOptions } from "firecrawl";
import { beforeAll, describe, expect, test } from "vitest";

import type { DocumentPageBlocks } from "../../packages/server/src/api/document-blocks.ts";
import { scannedPage, textPage, writePdf } from "../pdf-writer.ts";
import { useSharedWorld } from "../use-world.ts";

const world = useSharedWorld();
let client: FirecrawlClient;

const PAGES = [textPage("A page about apples."), textPage("A page about whales.")];
const SCAN = scannedPage({ width: 60, height: 80, pixels: new Uint8Array(60 * 80).fill(200) });

beforeAll(async () => {
  client = new FirecrawlClient({ apiUrl: world.baseUrl, apiKey: "fc-anything" });
});

function file(path: string, body: Uint8Array, contentType = "application/pdf"): string {
  return world.site.page(path, (_request, response) => {
    response.writeHead(200, { "content-type": contentType }).end(body);
  });
}

const paper = () => file("/paper.pdf", writePdf({ pages: PAGES }));

/** What parsers are, is wider than the client's types. */
function scrape(url: string, parsers: readonly (string | object)[]) {
  return client.scrape(url, { parsers } as unknown as ScrapeOptions);
}

describe("the official client", () => {
  test("A13 and A33 gets pages, and blocks whose spans cut out what they contain", async () => {
    const url = paper();
    expect(await scrape(url, ["pdf", "image"])).not.toHaveProperty("pages");
    const answer = await scrape(url, [{ type: "pdf", pageMarkdown: true, blocks: true }]);
    const {
      markdown = "",
      pages,
      blocks,
    } = answer as typeof answer & {
      readonly pages: readonly object[];
      readonly blocks: readonly DocumentPageBlocks[];
    };
    expect(pages).toHaveLength(2);
    const items = blocks.flatMap((page) => page.items);
    expect(items.map(({ content }) => content)).toEqual(["A page about apples.", "A page about whales."]);
    for (const { content, markdownSpan } of items) {
      expect(markdown.slice(...(markdownSpan as [number, number]))).toBe(content);
    }
  });

  test.each([0, 10_001])("A13 is told that maxPages %i is refused", async (maxPages) => {
    await expect(scrape(paper(), [{ type: "pdf", maxPages }])).rejects.toMatchObject({ status: 400 });
  });

  test("A29 is told that an archive has no markdown", async () => {
    const url = file("/all.zip", Buffer.from("504b0304140000000800", "hex"), "application/zip");
    await expect(client.scrape(url)).rejects.toMatchObject({
      status: 500,
      code: "SCRAPE_UNSUPPORTED_FILE_ERROR",
    });
  });

  test("A34 gets markers between pages", async () => {
    const { markdown } = await scrape(paper(), [{ type: "pdf", pageMarkers: true }]);
    expect(markdown).toBe("A page about apples.\n\n---\n\n<!-- page 2 -->\n\nA page about whales.");
  });

  test("A35 gets base64 of a PDF that is not to be parsed", async () => {
    const { markdown, metadata } = await scrape(paper(), []);
    expect(markdown).toMatch(/^JVBERi/);
    expect(metadata).toMatchObject({ creditsUsed: 1 });
  });

  test("A36 is told that a scan needs OCR", async () => {
    const url = file("/scan.pdf", writePdf({ pages: [SCAN] }));
    await expect(scrape(url, [{ type: "pdf", mode: "fast" }])).rejects.toMatchObject({
      status: 500,
      code: "SCRAPE_PDF_OCR_REQUIRED",
    });
  });

  test("A37 is told of a wall where a PDF was promised", async () => {
    const url = world.site.page("/walled.pdf", "<h1>Are you human?</h1><p>Prove it.</p>");
    await expect(client.scrape(url)).rejects.toMatchObject({
      status: 500,
      code: "SCRAPE_PDF_ANTIBOT_ERROR",
    });
  });
});
