import { FirecrawlClient } from "firecrawl";
import { beforeAll, describe, expect, test } from "vitest";

import { docxFile, pptxFile, wordHeading, wordParagraph, wordTable, xlsxFile } from "../office-files.ts";
import { RIVERS_JP2 } from "../jpeg-2000-pictures.ts";
import { oleFile } from "../ole-file.ts";
import { drawText } from "../text-picture.ts";
import { useSharedWorld } from "../use-world.ts";

const world = useSharedWorld();
let client: FirecrawlClient;

beforeAll(async () => {
  client = new FirecrawlClient({ apiUrl: world.baseUrl, apiKey: "fc-anything" });
});

/** Puts a file on a path. */
function file(path: string, body: Uint8Array, contentType = "application/octet-stream"): string {
  return world.site.page(path, (_request, response) => {
    response.writeHead(200, { "content-type": contentType }).end(body);
  });
}

describe("A38 documents", () => {
  const body =
    wordHeading("Report") +
    wordParagraph("Words.") +
    wordTable([
      ["a", "b"],
      ["1", "2"],
    ]);
  const TABLE = "| a | b |\n| --- | --- |\n| 1 | 2 |";

  test.each([
    ["/report.docx", docxFile(body), `# Report\n\nWords.\n\n${TABLE}`],
    ["/book.xlsx", xlsxFile({ Sales: { A1: "a", B1: "b", A2: 1, B2: 2 } }), `## Sales\n\n${TABLE}`],
    ["/deck.pptx", pptxFile([{ title: "Start", lines: ["Words."] }]), "## Start\n\nWords."],
    ["/values.csv", Buffer.from("a,b\n1,2\n"), TABLE],
    ["/values.tsv", Buffer.from("a\tb\n1\t2\n"), TABLE],
  ])("%s has its headings and tables", async (path, bytes, expected) => {
    const { markdown, html, metadata } = await client.scrape(file(path, bytes), {
      formats: ["markdown", "html"],
    });
    expect(markdown).toBe(expected);
    expect(html).toMatch(/<table>|<h2>/);
    expect(metadata).toMatchObject({ creditsUsed: 1 });
    expect(metadata).not.toHaveProperty("numPages");
  });

  test("are read whatever parsers are asked for, and whatever the server calls them", async () => {
    const url = file("/mislabelled", docxFile(body), "text/html");
    expect((await client.scrape(url, { parsers: [] })).markdown).toContain("# Report");
  });

  test("give their links", async () => {
    const rtf = '{\\rtf1 {\\field{\\*\\fldinst HYPERLINK "https://a.test/x"}{\\fldrslt there}}\\par}';
    const { links } = await client.scrape(file("/note.rtf", Buffer.from(rtf)), { formats: ["links"] });
    expect(links).toEqual(["https://a.test/x"]);
  });

  test("that are encrypted are refused with what to do", async () => {
    const { status, body: answer } = await world.scrape({
      url: file("/secret.docx", oleFile(["EncryptedPackage"])),
    });
    expect(status).toBe(500);
    expect(answer).toMatchObject({
      code: "SCRAPE_UNSUPPORTED_FILE_ERROR",
      error: expect.stringMatching(
        /^The URL returned a file type that .* cannot process: .*save it without a password/,
      ),
    });
  });
});

describe("section 3.16c pictures", () => {
  const lines = [{ text: "Rivers carry water to the sea", x: 40, y: 80 }];

  test("are a page of the text that they show", async () => {
    const png = await drawText({ width: 640, height: 140, lines, fontPx: 32 }).png().toBuffer();
    const { markdown, metadata } = await client.scrape(file("/river.png", png, "image/png"), {
      timeout: 60_000,
    });
    expect(markdown).toContain("Rivers carry water to the sea");
    expect(metadata).toMatchObject({ numPages: 1, contentType: "image/png", creditsUsed: 1 });
  });

  test("in JPEG 2000 are read", async () => {
    const url = file("/river.jp2", RIVERS_JP2, "image/jp2");
    const { markdown, metadata } = await client.scrape(url, { timeout: 60_000 });
    expect(markdown).toContain("Rivers carry water");
    expect(metadata).toMatchObject({ numPages: 1, contentType: "image/jp2", creditsUsed: 1 });
  });

  test("that show no text are an empty page", async () => {
    const png = await drawText({ width: 300, height: 300, lines: [], fontPx: 32 }).png().toBuffer();
    const { markdown } = await client.scrape(file("/blank.png", png, "image/png"), { timeout: 60_000 });
    expect(markdown).toBe("");
  });

  test("are base64 without parsers", async () => {
    const png = await drawText({ width: 10, height: 10, lines: [], fontPx: 8 }).png().toBuffer();
    const { markdown } = await client.scrape(file("/dot.png", png, "image/png"), { parsers: [] });
    expect(markdown).toBe(png.toString("base64"));
  });

  test("in drawings are text", async () => {
    const { markdown } = await client.scrape(file("/a.svg", Buffer.from("<svg/>"), "image/svg+xml"));
    expect(markdown).toBe("```xml\n<svg/>\n```");
  });
});
