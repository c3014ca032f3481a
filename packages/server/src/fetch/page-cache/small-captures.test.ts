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
const HOUR = 60 * 60 * 1000;
const DAY = 24 * HOUR;

let database: Database;
let blobs: BlobStore;
let nowMs: number;

beforeEach(async () => {
  database = await openDatabase("sqlite::memory:");
  await database.migrate();
  blobs = openMemoryBlobs();
  nowMs = START;
});
afterEach(() => database.close());

/** Remembers nothing of what was stored before. */
function openCache(maxBytes = Number.MAX_SAFE_INTEGER): PageCache {
  return openPageCache({ database, blobs, maxBytes, scope: "instance", clock: () => nowMs });
}

interface Stored {
  readonly text: string;
  readonly teamId?: string;
  /** Of random bytes, which cannot be compressed. */
  readonly noiseBytes?: number;
  readonly isOfJob?: boolean;
}

function keyOf(text: string): CacheKey {
  const url = `https://site.test/${text.slice(0, 5)}`;
  const plain = { mobile: false, blockAds: true, country: "US", languages: [], enhanced: false } as const;
  return { url, ...plain, screenshot: "none" };
}

async function store(
  { text, teamId = "team", noiseBytes = 0, isOfJob }: Stored,
  cache = openCache(),
): Promise<string> {
  const key = keyOf(text);
  const { url } = key;
  const noise = Buffer.from(Array.from({ length: noiseBytes }, () => Math.random() * 256));
  const capture: Capture = {
    requestedUrl: url,
    url,
    statusCode: 200,
    reason: "OK",
    headers: {},
    contentType: "text/html",
    body: Buffer.concat([Buffer.from(text), noise]),
    engine: "http",
    proxyUsed: "basic",
    capturedAtMs: nowMs,
  };
  return cache.store(key, capture, { waitForMs: 0, teamId, isOfJob });
}

async function textOf(captureId: string): Promise<string | undefined> {
  const capture = await openCache().load(captureId);
  return capture && Buffer.from(capture.body).toString("latin1").slice(0, 5);
}

async function idsInRows(): Promise<readonly string[]> {
  const rows = await database
    .prepared<{ id: string }>("SELECT capture_id AS id FROM unpacked_captures ORDER BY capture_id")
    .all();
  return rows.map(({ id }) => id);
}

async function keys(folder: string): Promise<readonly string[]> {
  const found: string[] = [];
  for await (const key of blobs.list(folder)) found.push(key);
  return found;
}

test("a small capture is a row and no blob, and larger ones are blobs and no rows", async () => {
  const small = await store({ text: "small", noiseBytes: 7000 });
  const large = await store({ text: "large", noiseBytes: 8200 });
  expect(await idsInRows()).toEqual([small]);
  expect(await keys("captures")).toEqual([`captures/${large.slice(-2)}/${large}`]);
  expect([await textOf(small), await textOf(large)]).toEqual(["small", "large"]);
});

test("pages of jobs that come together are stored with two statements, and looked for with one", async () => {
  const sent: string[] = [];
  const send = database.prepared.bind(database);
  database = { ...database, prepared: <Row>(sql: string) => (sent.push(sql), send<Row>(sql)) };
  const cache = openCache();
  const numbers = Array.from({ length: 16 }, (_, number) => number);
  const kept = await Promise.all(
    numbers.map((number) => store({ text: `${1000 + number}.`, isOfJob: true }, cache)),
  );
  expect(sent.map((sql) => sql.slice(0, 22))).toEqual(["INSERT INTO unpacked_c", "INSERT INTO captures ("]);
  const bounds = { maxAgeMs: undefined, minAgeMs: undefined, waitForMs: 0, needsTrust: true };
  const found = await Promise.all(
    numbers.map((number) =>
      cache.find(keyOf(`${1000 + number}.`), { ...bounds, wantsScreenshot: false, teamId: "team" }),
    ),
  );
  expect(found.map((one) => one?.captureId)).toEqual(kept);
  expect(sent).toHaveLength(3);
});

test("what counts is the size of a compressed page", async () => {
  const id = await store({ text: "words ".repeat(10_000) });
  expect(await idsInRows()).toEqual([id]);
  expect(await textOf(id)).toBe("words");
});

test("a capture that is removed leaves no byte", async () => {
  const [kept, removed] = [await store({ text: "kept" }), await store({ text: "gone" })];
  expect(await openCache().remove(removed)).toBe(true);
  expect(await idsInRows()).toEqual([kept]);
  expect([await textOf(kept), await textOf(removed)]).toEqual(["kept", undefined]);
});

test("a team that is erased leaves no byte, and others keep theirs", async () => {
  await store({ text: "first", teamId: "erased" });
  const kept = await store({ text: "other", teamId: "other" });
  await store({ text: "again", teamId: "erased", noiseBytes: 9000 });
  await openCache().erase("erased");
  expect([await idsInRows(), await keys("captures")]).toEqual([[kept], []]);
});

test("pruning counts rows as blobs, and removes the oldest of both", async () => {
  const ids: string[] = [];
  for (const noiseBytes of [0, 9000, 0, 9000]) {
    ids.push(await store({ text: `page ${ids.length}`, noiseBytes }));
    nowMs += 1;
  }
  expect(await openCache(9000 + 2000).prune()).toEqual({ removed: 2 });
  expect(await idsInRows()).toEqual([ids[2]]);
  expect(await keys("captures")).toHaveLength(1);
});

test.each([
  ["damaged", "UPDATE unpacked_captures SET bytes = ? WHERE capture_id = ?", Uint8Array.of(1, 2, 3)],
  ["empty", "UPDATE unpacked_captures SET bytes = ? WHERE capture_id = ?", new Uint8Array()],
] as const)("a row that is %s counts as none and is removed", async (_name, sql, bytes) => {
  const id = await store({ text: "text" });
  await database.prepared(sql).run(bytes, id);
  expect(await textOf(id)).toBeUndefined();
  expect(await idsInRows()).toEqual([]);
  expect(await database.prepared("SELECT id FROM captures").all()).toEqual([]);
});

test("what a crash has left before its row is removed within a day, and not while the row may come", async () => {
  const young = uuidV7(START - 1000);
  const orphans = Array.from({ length: 1100 }, (_, number) => uuidV7(START - 2 * HOUR - number));
  const insert = database.prepared("INSERT INTO unpacked_captures (capture_id, bytes) VALUES (?, ?)");
  for (const id of [...orphans, young]) await insert.run(id, Uint8Array.of(1));
  const kept = await store({ text: "kept" });
  const cache = openCache();
  await cache.prune();
  expect(await idsInRows()).toEqual([young, kept]);
  nowMs += HOUR;
  await cache.prune();
  expect(await idsInRows()).toEqual([young, kept]);
  nowMs += DAY;
  await cache.prune();
  expect(await idsInRows()).toEqual([kept]);
  expect(await textOf(kept)).toBe("kept");
});

test("where blobs move to a store whose requests cost, rows are packed there", async () => {
  const ids: string[] = [];
  for (let number = 0; number < 100; number += 1) ids.push(await store({ text: `${1000 + number}.` }));
  blobs = { ...blobs, costsPerRequest: true };
  await openCache().prune();
  expect([await idsInRows(), (await keys("packs")).length]).toEqual([[], 1]);
  expect(await Promise.all(ids.map(textOf))).toEqual(ids.map((_, number) => `${1000 + number}.`));
});
