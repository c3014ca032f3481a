import { execFile } from "node:child_process";
import { writeFile } from "node:fs/promises";
import type { IncomingHttpHeaders } from "node:http";
import { join } from "node:path";
import { promisify } from "node:util";
import { gzipSync } from "node:zlib";

import { FirecrawlClient } from "firecrawl";
import { afterAll, beforeAll, describe, expect, test } from "vitest";

import { testFolder } from "../packages/kit/src/test-folder.suite.ts";
import { build, builtCommandLine } from "./built.ts";
import { docxFile, wordHeading, wordParagraph } from "./office-files.ts";
import { scannedPage, textPage, writePdf } from "./pdf-writer.ts";
import { type SoakService, startSoakService } from "./service-process.ts";
import { openSite, type Site } from "./site.ts";
import { drawText, greyPixels } from "./text-picture.ts";

/** Makes Node find no native part of the HTTP client, as on a platform for which there is none. */
const HIDE_NATIVE_CLIENT = `const Module = require("node:module");
const resolve = Module._resolveFilename;
Module._resolveFilename = (name, ...more) => {
  if (name.startsWith("@wreq-js/")) throw Object.assign(new Error(name), { code: "MODULE_NOT_FOUND" });
  return resolve(name, ...more);
};`;

const dataDir = testFolder();
const hiding = join(dataDir, "hiding.cjs");
let service: SoakService;
let site: Site;
let client: FirecrawlClient;

/** What `npm start` runs, on a machine on whose PATH there is no program at all, and for which npm has no native HTTP client. */
beforeAll(async () => {
  await build();
  site = await openSite();
  await writeFile(hiding, HIDE_NATIVE_CLIENT);
  service = await startSoakService({
    command: ["bin/run.mjs", "start"],
    dataDir,
    settings: {
      AUTH: "open",
      PATH: "/nowhere",
      TESSERACT_PATH: "",
      NODE_OPTIONS: `--require ${hiding}`,
      LOG_LEVEL: "warn",
    },
  });
  client = new FirecrawlClient({ apiUrl: service.url, apiKey: "fc-anything" });
}, 120_000);

afterAll(() => service.stop());

async function markdownOf(path: string, body: Uint8Array): Promise<string | undefined> {
  const url = site.page(path, (_request, response) => {
    response.writeHead(200, { "content-type": "application/octet-stream" }).end(body);
  });
  return (await client.scrape(url, { timeout: 120_000 })).markdown;
}

describe("the start in two commands, where nothing else is installed,", () => {
  test("fetches pages by a plain client, and says so", async () => {
    const asked: IncomingHttpHeaders[] = [];
    const target = site.page("/target", (request, response) => {
      asked.push(request.headers);
      response.writeHead(200, { "content-type": "text/html", "content-encoding": "gzip" });
      response.end(gzipSync("<main><h1>Tea</h1><p>Rivers carry water.</p></main>"));
    });
    const url = site.page("/moved", (_request, response) =>
      response.writeHead(302, { location: target }).end(),
    );
    expect((await client.scrape(url)).markdown).toBe("# Tea\n\nRivers carry water.");
    expect(asked[0]?.["user-agent"]).toMatch(/^Mozilla\/5\.0 .*Chrome\/\d+/);
    for (let times = 0; times < 2; times += 1) {
      const ready = await fetch(`${service.url}/readyz`);
      expect([ready.status, await ready.json()]).toMatchObject([
        200,
        {
          parts: expect.arrayContaining([
            { name: "HTTP client", ok: false, required: false, code: "NO_NATIVE_CLIENT" },
          ]) as unknown,
        },
      ]);
    }
    const told = () =>
      service.output().match(/"part":"HTTP client".*Pages are fetched by a plain HTTP\/1\.1 client/g) ?? [];
    await expect.poll(told).toHaveLength(1);
    const env = { ...process.env, NODE_OPTIONS: `--require ${hiding}`, DATA_DIR: dataDir };
    const doctor = await promisify(execFile)(process.execPath, [...builtCommandLine, "doctor"], {
      env,
    }).catch((failure: { readonly stdout: string }) => failure);
    expect(doctor.stdout).toContain("Pages are fetched by a plain HTTP/1.1 client");
  }, 60_000);

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
