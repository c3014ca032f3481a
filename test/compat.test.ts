import { execFile } from "node:child_process";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

import { beforeAll, expect, test } from "vitest";

import { testFolder } from "../packages/kit/src/test-folder.suite.ts";
import { build } from "./built.ts";
import { htmlPage } from "./site.ts";
import { openWorld, type World } from "./world.ts";

const CLI = fileURLToPath(new URL("../dist/cli.js", import.meta.url));
const VENDOR = "https://api.firecrawl.dev";
const SECRET = "fc-0123456789abcdef0123456789abcdef";
const TEXT = "The reading room is open every day from nine to eight. Bring your own lamp in winter. ".repeat(
  3,
);

let world: World;
const folder = testFolder();

beforeAll(async () => {
  await build();
  world = await openWorld();
}, 120_000);
async function compat(recording: string) {
  const path = join(folder, "recording");
  await writeFile(path, recording);
  return new Promise<{ code: number; stdout: string; stderr: string }>((resolve) => {
    execFile(process.execPath, [CLI, "compat", path, "--to", world.baseUrl], (error, stdout, stderr) =>
      resolve({ code: Number(error?.code ?? 0), stdout, stderr }),
    );
  });
}

const line = (url: string, body: unknown, response: unknown, more: object = {}) =>
  JSON.stringify({ method: "POST", url: `${VENDOR}${url}`, body, status: 200, response, ...more });

test("repeats recorded calls, and says what differs, without the secrets of either side", async () => {
  const url = world.site.page("/hall", `<title>Hall</title><main><h1>Hall</h1><p>${TEXT}</p></main>`);
  const secretUrl = `${url}?api_key=${SECRET}`;
  const { code, stdout } = await compat(
    [
      line(
        "/v2/scrape",
        { url: secretUrl, headers: { authorization: `Bearer ${SECRET}` }, webhook: "https://told.test" },
        {
          success: true,
          data: {
            markdown: `# Hall\n\n${TEXT}`,
            invented: `token ${SECRET}`,
            metadata: { title: "Another", statusCode: "200" },
          },
        },
      ),
      line("/v2/monitor", { name: "m" }, { success: true }),
      line(
        "/v2/scrape",
        { url: world.site.url("/nowhere"), formats: ["unknown"] },
        { success: true, data: {} },
      ),
    ].join("\n"),
  );
  expect(stdout).toMatch(
    /POST \/v2\/scrape \S+\/hall\?api_key=\*\*\*: 200; \d+ values the same; words of data\.markdown 1\.00/,
  );
  expect(stdout).toContain("missing here: data.invented (text)");
  expect(stdout).toContain("another kind: data.metadata.statusCode: text, here number");
  expect(stdout).toContain('another value: data.metadata.title: "Another", here "Hall"');
  expect(stdout).toContain(": 200, here 400;");
  expect(stdout).toContain("2 repeated, 1 of them with every field; 1 failed here only; 1 left out");
  expect(stdout).not.toContain(SECRET);
  expect(code).toBe(1);
});

test("follows a crawl by the id that it has here, and compares its end alone", async () => {
  const url = world.site.page("/only", htmlPage("<h1>Only</h1>"));
  const poll = (status: string, data: readonly object[]) =>
    line("/v2/crawl/theirs", undefined, { success: true, status, data }, { method: "GET" });
  const { code, stdout } = await compat(
    [
      line("/v2/crawl", { url, limit: 1 }, { success: true, id: "theirs", url: "https://x.test" }),
      poll("scraping", []),
      poll("completed", [{ markdown: "# Only" }]),
      poll("completed", [{ markdown: "# Only" }]),
    ].join("\n"),
  );
  expect(stdout).toMatch(/(?:^GET \/v2\/crawl\/theirs: 200; \d+ values the same$\n(?:.*\n)*?){2}/m);
  expect(stdout).toContain("3 repeated, 3 of them with every field; 0 failed here only; 1 left out");
  expect(code).toBe(0);
});

test("reads HAR files, and names the line of a file that is no recording", async () => {
  const url = world.site.page("/har", htmlPage("<h1>Har</h1>"));
  const entry = {
    request: { method: "POST", url: `${VENDOR}/v1/scrape`, postData: { text: JSON.stringify({ url }) } },
    response: {
      status: 200,
      content: {
        encoding: "base64",
        text: Buffer.from(JSON.stringify({ success: true, data: { markdown: "# Har" } })).toString("base64"),
      },
    },
  };
  const { code, stdout } = await compat(JSON.stringify({ log: { entries: [entry] } }, undefined, 2));
  expect([code, stdout]).toEqual([0, expect.stringContaining("1 repeated, 1 of them with every field")]);
  const refused = await compat(`${line("/v2/map", { url }, {})}\n{"url": 3}`);
  expect([refused.code, refused.stderr]).toEqual([1, expect.stringContaining("Line 2 of ")]);
});
