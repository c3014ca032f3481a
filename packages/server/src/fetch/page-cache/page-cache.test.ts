import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";

import { uuidV7 } from "@pergamon-dev/kit/uuid";
import type { BlobStore } from "../../storage/blobs/blob-store.ts";
import { openBlobs } from "../../storage/blobs/drivers.ts";
import type { Database } from "../../storage/database/database.ts";
import { openDatabase } from "../../storage/database/drivers.ts";
import type { Capture } from "../capture.ts";
import type { CacheBounds } from "./candidate-query.ts";
import { capturesOfHost, capturesOfUrl } from "./capture-search.ts";
import { openPageCache, type PageCache } from "./page-cache.ts";
import { type CacheKey, cacheUrl } from "./page-cache-key.ts";

const START = 1_900_000_000_000;
const DAY = 24 * 60 * 60 * 1000;
const YEAR = 365 * DAY;
/** Makes a capture a blob of its own: small ones are in the database (small-captures.test.ts). */
const LARGE = { "x-large": "x".repeat(9 * 1024) };
const anyAge: CacheBounds = {
  maxAgeMs: undefined,
  minAgeMs: undefined,
  waitForMs: 0,
  needsTrust: false,
  wantsScreenshot: false,
  teamId: "team",
};

let database: Database;
let blobs: BlobStore;
let nowMs: number;
let cache: PageCache;

beforeEach(async () => {
  database = await openDatabase("sqlite::memory:");
  await database.migrate();
  blobs = await openBlobs("memory:");
  nowMs = START;
  cache = openCache();
});

afterEach(async () => {
  await cache.close();
  await database.close();
});

/** A cache over the same stores: what it does not remember it has to read. */
function openCache(store = blobs, maxBytes = Number.MAX_SAFE_INTEGER): PageCache {
  return openPageCache({ database, blobs: store, maxBytes, scope: "instance", clock: () => nowMs });
}

function keyOf(changes: Partial<CacheKey> = {}): CacheKey {
  const plain = { mobile: false, blockAds: true, country: "US", languages: [], enhanced: false } as const;
  return { url: "https://site.test/page", ...plain, screenshot: "none", ...changes };
}

function captureOf(text: string, statusCode = 200): Capture {
  return {
    requestedUrl: "http://site.test/page",
    url: "https://site.test/page",
    statusCode,
    reason: "OK",
    headers: { "content-type": "text/html", ...LARGE },
    contentType: "text/html",
    body: new TextEncoder().encode(text),
    engine: "http",
    proxyUsed: "basic",
    capturedAtMs: nowMs,
  };
}

async function storeText(text: string, key = keyOf(), statusCode = 200, waitForMs = 0): Promise<string> {
  return cache.store(key, captureOf(text, statusCode), { waitForMs, teamId: "team" });
}

async function findText(key = keyOf(), bounds: Partial<CacheBounds> = {}): Promise<string | undefined> {
  const found = await cache.find(key, { ...anyAge, ...bounds });
  return found && new TextDecoder().decode(found.capture.body);
}

async function blobKeys(): Promise<string[]> {
  const keys: string[] = [];
  for await (const key of blobs.list("captures")) keys.push(key);
  return keys;
}

async function countRows(): Promise<number | undefined> {
  const row = await database
    .prepared<{ captures: number }>("SELECT count(*) AS captures FROM captures")
    .get();
  return row?.captures;
}

describe("finding", () => {
  test("takes addresses as long as requests may have", async () => {
    const digits = Array.from({ length: 2000 }, (_, number) => (number * 7919).toString(36)).join("");
    const url = `https://site.test/${digits}`;
    const captureId = await storeText("long", keyOf({ url }));
    expect(await findText(keyOf({ url }))).toBe("long");
    expect(await capturesOfUrl(database, url, 10)).toEqual([captureId]);
    expect(await capturesOfHost(database, "SITE.test", 10)).toEqual([captureId]);
    expect(await capturesOfHost(database, "site.tes", 10)).toEqual([]);
    await storeText("short");
    expect(await cache.pagesOf("site.test", "team", 10)).toEqual(["https://site.test/page"]);
  });

  test("captures of a job that are renewed together are all young, each with its confirmations", async () => {
    const keys = Array.from({ length: 20 }, (_, number) => keyOf({ url: `https://site.test/${number}` }));
    const ids = await Promise.all(keys.map((key) => storeText("page", key)));
    nowMs += 1000;
    const found = { teamId: "team", isOfJob: true };
    const renew = (captureId: string, place: number) =>
      cache.renew(keys[place] ?? keyOf(), { ...found, captureId, confirmations: place % 3 });
    await Promise.all(ids.map(renew));
    const newest = await Promise.all(keys.map((key) => cache.newest(key, anyAge)));
    expect(newest.map((copy) => [copy?.captureId, copy?.cachedAtMs, copy?.confirmations])).toEqual(
      ids.map((id, place) => [id, START + 1000, place % 3]),
    );
  });

  test("gives back the capture that was stored, and what is known of it", async () => {
    const capture = captureOf("hello");
    const captureId = await cache.store(keyOf(), capture, { waitForMs: 20, teamId: "team" });
    nowMs += 5;
    const found = await cache.find(keyOf(), anyAge);
    expect(found).toMatchObject({
      captureId,
      cachedAtMs: START,
      waitForMs: 20,
      statusCode: 200,
      representation: "page",
    });
    expect(found?.capture).toEqual(capture);
  });

  test("finds nothing where nothing was stored", async () => {
    expect(await cache.find(keyOf(), anyAge)).toBeUndefined();
    expect(await cache.load(uuidV7())).toBeUndefined();
    expect(await cache.load("../../etc/passwd")).toBeUndefined();
  });

  test("a cache opened later reads the same capture from the blobs", async () => {
    const capture = captureOf("text ".repeat(10_000));
    const captureId = await cache.store(keyOf(), capture, { waitForMs: 0, teamId: "team" });
    const later = openCache();
    const found = await later.find(keyOf(), anyAge);
    expect({ ...found?.capture, body: Buffer.from(found?.capture.body ?? []) }).toEqual({
      ...capture,
      body: Buffer.from(capture.body),
    });
    expect((await later.load(captureId))?.url).toBe(capture.url);
  });

  test("the same page found many times at once is read once, and again after a rest", async () => {
    await storeText("hello");
    const get = vi.fn(blobs.get);
    const later = openCache({ ...blobs, get });
    const found = await Promise.all(Array.from({ length: 20 }, () => later.find(keyOf(), anyAge)));
    await later.find(keyOf(), anyAge);
    expect(found.filter(Boolean)).toHaveLength(20);
    expect(get).toHaveBeenCalledTimes(1);
    later.letGo();
    await later.find(keyOf(), anyAge);
    expect(get).toHaveBeenCalledTimes(2);
  });

  test("ends with the reason of a signal that is aborted", async () => {
    await storeText("hello");
    const reason = new Error("client gone");
    await expect(cache.find(keyOf(), anyAge, AbortSignal.abort(reason))).rejects.toBe(reason);
  });

  test("storing and finding at the same time never gives a part of a page", async () => {
    const texts = Array.from({ length: 30 }, (_, index) =>
      String.fromCodePoint(97 + (index % 26)).repeat(20_000),
    );
    const stores = texts.map((text) => storeText(text));
    const finds = texts.map(() => findText());
    await Promise.all(stores);
    const found = await Promise.all(finds);
    expect(found.filter((text) => text !== undefined && !texts.includes(text))).toEqual([]);
    expect(texts).toContain(await findText());
    expect(await countRows()).toBe(30);
  });
});

describe("the key", () => {
  test.each<Partial<CacheKey>>([
    { url: "https://site.test/page?x=1" },
    { mobile: true },
    { blockAds: false },
    { country: "DE" },
    { languages: ["de"] },
    { enhanced: true },
  ])("a page stored without %j does not answer a request with it", async (change) => {
    await storeText("plain");
    expect(await findText(keyOf(change))).toBeUndefined();
    await storeText("changed", keyOf(change));
    expect(await findText(keyOf(change))).toBe("changed");
    expect(await findText()).toBe("plain");
  });

  test("languages count in their order; the case of codes does not", async () => {
    await storeText("text", keyOf({ country: "de", languages: ["de-DE", "en"] }));
    expect(await findText(keyOf({ country: "DE", languages: ["de-de", "EN"] }))).toBe("text");
    expect(await findText(keyOf({ country: "DE", languages: ["en", "de-DE"] }))).toBeUndefined();
  });

  test("who wants no screenshot gets any page, who wants one gets a page with just that", async () => {
    await storeText("viewport", keyOf({ screenshot: "viewport" }));
    expect(await findText()).toBe("viewport");
    expect(await findText(keyOf({ screenshot: "viewport" }))).toBe("viewport");
    expect(await findText(keyOf({ screenshot: "full-page" }))).toBeUndefined();
    nowMs += 1;
    await storeText("none");
    expect(await findText()).toBe("none");
    expect(await findText(keyOf({ screenshot: "viewport" }))).toBe("viewport");
  });

  test("a page that was waited for at least as long answers", async () => {
    await storeText("waited", keyOf(), 200, 1_000);
    expect(await findText(keyOf(), { waitForMs: 0 })).toBe("waited");
    expect(await findText(keyOf(), { waitForMs: 1_000 })).toBe("waited");
    expect(await findText(keyOf(), { waitForMs: 1_001 })).toBeUndefined();
  });

  test.each([
    "https://www.site.test/page",
    "https://SITE.test/page#part",
    "https://site.test:443/page/",
    "https://site.test/page/index.html",
    "https://site.test/page/index.php",
    "https://site.test/page/index.htm",
    "https://site.test/page/index.shtml",
    "https://site.test/page/index.xml",
  ])("%s is the same page as https://site.test/page", (url) => {
    expect(cacheUrl(url)).toBe(cacheUrl("https://site.test/page"));
  });

  test.each(["http://www.site.test/page", "http://site.test:80/page", "http://site.test/page/index.html"])(
    "%s is the same page as http://site.test/page",
    (url) => {
      expect(cacheUrl(url)).toBe(cacheUrl("http://site.test/page"));
    },
  );

  test("R2 http and https are two pages", async () => {
    await storeText("anybody's", keyOf({ url: cacheUrl("http://site.test/page") }));
    expect(await findText(keyOf({ url: cacheUrl("https://site.test/page") }))).toBeUndefined();
    expect(await findText(keyOf({ url: cacheUrl("http://www.site.test/page") }))).toBe("anybody's");
  });

  test.each([
    "https://site.test/Page",
    "https://site.test:8443/page",
    "https://site.test/page?",
    "https://site.test/page?b=1&a=2",
    "https://other.site.test/page",
    "https://site.test/page/index.asp",
  ])("%s is another page than https://site.test/page?a=2&b=1", (url) => {
    expect(cacheUrl(url)).not.toBe(cacheUrl("https://site.test/page?a=2&b=1"));
  });

  test("credentials in a URL are not kept in the table", async () => {
    await storeText("private", keyOf({ url: "https://user:secret@site.test/page" }));
    expect(JSON.stringify(await database.prepared("SELECT * FROM captures").all())).not.toContain("secret");
  });
});

describe("the age", () => {
  test.each([
    [{ maxAgeMs: 1_000 }, "old enough to be the limit", "text"],
    [{ maxAgeMs: 999 }, "too old", undefined],
    [{ maxAgeMs: 0 }, "never young enough", undefined],
    [{ minAgeMs: 1_000 }, "old enough", "text"],
    [{ minAgeMs: 1_001 }, "too young", undefined],
    [{ minAgeMs: 1, maxAgeMs: 1_000 }, "between both", "text"],
    [{ minAgeMs: 2_000, maxAgeMs: 1_500 }, "bounds that exclude each other", undefined],
    [{ maxAgeMs: Number.MAX_SAFE_INTEGER }, "the largest number", "text"],
  ])("after 1000 ms, %j: %s", async (bounds, _why, expected) => {
    await storeText("text");
    nowMs += 1_000;
    expect(await findText(keyOf(), bounds)).toBe(expected);
  });

  test("maxAge 0 finds nothing even within the same millisecond", async () => {
    await storeText("text");
    expect(await findText(keyOf(), { maxAgeMs: 0 })).toBeUndefined();
    expect(await findText(keyOf(), { maxAgeMs: 1 })).toBe("text");
  });

  test("without a bound, a page of last century answers", async () => {
    await storeText("text");
    nowMs += 50 * YEAR;
    expect(await findText(keyOf(), { minAgeMs: 1 })).toBe("text");
  });

  test("minAge passes over newer pages to an older one", async () => {
    await storeText("old");
    nowMs += DAY;
    await storeText("new");
    expect(await findText()).toBe("new");
    expect(await findText(keyOf(), { minAgeMs: 1_000 })).toBe("old");
  });
});

describe("F8 a page with a screenshot, whose link ends after a day,", () => {
  const kinds: readonly CacheKey["screenshot"][] = ["viewport", "full-page"];

  test.each(kinds)("answers who wants the picture (%s) until then", async (screenshot) => {
    const key = keyOf({ screenshot });
    await storeText("pictured", key);
    nowMs += DAY - 1;
    expect(await findText(key, { wantsScreenshot: true })).toBe("pictured");
    nowMs += 1;
    expect(await findText(key, { wantsScreenshot: true })).toBeUndefined();
    expect(await findText(key, { wantsScreenshot: true, minAgeMs: 1 })).toBeUndefined();
  });

  test("answers who wants none as long as any other", async () => {
    await storeText("pictured", keyOf({ screenshot: "viewport" }));
    nowMs += YEAR;
    expect(await findText()).toBe("pictured");
  });

  test("in lockdown, which takes any page, gives way to one without", async () => {
    await storeText("plain");
    nowMs += 1;
    await storeText("pictured", keyOf({ screenshot: "viewport" }));
    expect(await findText(keyOf(), { wantsScreenshot: true })).toBe("pictured");
    nowMs += DAY;
    expect(await findText(keyOf(), { wantsScreenshot: true })).toBe("plain");
  });
});

describe("the choice", () => {
  /** Stores one page per status, oldest first, each named by its place. */
  async function storeStatuses(statuses: readonly number[]): Promise<void> {
    for (const [place, status] of statuses.entries()) {
      await storeText(`${place}`, keyOf(), status);
      nowMs += 1;
    }
  }

  test.each([
    ["the newest success", [200, 200], "1"],
    ["a success before one error", [200, 500], "0"],
    ["a success before two errors", [200, 404, 500], "0"],
    ["the newest after three errors", [200, 404, 404, 500], "3"],
    ["the newest when all failed", [404, 500], "1"],
    ["a newer success over older errors", [500, 500, 500, 201], "3"],
    ["the newest when the success is out of sight", [200, 500, 500, 500, 500, 500], "5"],
    ["an error when a success lies under three of them and a redirect", [204, 304, 500, 500], "3"],
  ])("%s: %j", async (_why, statuses, expected) => {
    await storeStatuses(statuses);
    expect(await findText(keyOf(), { readsFailures: true })).toBe(expected);
  });

  test.each([
    ["a success before a failure", [200, 503], 0, "0"],
    ["nothing where the site is failing", [200, 404, 500, 503], 0, undefined],
    ["nothing that was asked too often", [429], 0, undefined],
    ["a page that is not there, for ten minutes", [404], 10, "0"],
    ["nothing afterwards", [404], 11, undefined],
    ["nor an older success where it stays away", [200, 404, 404, 404], 11, undefined],
  ])("without failures: %s: %j", async (_why, statuses, minutes, expected) => {
    await storeStatuses(statuses);
    nowMs += minutes * 60_000 - 1;
    expect(await findText()).toBe(expected);
    expect(await findText(keyOf(), { readsFailures: true })).toBeDefined();
  });

  test("passes over what lacks something", async () => {
    for (const text of ["has it", "lacks it"]) {
      await storeText(text);
      nowMs += 1;
    }
    const accepts = ({ body }: Capture) => Buffer.from(body).toString() === "has it";
    expect(await findText(keyOf(), { accepts })).toBe("has it");
    expect(await findText(keyOf(), { accepts: () => false })).toBeUndefined();
  });
});

describe("a damaged blob", () => {
  const damages: readonly (readonly [string, (bytes: Uint8Array) => Uint8Array])[] = [
    ["cut short", (bytes) => bytes.subarray(0, bytes.length - 1)],
    ["empty", () => new Uint8Array()],
    ["of an unknown form", (bytes) => Uint8Array.from([99, ...bytes.subarray(1)])],
    [
      "with one bit turned",
      (bytes) => bytes.map((byte, index) => (index === bytes.length - 1 ? byte ^ 1 : byte)),
    ],
    ["with wild lengths", (bytes) => bytes.map((byte, index) => (index >= 5 && index < 13 ? 255 : byte))],
  ];

  test.each(damages)("%s counts as a miss and is deleted", async (_name, damage) => {
    await storeText("text ".repeat(1_000));
    const [blobKey = ""] = await blobKeys();
    await blobs.put(blobKey, damage((await blobs.get(blobKey)) ?? new Uint8Array()));
    cache = openCache();
    expect(await cache.find(keyOf(), anyAge)).toBeUndefined();
    expect(await blobKeys()).toEqual([]);
    expect(await countRows()).toBe(0);
  });

  test("a missing one leads to the next older page", async () => {
    await storeText("older");
    const [olderKey] = await blobKeys();
    nowMs += 1;
    await storeText("newer");
    for (const key of await blobKeys()) if (key !== olderKey) await blobs.delete(key);
    cache = openCache();
    expect(await findText()).toBe("older");
    expect(await countRows()).toBe(1);
  });

  test("a store that fails for now loses nothing", async () => {
    await storeText("text");
    const failing: BlobStore = { ...blobs, get: () => Promise.reject(new Error("disk unplugged")) };
    await expect(openCache(failing).find(keyOf(), anyAge)).rejects.toThrow("disk unplugged");
    cache = openCache();
    expect(await findText()).toBe("text");
  });
});

describe("pruning", () => {
  async function storePages(count: number): Promise<number> {
    for (let place = 0; place < count; place += 1) {
      await storeText(`page ${String(place).padStart(4, "0")}`, keyOf({ url: `https://site.test/${place}` }));
      nowMs += 1;
    }
    const row = await database
      .prepared<{ bytes: number }>("SELECT sum(size_bytes) AS bytes FROM captures")
      .get();
    return (row?.bytes ?? 0) / count;
  }

  async function keptPlaces(count: number): Promise<number[]> {
    const places = Array.from({ length: count }, (_, place) => place);
    const found = await Promise.all(
      places.map((place) => findText(keyOf({ url: `https://site.test/${place}` }))),
    );
    return places.filter((place) => found[place] !== undefined);
  }

  test("removes nothing that fits", async () => {
    const pageBytes = await storePages(3);
    cache = openCache(blobs, pageBytes * 3);
    expect(await cache.prune()).toEqual({ removed: 0 });
    expect(await keptPlaces(3)).toEqual([0, 1, 2]);
  });

  test("removes the oldest, and not one more than needed", async () => {
    const pageBytes = await storePages(5);
    cache = openCache(blobs, pageBytes * 2 + 1);
    expect(await cache.prune()).toEqual({ removed: 3 });
    expect(await keptPlaces(5)).toEqual([3, 4]);
    expect(await blobKeys()).toHaveLength(2);
    expect(await cache.prune()).toEqual({ removed: 0 });
  });

  test("works through many batches", async () => {
    const pageBytes = await storePages(160);
    cache = openCache(blobs, pageBytes * 10);
    expect(await cache.prune()).toEqual({ removed: 150 });
    expect(await keptPlaces(160)).toEqual(Array.from({ length: 10 }, (_, index) => 150 + index));
  });

  test("forgets what it just stored, too", async () => {
    cache = openCache(blobs, 0);
    await storeText("text");
    expect(await cache.prune()).toEqual({ removed: 1 });
    expect(await findText()).toBeUndefined();
  });

  test("removes what is older than two years, whatever the space", async () => {
    await storeText("ancient");
    nowMs += 1;
    await storeText("old");
    nowMs = START + 2 * YEAR;
    await storeText("new");
    expect(await cache.prune()).toEqual({ removed: 0 });
    nowMs += 1;
    expect(await cache.prune()).toEqual({ removed: 1 });
    expect(await countRows()).toBe(2);
  });

  test("lets requests run between its steps, and answers them", async () => {
    const pageBytes = await storePages(600);
    cache = openCache(blobs, pageBytes);
    const ended = new AbortController();
    const pruning = cache.prune().finally(() => ended.abort());
    let turns = 0;
    while (!ended.signal.aborted) {
      expect(await findText(keyOf({ url: "https://site.test/599" }))).toBe("page 0599");
      turns += 1;
      await new Promise(setImmediate);
    }
    expect(await pruning).toEqual({ removed: 599 });
    expect(turns).toBeGreaterThan(3);
  });

  test("called twice at once it works once", async () => {
    const pageBytes = await storePages(4);
    cache = openCache(blobs, pageBytes);
    const results = await Promise.all([cache.prune(), cache.prune()]);
    expect(results).toEqual([{ removed: 3 }, { removed: 3 }]);
    expect(await blobKeys()).toHaveLength(1);
  });

  test("deletes blobs without a row, but none that may be waiting for it", async () => {
    const orphan = (id: string) => `captures/${id.slice(-2)}/${id}`;
    const old = orphan(uuidV7(START - 2 * 60 * 60 * 1000));
    const young = orphan(uuidV7(START - 1_000));
    await storeText("kept");
    const [kept = ""] = await blobKeys();
    nowMs += 1;
    for (const key of [old, young, "captures/readme"]) await blobs.put(key, Uint8Array.of(1));
    expect(await cache.prune()).toEqual({ removed: 0 });
    expect((await blobKeys()).sort()).toEqual([kept, young, "captures/readme"].sort());
    nowMs += 2 * DAY;
    await cache.prune();
    expect((await blobKeys()).sort()).toEqual([kept, "captures/readme"].sort());
    expect(await findText()).toBe("kept");
  });
});
