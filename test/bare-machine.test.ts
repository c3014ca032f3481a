import { FirecrawlClient } from "firecrawl";
import { afterAll, beforeAll, describe, expect, test } from "vitest";

import { testFolder } from "../packages/kit/src/test-folder.suite.ts";
import { build } from "./built.ts";
import { docxFile, wordHeading, wordParagraph } from "./office-files.ts";
import { scannedPage, textPage, writePdf } from "./pdf-writer.ts";
import { type SoakService, startSoakService } from "./service-process.ts";
import { openSite, type Site } from "./site.ts";
import { drawText, greyPixels } from "./text-picture.ts";

const dataDir = testFolder();
let service: SoakService;
let site: Site;
let client: FirecrawlClient;

/** What `npm start` runs, on a machine on whose PATH there is no program at all. */
beforeAll(async () => {
  await build();
  site = await openSite();
  service = await startSoakService({
    command: ["bin/run.mjs", "start"],
    dataDir,
    settings: { AUTH: "open", PATH: "/nowhere", TESSERACT_PATH: "" },
  });
  client = new FirecrawlClient({ apiUrl: service.url, apiKey: "fc-anything" });
}, 120_000);

afterAll(async () => {
  await service.stop();
  await site.close();
});

async function markdownOf(path: string, body: Uint8Array): Promise<string | undefined> {
  const url = site.page(path, (_request, response) => {
    response.writeHead(200, { "content-type": "application/octet-stream" }).end(body);
  });
  return (await client.scrape(url, { timeout: 120_000 })).markdown;
}

describe("the start in two commands, where nothing else is installed,", () => {
  test("reads a PDF", async () => {
    const pdf = writePdf({ pages: [textPage("A page about apples and pears.")] });
    expect(await markdownOf("/paper", pdf)).toBe("A page about apples and pears.");
  });

  test("reads a scan", async () => {
    const lines = [{ text: "Rivers carry water to the sea", x: 120, y: 200 }];
    const scan = await greyPixels(drawText({ width: 850, height: 1100, lines, fontPx: 36 }));
    const pdf = writePdf({ pages: [scannedPage(scan)] });
    expect(await markdownOf("/scan", pdf)).toBe("Rivers carry water to the sea");
  }, 150_000);

  test("reads a file of Word", async () => {
    const body = docxFile(wordHeading("Report") + wordParagraph("Words."));
    expect(await markdownOf("/report", body)).toBe("# Report\n\nWords.");
  });
});
