import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

import { expect, test } from "vitest";

import { limits } from "../packages/server/src/api/limits.ts";

const ROOT = fileURLToPath(new URL("..", import.meta.url));
const HOUR_MS = 60 * 60 * 1000;
const { keptMs } = limits;

const sources = ["packages/server/src/", "packages/dashboard/src/"]
  .flatMap((folder) =>
    readdirSync(join(ROOT, folder), { recursive: true, encoding: "utf8" }).map((name) => folder + name),
  )
  .filter((path) => /(?<!\.test)\.tsx?$/.test(path))
  .map((path) => readFileSync(join(ROOT, path), "utf8"))
  .join("\n");

/** What messages, the reference and the dashboard say, each with a time behind it → how long it is. */
test.each([
  ["Requests are stored for", keptMs.records],
  ["Rates a scrape, search or map of the last", keptMs.records],
  ["Requests in provider-tool mode appear here for", keptMs.providerRequests],
  ["Scraped pages can be opened for", keptMs.answers],
  ["Read the data of an earlier scrape, stored for", keptMs.answers],
  ["The document of an earlier scrape, within", keptMs.answers],
  ["Download the page of an earlier scrape with its answer as WARC, stored for", keptMs.answers],
  ["It needs no API key and expires after", keptMs.files],
  ["A URL that needs no API key and expires after", keptMs.files],
])("%s: the time is that of the table", (words, ms) => {
  const said = [...sources.matchAll(new RegExp(`${words} (\\d+) (hours|days)`, "g"))];
  const times = said.map(([, count, unit]) => Number(count) * (unit === "days" ? 24 : 1) * HOUR_MS);
  expect(new Set(times)).toEqual(new Set([ms]));
});
