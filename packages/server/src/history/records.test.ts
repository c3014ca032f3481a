import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";

import { testFolder } from "@pergamon-dev/kit/test-folder.suite";
import { uuidV7 } from "@pergamon-dev/kit/uuid";
import type { BlobStore } from "../storage/blobs/blob-store.ts";
import { sha256Hex } from "@pergamon-dev/kit/hash";
import { openBlobs } from "../storage/blobs/drivers.ts";
import type { Database } from "../storage/database/database.ts";
import { openDatabase } from "../storage/database/drivers.ts";
import { openRecords, type Records } from "./records.ts";
import type { ScrapeRecord } from "./scrape-rows.ts";

const START = Date.UTC(2026, 10, 15);
const HOUR = 60 * 60 * 1000;

let database: Database;
let blobs: BlobStore;
let nowMs: number;
let records: Records;

beforeEach(async () => {
  database = await openDatabase("sqlite::memory:");
  await database.migrate();
  blobs = await openBlobs("memory:");
  nowMs = START;
  records = openRecords({ database, blobs, clock: () => nowMs });
});

afterEach(async () => {
  await records.close();
  await database.close();
});

function recordOf(changes: Partial<ScrapeRecord> = {}): ScrapeRecord {
  return {
    id: uuidV7(nowMs),
    kind: "scrape",
    teamId: "team",
    url: "https://site.test/",
    status: "completed",
    creditsUsed: 1,
    durationMs: 12,
    createdAtMs: nowMs,
    ...changes,
  };
}

async function written(): Promise<number> {
  const row = await database.prepared<{ scrapes: number }>("SELECT count(*) AS scrapes FROM scrapes").get();
  return row?.scrapes ?? 0;
}

async function blobKeys(): Promise<string[]> {
  const keys: string[] = [];
  for await (const key of blobs.list("documents")) keys.push(key);
  return keys;
}

describe("a record", () => {
  const full = recordOf({
    id: "00000000-0000-7000-8000-000000000001",
    keyId: "key",
    status: "failed",
    statusCode: 503,
    errorCode: "SCRAPE_SITE_ERROR",
    creditsUsed: 5,
    cacheState: "hit",
    origin: "api",
    captureId: "00000000-0000-7000-8000-000000000002",
    recipe: "{}",
    createdAtMs: START,
  });

  test("is found before it is written, and is the same afterwards", async () => {
    records.add(full);
    expect(await written()).toBe(0);
    expect(await records.get(full.id)).toEqual({ teamId: "team", record: full, isExpired: false });
    await records.flush();
    expect(await written()).toBe(1);
    expect(await records.get(full.id)).toEqual({ teamId: "team", record: full, isExpired: false });
  });

  test("is written soon without being asked for", async () => {
    records.add(recordOf());
    await expect.poll(() => written()).toBe(1);
  });

  test("is written at the latest when the history is closed", async () => {
    records.add(recordOf());
    await records.close();
    expect(await written()).toBe(1);
  });

  test("of an unknown id is undefined", async () => {
    expect(await records.get(uuidV7())).toBeUndefined();
  });

  test("added twice is kept once", async () => {
    records.add(full);
    await records.flush();
    records.add({ ...full, url: "https://other.test/" });
    await records.flush();
    expect((await records.get(full.id))?.record.url).toBe(full.url);
  });

  test.each([
    ["https://user:secret@site.test/a", "https://site.test/a"],
    ["site.test/@name", "site.test/@name"],
    ["HTTPS://Site.test/@name", "HTTPS://Site.test/@name"],
  ])("of %s is kept as %s", async (url, kept) => {
    const record = recordOf({ url });
    records.add(record);
    expect((await records.get(record.id))?.record.url).toBe(kept);
    await records.flush();
    expect((await records.get(record.id))?.record.url).toBe(kept);
  });

  test("many at once are all written", async () => {
    const many = Array.from({ length: 1_234 }, () => recordOf({ keyId: "key" }));
    for (const record of many) records.add(record);
    await records.flush();
    expect(await written()).toBe(1_234);
  });
});

describe("when the database cannot be written", () => {
  test("records wait, are told about, stay findable, and are written later", async () => {
    await database.prepared("ALTER TABLE scrapes RENAME TO elsewhere").run();
    const failures: unknown[] = [];
    const waiting = openRecords({
      database,
      blobs,
      clock: () => nowMs,
      onError: (failure) => failures.push(failure),
    });
    const record = recordOf();
    waiting.add(record);
    await expect.poll(() => failures).toHaveLength(1);
    await expect(waiting.flush()).rejects.toThrow("scrapes");
    expect((await waiting.get(record.id))?.record).toEqual(record);

    await database.prepared("ALTER TABLE elsewhere RENAME TO scrapes").run();
    await waiting.close();
    expect(await written()).toBe(1);
  });
});

describe("an answer", () => {
  const packed = JSON.stringify({ markdown: "# Grüße 🌍 ".repeat(2_000) });
  const hashes = Array.from({ length: 500 }, (_, index) => sha256Hex(`${index}`)).join("");
  const text = JSON.stringify({ markdown: hashes + packed.repeat(10) });

  async function addWithAnswer(
    answerKey: string,
    answer: Parameters<typeof records.saveAnswer>[1] = text,
  ): Promise<string> {
    const record = recordOf({ answerKey });
    records.add(record);
    await records.saveAnswer(answerKey, answer);
    return record.id;
  }

  /** By the way from its record. */
  async function answerOf(id: string, from = records): Promise<string | undefined> {
    const found = await from.get(id);
    return found && !found.isExpired ? from.answer(found.record.answerKey ?? "") : undefined;
  }

  test("comes with its record, also after opening again, and takes little room", async () => {
    const id = await addWithAnswer("key");
    expect(await answerOf(id)).toBe(text);
    await records.flush();
    const later = openRecords({ database, blobs, clock: () => nowMs });
    expect(await answerOf(id, later)).toBe(text);
    const [blobKey = ""] = await blobKeys();
    expect((await blobs.get(blobKey))?.byteLength).toBeLessThan(text.length / 10);
  });

  test("is waited for while it is being saved", async () => {
    const record = recordOf({ answerKey: "key" });
    records.add(record);
    const saving = records.saveAnswer("key", text);
    expect(await answerOf(record.id)).toBe(text);
    await saving;
  });

  test("is saved before closing is done", async () => {
    const record = recordOf({ answerKey: "key" });
    records.add(record);
    const saving = records.saveAnswer("key", text);
    await records.close();
    expect(await blobKeys()).toHaveLength(1);
    await saving;
  });

  test("of the same key is stored once and written once, at once or one after the other", async () => {
    const write = vi.fn(async () => [Buffer.from(text)]);
    const ids = await Promise.all([addWithAnswer("key", write), addWithAnswer("key", write)]);
    ids.push(await addWithAnswer("key", write));
    await records.flush();
    records = openRecords({ database, blobs, clock: () => nowMs });
    ids.push(await addWithAnswer("key", write));
    expect(write).toHaveBeenCalledOnce();
    expect(await blobKeys()).toHaveLength(1);
    for (const id of ids) expect(await answerOf(id)).toBe(text);
  });

  test("is there for 24 hours after each scrape that has it, and no longer", async () => {
    const first = await addWithAnswer("key");
    nowMs = START + 23.5 * HOUR;
    const second = await addWithAnswer("key");
    nowMs = START + 24 * HOUR;
    expect(await answerOf(first)).toBe(text);
    nowMs += 1;
    expect(await records.get(first)).toMatchObject({ teamId: "team", isExpired: true });
    await records.prune();
    nowMs = START + 47.5 * HOUR;
    expect(await answerOf(second)).toBe(text);
    nowMs += 2 * HOUR;
    await records.prune();
    expect(await blobKeys()).toEqual([]);
    expect((await records.get(second))?.record.answerKey).toBe("key");
  });

  test("lives on for a scrape that found it remembered a moment before", async () => {
    await addWithAnswer("key");
    nowMs += HOUR - 1;
    const late = await addWithAnswer("key");
    nowMs += 24 * HOUR;
    await records.prune();
    expect(await answerOf(late)).toBe(text);
  });

  test("that is damaged is gone, and can be saved again", async () => {
    const id = await addWithAnswer("key");
    const [blobKey = ""] = await blobKeys();
    await blobs.put(blobKey, Uint8Array.of(1, 2, 3));
    expect(await answerOf(id)).toBeUndefined();
    expect(await blobKeys()).toEqual([]);
    await records.saveAnswer("key", text);
    expect(await answerOf(id)).toBe(text);
  });

  test("that cannot be saved says so, and a later try works", async () => {
    await expect(
      records.saveAnswer("key", () => {
        throw new Error("not JSON");
      }),
    ).rejects.toThrow("not JSON");
    const id = await addWithAnswer("key");
    expect(await answerOf(id)).toBe(text);
  });

  test.each(["small 🌍", packed])(
    "that is small, or becomes so, stands in its row, is changed there, and goes with it",
    async (small) => {
      const id = await addWithAnswer("key", small);
      expect(await blobKeys()).toEqual([]);
      expect(await answerOf(id)).toBe(small);
      nowMs += 50 * HOUR;
      await records.saveAnswer("key", text);
      expect(await records.answer("key")).toBe(text);
      nowMs += 50 * HOUR;
      await records.saveAnswer("key", "small again");
      expect(await records.answer("key")).toBe("small again");
      nowMs += 50 * HOUR;
      await records.prune();
      expect(await records.answer("key")).toBeUndefined();
      const rows = await database.prepared<{ rows: number }>("SELECT count(*) AS rows FROM documents").get();
      expect(rows).toEqual({ rows: 0 });
    },
  );

  test.each(["small", packed, text])(
    "that was prepared is kept with its transaction, or not at all",
    async (data) => {
      const keep = await records.prepareAnswer("key", [Buffer.from(data)]);
      expect(await records.answer("key")).toBeUndefined();
      const undone = database.transaction(async (tx) => {
        await keep(tx);
        throw new Error("undone");
      });
      await expect(undone).rejects.toThrow("undone");
      expect(await records.answer("key")).toBeUndefined();
      await database.transaction(keep);
      expect(await records.answer("key")).toBe(data);
    },
  );

  test("left by a crash without its row is deleted, others are not", async () => {
    const id = await addWithAnswer("key");
    const orphanId = uuidV7(START - 2 * HOUR);
    await blobs.put(`documents/${orphanId.slice(-2)}/${orphanId}`, Uint8Array.of(1));
    nowMs += 2 * HOUR;
    await records.prune();
    expect(await blobKeys()).toHaveLength(1);
    expect(await answerOf(id)).toBe(text);
  });
});

describe("the list", () => {
  test("gives the team's scrapes, newest first, as clients get them", async () => {
    const first = recordOf({ url: "https://site.test/1" });
    nowMs += 1;
    const second = recordOf({ url: "https://site.test/2", status: "failed" });
    for (const record of [first, second, recordOf({ teamId: "other" })]) records.add(record);
    expect(await records.list("team", { limit: 50 })).toEqual({
      data: [
        {
          id: second.id,
          endpoint: "scrape",
          api_version: "v2",
          created_at: "2026-11-15T00:00:00.001Z",
          target: "https://site.test/2",
        },
        {
          id: first.id,
          endpoint: "scrape",
          api_version: "v2",
          created_at: "2026-11-15T00:00:00.000Z",
          target: "https://site.test/1",
        },
      ],
      cursor: null,
    });
  });

  test("pages visit each scrape once, also when many began in the same millisecond", async () => {
    const all = Array.from({ length: 25 }, (_, index) =>
      recordOf({ createdAtMs: START + Math.floor(index / 10) }),
    );
    for (const record of all) records.add(record);
    const seen: string[] = [];
    let cursor: string | null | undefined;
    do {
      const page = await records.list("team", { limit: 5, cursor: cursor ?? undefined });
      expect(page.data).toHaveLength(5);
      seen.push(...page.data.map(({ id }) => id));
      records.add(recordOf({ createdAtMs: START + HOUR }));
      ({ cursor } = page);
    } while (cursor !== null);
    expect(seen.toSorted()).toEqual(all.map(({ id }) => id).sort());
  });

  test("knows no other endpoint, and no strange cursor", async () => {
    records.add(recordOf());
    const empty = { data: [], cursor: null };
    expect((await records.list("team", { limit: 5, endpoint: "scrape" })).data).toHaveLength(1);
    expect(await records.list("team", { limit: 5, endpoint: "crawl" })).toEqual(empty);
    for (const cursor of ["", "x", "' OR 1=1", Buffer.from("1").toString("base64url")])
      expect(await records.list("team", { limit: 5, cursor })).toEqual(empty);
  });
});

describe("the newest success", () => {
  test("is of the team and completed", async () => {
    expect(await records.mostRecentSuccess("team")).toBeUndefined();
    const began = (createdAtMs: number) => ({ id: uuidV7(createdAtMs), createdAtMs });
    records.add(recordOf(began(START)));
    records.add(recordOf(began(START + 1)));
    records.add(recordOf({ ...began(START + 2), status: "failed" }));
    records.add(recordOf({ ...began(START + 3), teamId: "other" }));
    expect(await records.mostRecentSuccess("team")).toBe(START + 1);
  });
});

describe("pruning", () => {
  test("deletes records after 30 days, in many steps", async () => {
    for (let index = 0; index < 450; index += 1) records.add(recordOf());
    nowMs += 1;
    const kept = recordOf();
    records.add(kept);
    await records.flush();
    nowMs = START + 30 * 24 * HOUR;
    await records.prune();
    expect(await written()).toBe(451);
    nowMs += 1;
    await records.prune();
    expect(await written()).toBe(1);
    expect(await records.get(kept.id)).toBeDefined();
  });
});

test("history and answers survive a restart on files", async () => {
  const folder = testFolder();
  const open = async () => {
    const files = await openDatabase(`sqlite:${folder}/test.db`);
    await files.migrate();
    const kept = openRecords({ database: files, blobs: await openBlobs(`file:${folder}/blobs`) });
    return { kept, close: () => kept.close().then(() => files.close()) };
  };
  const record = recordOf({ answerKey: "key", createdAtMs: Date.now() });
  const before = await open();
  before.kept.add(record);
  await before.kept.saveAnswer("key", "{}");
  await before.close();

  const after = await open();
  expect(await after.kept.get(record.id)).toEqual({ teamId: "team", record, isExpired: false });
  expect(await after.kept.answer("key")).toBe("{}");
  expect((await after.kept.list("team", { limit: 1 })).data).toHaveLength(1);
  await after.close();
});
