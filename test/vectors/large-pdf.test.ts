import { FirecrawlClient } from "firecrawl";
import { beforeAll, describe, expect, test } from "vitest";

import { type PdfPageSource, textLines, textPage, writePdf } from "../pdf-writer.ts";
import { useSharedWorld } from "../use-world.ts";

const world = useSharedWorld();

const PAGES = 40;
/** Reading the pages takes several times as long, asking for what has been read a small part of it. */
const TIMEOUT_MS = 4000;
/** That lie behind the words of each page. */
const CURVES = 4000;

beforeAll(async () => {
  // The process that reads has started, and is not what takes long.
  await world.scrape({ url: pdfAt("/small.pdf", [textPage("A line.")]), parsers });
});

const parsers = [{ type: "pdf", mode: "fast" }] as const;

function pdfAt(path: string, pages: readonly PdfPageSource[]): string {
  const pdf = writePdf({ pages });
  return world.site.page(path, (_request, response) => {
    response.writeHead(200, { "content-type": "application/pdf" }).end(pdf);
  });
}

/** A page that takes long to read, and has little text. */
function drawnPage(page: number): PdfPageSource {
  const curves = Array.from({ length: CURVES }, (_, curve) => {
    const [x, y] = [(curve * 37) % 600, (curve * 53) % 780];
    return `${x} ${y} m ${y} ${x} ${x / 2} ${y / 2} ${x + 9} ${y + 7} c S`;
  });
  return { content: [textLines([`Page ${page} tells a story.`]), ...curves].join("\n"), deflations: 1 };
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
        Array.from({ length: PAGES }, (_, index) => drawnPage(index + 1)),
      );
      const request = { url, parsers, timeout: TIMEOUT_MS, maxAge: 0 };
      const usedBefore = await creditsUsed();
      const { status, headers, body } = await world.scrape(request);
      expect([status, body.code]).toEqual([408, "SCRAPE_TIMEOUT"]);
      const details = body.details as unknown as Readonly<Record<string, number>>;
      expect(details).toMatchObject({ state: "processing_continues" });
      expect(details["retryAfterSeconds"]).toBeGreaterThanOrEqual(5);
      expect(headers.get("retry-after")).toBe(String(details["retryAfterSeconds"]));
      const client = new FirecrawlClient({ apiUrl: world.baseUrl, apiKey: "fc-anything" });
      const document = await client.scrape(url, { parsers: [...parsers], timeout: TIMEOUT_MS, maxAge: 0 });
      expect(document.metadata).toMatchObject({ numPages: PAGES, totalPages: PAGES, creditsUsed: PAGES });
      expect(document.markdown).toContain(`Page ${PAGES} tells a story.`);
      expect(await creditsUsed()).toBe(usedBefore + PAGES);
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
      timeout: TIMEOUT_MS,
      zeroDataRetention: true,
    });
    expect(body.error).toMatch(
      new RegExp(`^The PDF has ${pages} pages, which requires more processing time`),
    );
    expect([status, body.code]).toEqual([500, "SCRAPE_PDF_INSUFFICIENT_TIME_ERROR"]);
    expect(body.error).toMatch(/Set timeout to \d+000/);
  });
});
