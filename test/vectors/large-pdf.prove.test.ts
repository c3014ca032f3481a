import { FirecrawlClient } from "firecrawl";
import { afterAll, beforeAll, describe, expect, test } from "vitest";

import { type PdfPageSource, textPage, writePdf } from "../pdf-writer.ts";
import { openWorld, type World } from "../world.ts";

let world: World;

/** Takes longer to read than the shortest timeout allows. */
const PAGES = 250;

beforeAll(async () => {
  world = await openWorld();
});

afterAll(() => world.close());

const parsers = [{ type: "pdf", mode: "fast" }] as const;

function pdfAt(path: string, pages: readonly PdfPageSource[]): string {
  const pdf = writePdf({ pages });
  return world.site.page(path, (_request, response) => {
    response.writeHead(200, { "content-type": "application/pdf" }).end(pdf);
  });
}

/** A page full of text. */
function fullPage(page: number): PdfPageSource {
  return textPage(...Array.from({ length: 45 }, (_, line) => `Line ${line} of page ${page} tells a story.`));
}

async function creditsUsed(): Promise<number> {
  const { body } = await world.get("/v2/team/credit-usage/historical");
  const { periods } = body as unknown as { readonly periods: readonly { readonly creditsUsed: number }[] };
  return periods.reduce((total, period) => total + period.creditsUsed, 0);
}

describe("A63 a PDF that takes longer than its timeout", () => {
  test(
    "is answered 408 with what is known, goes on, and is had by asking again",
    { timeout: 180_000 },
    async () => {
      const url = pdfAt(
        "/large.pdf",
        Array.from({ length: PAGES }, (_, index) => fullPage(index + 1)),
      );
      const request = { url, parsers, timeout: 1000, maxAge: 0 };
      const { status, headers, body } = await world.scrape(request);
      expect([status, body.code]).toEqual([408, "SCRAPE_TIMEOUT"]);
      const details = body.details as unknown as Readonly<Record<string, number>>;
      expect(details).toMatchObject({ state: "processing_continues" });
      expect(details["retryAfterSeconds"]).toBeGreaterThanOrEqual(5);
      expect(headers.get("retry-after")).toBe(String(details["retryAfterSeconds"]));
      const client = new FirecrawlClient({ apiUrl: world.baseUrl, apiKey: "fc-anything" });
      const document = await client.scrape(url, { parsers: [...parsers], timeout: 1000, maxAge: 0 });
      expect(document.metadata).toMatchObject({ numPages: PAGES, totalPages: PAGES, creditsUsed: PAGES });
      expect(document.markdown).toContain(`of page ${PAGES} tells a story.`);
      expect(await creditsUsed()).toBe(PAGES);
      const again = await world.scrape(request);
      expect([again.status, again.body.data.markdown]).toEqual([200, document.markdown]);
    },
  );

  test("is told how much time it needs when nothing of it may be kept", async () => {
    const pages = 10_000;
    const url = pdfAt("/huge.pdf", Array<PdfPageSource>(pages).fill(textPage("A line.")));
    const { status, body } = await world.scrape({
      url,
      parsers,
      timeout: 3000,
      zeroDataRetention: true,
    });
    expect(body.error).toMatch(
      new RegExp(`^The PDF has ${pages} pages, which requires more processing time`),
    );
    expect([status, body.code]).toEqual([500, "SCRAPE_PDF_INSUFFICIENT_TIME_ERROR"]);
    expect(body.error).toMatch(/Set timeout to \d+000/);
  });
});
