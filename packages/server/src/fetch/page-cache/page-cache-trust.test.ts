import { afterEach, beforeEach, expect, test } from "vitest";

import type { BlobStore } from "../../storage/blobs/blob-store.ts";
import { openBlobs } from "../../storage/blobs/drivers.ts";
import type { Database } from "../../storage/database/database.ts";
import { openDatabase } from "../../storage/database/drivers.ts";
import type { Capture } from "../capture.ts";
import type { CacheScope } from "./candidate-query.ts";
import { openPageCache, type PageCache } from "./page-cache.ts";
import { type CacheKey, cacheUrl } from "./page-cache-key.ts";

const key: CacheKey = {
  url: cacheUrl("https://site.test/"),
  mobile: false,
  blockAds: true,
  country: "US",
  languages: [],
  enhanced: false,
  screenshot: "none",
};

let database: Database;
let blobs: BlobStore;

beforeEach(async () => {
  database = await openDatabase("sqlite::memory:");
  blobs = await openBlobs("memory:");
});

afterEach(() => database.close());

async function openCache(scope: CacheScope = "instance"): Promise<PageCache> {
  await database.migrate();
  return openPageCache({ database, blobs, maxBytes: Number.MAX_SAFE_INTEGER, scope });
}

function captureOf(text: string, hasUnverifiedTls?: boolean): Capture {
  return {
    requestedUrl: "https://site.test/",
    url: "https://site.test/",
    statusCode: 200,
    reason: "OK",
    headers: {},
    contentType: "text/html",
    body: Buffer.from(text),
    engine: "http",
    proxyUsed: "basic",
    capturedAtMs: 0,
    ...(hasUnverifiedTls !== undefined && { hasUnverifiedTls }),
  };
}

async function store(cache: PageCache, capture: Capture, teamId = "a"): Promise<string> {
  return cache.store(key, capture, { waitForMs: 0, teamId });
}

/** What a team gets that does or does not insist on verified certificates. */
async function find(
  cache: PageCache,
  { needsTrust = false, teamId = "a" } = {},
): Promise<string | undefined> {
  const bounds = {
    maxAgeMs: undefined,
    minAgeMs: undefined,
    waitForMs: 0,
    needsTrust,
    wantsScreenshot: false,
    teamId,
  };
  const found = await cache.find(key, bounds);
  expect(cache.peek(key, bounds)?.captureId).toBe(found?.captureId);
  return found && Buffer.from(found.capture.body).toString();
}

test("R2 who insists on certificates never gets what came without", async () => {
  const cache = await openCache();
  await store(cache, captureOf("unverified", true));
  expect(await find(cache, { needsTrust: true })).toBeUndefined();
  expect(await find(cache)).toBe("unverified");
});

test("R2 who insists on certificates gets the verified page under any number of others", async () => {
  const cache = await openCache();
  await store(cache, captureOf("verified", false));
  expect(await find(cache, { needsTrust: true })).toBe("verified");
  for (let count = 0; count < 6; count += 1) await store(cache, captureOf("unverified", true));
  expect(await find(cache)).toBe("unverified");
  expect(await find(cache, { needsTrust: true })).toBe("verified");
});

test("R2 whoever does not insist gets verified pages too", async () => {
  const cache = await openCache();
  await store(cache, captureOf("verified", false));
  expect(await find(cache)).toBe("verified");
});

test("R2 what came over no TLS at all answers both", async () => {
  const cache = await openCache();
  await store(cache, captureOf("plain"));
  expect(await find(cache)).toBe("plain");
  expect(await find(cache, { needsTrust: true })).toBe("plain");
});

test("R2 with the scope of a team, each has its own pages", async () => {
  const cache = await openCache("team");
  await store(cache, captureOf("of a"), "a");
  expect(await find(cache, { teamId: "b" })).toBeUndefined();
  await store(cache, captureOf("of b"), "b");
  expect(await find(cache, { teamId: "a" })).toBe("of a");
  expect(await find(cache, { teamId: "b" })).toBe("of b");
});

test("R2 a page answers under the scope that it was stored under, whatever is set later", async () => {
  await store(await openCache("team"), captureOf("of a"), "a");
  expect(await find(await openCache("instance"), { teamId: "a" })).toBeUndefined();
  await store(await openCache("instance"), captureOf("of all"), "b");
  expect(await find(await openCache("team"), { teamId: "a" })).toBe("of a");
  expect(await find(await openCache("instance"), { teamId: "c" })).toBe("of all");
});
