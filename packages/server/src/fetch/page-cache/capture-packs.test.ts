import { afterEach, beforeEach, expect, test } from "vitest";

import { uuidV7 } from "@pergamon-dev/kit/uuid";
import type { BlobStore } from "../../storage/blobs/blob-store.ts";
import { openMemoryBlobs } from "../../storage/blobs/memory.ts";
import type { Database } from "../../storage/database/database.ts";
import { openDatabase } from "../../storage/database/drivers.ts";
import type { Capture } from "../capture.ts";
import { openPageCache, type PageCache } from "./page-cache.ts";
import type { CacheKey } from "./page-cache-key.ts";

const START = 1_900_000_000_000;
const MINUTE = 60_000;
const DAY = 24 * 60 * MINUTE;
const PACK = 100;

let database: Database;
let stored: BlobStore;
let blobs: BlobStore;
let puts: string[];
/** Runs before a request of this kind, once. */
let before: { put?: () => Promise<unknown>; read?: () => Promise<unknown> };
let nowMs: number;

beforeEach(async () => {
  database = await openDatabase("sqlite::memory:");
  await database.migrate();
  stored = openMemoryBlobs();
  puts = [];
  before = {};
  nowMs = START;
  const once = async (kind: "put" | "read") => {
    const work = before[kind];
    before = { ...before, [kind]: undefined };
    await work?.();
  };
  blobs = {
    ...stored,
    costsPerRequest: true,
    async put(key, bytes) {
      puts.push(key);
      await stored.put(key, bytes);
      await once("put");
    },
    async read(key, part) {
      await once("read");
      return stored.read(key, part);
    },
  };
});
afterEach(() => database.close());

/** One of several processes over the same stores: it reads what it has not stored itself. */
function openCache(): PageCache {
  return openPageCache({
    database,
    blobs,
    maxBytes: Number.MAX_SAFE_INTEGER,
    scope: "instance",
    clock: () => nowMs,
  });
}

function keyOf(name: string): CacheKey {
  const plain = { mobile: false, blockAds: true, country: "US", languages: [], enhanced: false } as const;
  return { url: `https://site.test/${name}`, ...plain, screenshot: "none" };
}

async function store(name: string, teamId = "team", body = Buffer.from(`text of ${name}`)): Promise<string> {
  const capture: Capture = {
    requestedUrl: "https://site.test/",
    url: "https://site.test/",
    statusCode: 200,
    reason: "OK",
    headers: {},
    contentType: "text/html",
    body,
    engine: "http",
    proxyUsed: "basic",
    capturedAtMs: nowMs,
  };
  return openCache().store(keyOf(name), capture, { waitForMs: 0, teamId });
}

async function storeMany(count: number, teamId = "team"): Promise<readonly string[]> {
  const ids: string[] = [];
  for (let number = 0; number < count; number += 1) ids.push(await store(`${teamId} ${number}`, teamId));
  return ids;
}

async function textOf(captureId: string): Promise<string | undefined> {
  const capture = await openCache().load(captureId);
  return capture && Buffer.from(capture.body).toString();
}

const prune = () => openCache().prune();

/** Everything that is kept as blobs. */
async function keptText(): Promise<string> {
  let text = "";
  for (const folder of ["captures", "packs"])
    for await (const key of stored.list(folder)) text += String(Buffer.from((await stored.get(key)) ?? []));
  return text;
}

async function packs(): Promise<readonly string[]> {
  const keys: string[] = [];
  for await (const key of stored.list("packs")) keys.push(key);
  return keys;
}

test("a capture is found by every process at once, and after it was packed", async () => {
  const ids = await storeMany(PACK);
  expect(puts).toEqual([]);
  expect(await textOf(ids[7] ?? "")).toBe("text of team 7");
  await prune();
  expect(await Promise.all(ids.map(textOf))).toEqual(ids.map((_, index) => `text of team ${index}`));
  expect(await database.prepared("SELECT * FROM unpacked_captures").all()).toEqual([]);
});

test("a hundred captures cost one request, and fewer wait for ten minutes at most", async () => {
  await storeMany(PACK * 4 + 1);
  await prune();
  expect(puts).toHaveLength(1);
  nowMs += 9 * MINUTE;
  await prune();
  expect(puts).toHaveLength(1);
  nowMs += 2 * MINUTE;
  await prune();
  expect(puts).toHaveLength(2);
});

test("large captures are blobs of their own", async () => {
  const random = Buffer.from(Array.from({ length: 300_000 }, () => Math.random() * 256));
  const id = await store("large", "team", random);
  expect(puts).toEqual([`captures/${id.slice(-2)}/${id}`]);
  expect((await openCache().load(id))?.body.byteLength).toBe(300_000);
});

test("a crash between a pack and its rows loses nothing, and what it leaves is removed", async () => {
  const ids = await storeMany(PACK);
  before.put = () => Promise.reject(new Error("killed"));
  await expect(prune()).rejects.toThrow("killed");
  expect(await textOf(ids[3] ?? "")).toBe("text of team 3");
  expect(await packs()).toHaveLength(1);
  await prune();
  expect(await textOf(ids[3] ?? "")).toBe("text of team 3");
  nowMs += 2 * DAY;
  await prune();
  expect(await packs()).toHaveLength(1);
});

test("what is deleted leaves the pack with the next pruning, and nothing else does", async () => {
  const ids = await storeMany(PACK);
  await prune();
  expect(await keptText()).toContain("text of team 50");
  await openCache().remove(ids[50] ?? "");
  expect(await textOf(ids[50] ?? "")).toBeUndefined();
  await prune();
  expect(await keptText()).not.toContain("text of team 50");
  expect(await packs()).toHaveLength(1);
  expect(await textOf(ids[51] ?? "")).toBe("text of team 51");
});

test("a team that is erased is in no pack any more, and others are", async () => {
  const theirs = await storeMany(PACK / 2, "erased");
  const [kept = ""] = await storeMany(PACK, "kept");
  await prune();
  await openCache().erase("erased");
  await prune();
  expect(await keptText()).not.toContain("text of erased");
  expect(await textOf(theirs[0] ?? "")).toBeUndefined();
  expect(await textOf(kept)).toBe("text of kept 0");
  await openCache().erase("kept");
  await prune();
  expect(await packs()).toEqual([]);
});

test("what is deleted while it is packed does not come back", async () => {
  const ids = await storeMany(PACK);
  before.put = () => openCache().remove(ids[9] ?? "");
  await prune();
  expect(await textOf(ids[9] ?? "")).toBeUndefined();
  expect(await textOf(ids[10] ?? "")).toBe("text of team 10");
  expect(await keptText()).not.toMatch(/text of team 9(?!\d)/);
  expect(await database.prepared("SELECT * FROM capture_packs WHERE removed > 0").all()).toEqual([]);
});

test("who reads a pack that is rewritten meanwhile gets the capture", async () => {
  const ids = await storeMany(PACK);
  await prune();
  await openCache().remove(ids[0] ?? "");
  before.read = prune;
  expect(await textOf(ids[1] ?? "")).toBe("text of team 1");
});

test("a pack that the store has lost or damaged counts as none", async () => {
  const ids = await storeMany(PACK * 2);
  await prune();
  const [key = ""] = await packs();
  await stored.put(key, Buffer.from("short"));
  expect(await textOf(ids[1] ?? "")).toBeUndefined();
  await stored.delete(key);
  expect(await textOf(ids[2] ?? "")).toBeUndefined();
  await prune();
  expect(await database.prepared("SELECT * FROM capture_packs").all()).toEqual([]);
  expect(await textOf(ids[3] ?? "")).toBeUndefined();
});

test("what waits without a row of its own is not kept for long", async () => {
  await database
    .prepared("INSERT INTO unpacked_captures (capture_id, bytes) VALUES (?, ?)")
    .run(uuidV7(nowMs), Buffer.from("left by a crash"));
  nowMs += 2 * 60 * MINUTE;
  await prune();
  expect(await database.prepared("SELECT * FROM unpacked_captures").all()).toEqual([]);
});

test("blobs from before there were packs are found", async () => {
  const id = await openPageCache({
    database,
    blobs: stored,
    maxBytes: Number.MAX_SAFE_INTEGER,
    scope: "instance",
    clock: () => nowMs,
  }).store(
    keyOf("old"),
    {
      requestedUrl: "https://site.test/",
      url: "https://site.test/",
      statusCode: 200,
      reason: "OK",
      headers: {},
      contentType: "text/html",
      body: Buffer.from("old"),
      engine: "http",
      proxyUsed: "basic",
      capturedAtMs: nowMs,
    },
    { waitForMs: 0, teamId: "team" },
  );
  expect(await textOf(id)).toBe("old");
  await openCache().remove(id);
  expect(await keptText()).toBe("");
});
