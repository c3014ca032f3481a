import { chmod, writeFile } from "node:fs/promises";
import { join } from "node:path";

import { beforeAll, expect, test, vi } from "vitest";

import { testFolder } from "../packages/kit/src/test-folder.suite.ts";
import type { SetupAnswer } from "../packages/server/src/operator/overview.ts";
import type { RequestAnswer, RequestEntry } from "../packages/server/src/history/operator/show-request.ts";
import { coveredMs, type Stage } from "../packages/kit/src/stages.ts";
import { docxFile, wordParagraph } from "./office-files.ts";
import { KEYED, makeTeam, operate, type TestTeam } from "./operator.ts";
import { scannedPage, textPage, writePdf } from "./pdf-writer.ts";
import { htmlPage } from "./site.ts";
import { drawText, greyPixels } from "./text-picture.ts";
import { openWorld, type World } from "./world.ts";

/** Answers as tesseract does: at once, after seconds or not at all, by the width of the picture. */
const PROGRAM = String.raw`#!/bin/sh
case "$*" in
  --version) echo "tesseract 5.3.0"; exit ;;
  --list-langs) printf 'List of available languages (1):\neng\n'; exit ;;
esac
read -r kind
read -r width height
cat > /dev/null
case "$width" in
  611) echo "Error opening data file eng.traineddata" >&2; exit 1 ;;
  612) sleep 20 ;;
  *) sleep 0.3 ;;
esac
printf 'level\tpage_num\tblock_num\tpar_num\tline_num\tword_num\tleft\ttop\twidth\theight\tconf\ttext\n5\t1\t1\t1\t1\t1\t10\t10\t120\t24\t96\tRecognised\n'
`;
const OCR_MS = 300;

const folder = testFolder();
let world: World;
let team: TestTeam;

beforeAll(async () => {
  await chmod(folder, 0o755);
  const tesseract = join(folder, "reads-pictures");
  await writeFile(tesseract, PROGRAM, { mode: 0o755 });
  world = await openWorld({ ...KEYED, TESSERACT_PATH: tesseract, PATH: "/usr/bin:/bin" });
  team = await makeTeam(world);
});

function file(path: string, type: string, body: string | Buffer): string {
  return world.site.page(path, (_request, response) => {
    response.writeHead(200, { "content-type": type }).end(body);
  });
}

/** A picture of a word. */
function picture(width: number) {
  return drawText({ width, height: 160, lines: [{ text: "Lichens", x: 40, y: 80 }], fontPx: 40 });
}

async function scrapePicture(width: number, more: object = {}) {
  const url = file(`/${width}.png`, "image/png", await picture(width).png().toBuffer());
  return team.scrape({ url, ...more });
}

/** Of the request that ended last: its stages, and how long it took. */
async function lastStages(): Promise<{ readonly stages: readonly Stage[]; readonly durationMs: number }> {
  const { body } = await operate(world, "GET requests?limit=1");
  const [newest] = body.data as unknown as readonly RequestEntry[];
  const answer = await operate(world, `GET requests/${newest?.id}`);
  const { request, timings } = answer.body.data as unknown as RequestAnswer["data"];
  const stages = timings.map((stage) => ({ ...stage, startMs: stage.startMs ?? 0 }));
  return { stages, durationMs: request.durationMs };
}

test("OCR is a stage of its own within the document: of pictures, of scanned pages, and where it is not done in time", async () => {
  const pages = 3;
  const scanned = await greyPixels(picture(600));
  const scan = { pages: Array.from({ length: pages }, () => scannedPage(scanned)) };
  const url = file("/scan.pdf", "application/pdf", writePdf(scan));
  await scrapePicture(600);
  await expectOcrWithin(1);
  expect((await team.scrape({ url })).body.data.markdown).toContain("Recognised");
  await expectOcrWithin(pages);
  const late = await scrapePicture(612, { timeout: 3000 });
  expect(late.status).toBe(408);
  const { stages, durationMs } = await lastStages();
  const ocrMs = coveredMs(stages.filter(({ name }) => name === "ocr"));
  expect(ocrMs).toBeGreaterThan(500);
  expect(durationMs - coveredMs(stages)).toBeLessThan(0.1 * durationMs);
});

test("readers of documents and OCR have the health of their last use, in the set-up, /readyz and /metrics", async () => {
  const docx = docxFile(wordParagraph("Words of a document."));
  const type = "application/vnd.openxmlformats-officedocument.wordprocessingml.document";
  await team.scrape({ url: file("/a.docx", type, docx) });
  await scrapePicture(600);
  expect(await health()).toEqual([true, true, 1, 1]);
  expect(await detailOf("tesseract")).toMatch(/tesseract 5\.3\.0 last worked just now/);

  // A file that cannot be read is not a fault of its reader; OCR without its data is one.
  await team.scrape({ url: file("/broken.pdf", "application/pdf", "%PDF-1.7 broken") });
  const failed = await scrapePicture(611);
  expect(failed.body.success).toBe(false);
  const [readers, ocr, , ocrUp] = await health();
  expect([ocr, ocrUp]).toEqual([false, 0]);
  expect(await detailOf("tesseract")).toMatch(
    /failed just now \(tesseract ended with 1\. Error opening data file eng\.traineddata\)/,
  );
  expect(readers).toBeDefined();
  expect((await world.get("/readyz")).status).toBe(200);

  await team.scrape({ url: file("/b.pdf", "application/pdf", writePdf({ pages: [textPage("Words.")] })) });
  await scrapePicture(602);
  expect(await health()).toEqual([true, true, 1, 1]);
});

test("a browser that does not start makes the service not ready for a minute, once it has failed three times", async () => {
  const path = join(folder, "browser");
  const lines = 'case "$*" in *--version*) echo "Chromium 999.0.1.1" ;; *) exit 1 ;; esac';
  await writeFile(path, `#!/bin/sh\n${lines}\n`, { mode: 0o755 });
  const other = await openWorld({ BROWSER_PATH: path });
  const ready = async () => {
    const { status, body } = await other.get("/readyz");
    const { parts } = body as unknown as { readonly parts: readonly { readonly name: string }[] };
    return [status, parts.find(({ name }) => name === "Browser")];
  };
  const url = other.site.page("/", htmlPage("<h1>Page</h1>"));
  const scrape = () => other.scrape({ url, formats: ["screenshot"], maxAge: 0 });
  expect((await scrape()).body.success).toBe(false);
  expect((await ready())[1]).toMatchObject({ ok: false });
  for (let tries = 0; tries < 3; tries += 1) await scrape();
  expect(await ready()).toEqual([503, { name: "Browser", ok: false, code: "LAST_USE_FAILED" }]);
  const now = Date.now();
  vi.spyOn(Date, "now").mockReturnValue(now + 61_000);
  expect(await ready()).toEqual([
    200,
    { name: "Browser", ok: false, code: "LAST_USE_FAILED", required: false },
  ]);
  vi.restoreAllMocks();
  await other.close();
});

/** That the last request has as much OCR as this many pictures take, within the reading of the document. */
async function expectOcrWithin(pictures: number): Promise<void> {
  const { stages } = await lastStages();
  const ocr = stages.filter(({ name }) => name === "ocr");
  const document = stages.find(({ name }) => name === "document");
  const [fromMs, forMs] = [document?.startMs ?? Number.POSITIVE_INFINITY, document?.durationMs ?? 0];
  expect(coveredMs(ocr)).toBeGreaterThanOrEqual(0.9 * pictures * OCR_MS);
  for (const { startMs, durationMs } of ocr) {
    expect(startMs).toBeGreaterThanOrEqual(fromMs);
    expect(startMs + durationMs).toBeLessThanOrEqual(1 + fromMs + forMs);
  }
}

/** Of the readers and of OCR: as `/readyz` tells it, then as `/metrics` does. */
async function health() {
  const { body } = await world.get("/readyz");
  const { parts } = body as unknown as {
    readonly parts: readonly { name: string; ok: boolean; required?: boolean }[];
  };
  const found = ["File readers", "tesseract"].map((name) => parts.find((part) => part.name === name));
  for (const part of found) expect(part).toMatchObject({ required: false });
  return [
    ...found.map((part) => part?.ok),
    await world.metric('pergamon_part_up{part="File readers",target=""}'),
    await world.metric('pergamon_part_up{part="tesseract",target="tesseract 5.3.0"}'),
  ];
}

async function detailOf(name: string): Promise<string | undefined> {
  const { body } = await operate(world, "GET setup");
  const { checks } = body.data as unknown as SetupAnswer["data"];
  return checks.find((check) => check.name === name)?.detail;
}
