import { Readable } from "node:stream";
import { buffer } from "node:stream/consumers";

import { afterEach, beforeEach, expect, test } from "vitest";

import type { BlobStore } from "./blob-store.ts";

const bytes = (text: string): Uint8Array => new TextEncoder().encode(text);

async function textAt(blobs: BlobStore, key: string): Promise<string | undefined> {
  const found = await blobs.get(key);
  return found && new TextDecoder().decode(found);
}

async function textOf(stream: Readable | undefined): Promise<string | undefined> {
  return stream && String(await buffer(stream));
}

async function keysIn(blobs: BlobStore, folder: string): Promise<string[]> {
  const keys: string[] = [];
  for await (const key of blobs.list(folder)) keys.push(key);
  return keys.sort();
}

/** What every blob store does. Call it inside a `describe`. */
export function describeBlobStore(open: () => Promise<BlobStore>): void {
  let blobs: BlobStore;
  beforeEach(async () => {
    blobs = await open();
  });
  afterEach(() => blobs.close());

  test("gives back what was put, byte for byte", async () => {
    const all = Uint8Array.from({ length: 256 }, (_, index) => index);
    await blobs.put("captures/ab/one", all);
    expect(Uint8Array.from((await blobs.get("captures/ab/one")) ?? [])).toEqual(all);
  });

  test("holds empty blobs, and tells them from missing ones", async () => {
    await blobs.put("empty", new Uint8Array());
    expect(await textAt(blobs, "empty")).toBe("");
    expect(await blobs.get("missing")).toBeUndefined();
    expect(await blobs.get("missing/deeper/still")).toBeUndefined();
  });

  test("streams a blob, or a part of it", async () => {
    await blobs.put("files/a", bytes("0123456789"));
    expect(await textOf(await blobs.read("files/a"))).toBe("0123456789");
    expect(await textOf(await blobs.read("files/a", { start: 0, end: 0 }))).toBe("0");
    expect(await textOf(await blobs.read("files/a", { start: 3, end: 5 }))).toBe("345");
    expect(await textOf(await blobs.read("files/a", { start: 8, end: 100 }))).toBe("89");
    expect(await textOf(await blobs.read("files/a", { start: 10, end: 20 }))).toBe("");
  });

  test("streams empty blobs, and tells them from missing ones", async () => {
    await blobs.put("empty", new Uint8Array());
    expect(await textOf(await blobs.read("empty"))).toBe("");
    expect(await blobs.read("missing")).toBeUndefined();
    expect(await blobs.read("missing/deeper", { start: 0, end: 1 })).toBeUndefined();
  });

  test("streams the version that was there, whatever happens meanwhile", async () => {
    const size = 300_000;
    await blobs.put("a", bytes("1".repeat(size)));
    const replaced = await blobs.read("a");
    await blobs.put("a", bytes("2".repeat(size)));
    const deleted = await blobs.read("a");
    await blobs.delete("a");
    expect(await textOf(replaced)).toBe("1".repeat(size));
    expect(await textOf(deleted)).toBe("2".repeat(size));
  });

  test("takes what is read little by little", async () => {
    const chunks = Array.from({ length: 20 }, (_, index) => Buffer.alloc(20_000, index + 65));
    const readChunks = () => Readable.from(chunks, { objectMode: false });
    await blobs.put("a", { sizeBytes: 400_000, open: readChunks });
    expect(await textAt(blobs, "a")).toBe(String(Buffer.concat(chunks)));
    await blobs.put("a", { sizeBytes: 0, open: () => Readable.from([], { objectMode: false }) });
    expect(await textAt(blobs, "a")).toBe("");
  });

  test("keeps what it has when something cannot be read to its end", async () => {
    await blobs.put("a", bytes("before"));
    const fail = () =>
      Readable.from(
        (async function* () {
          yield Buffer.alloc(1000);
          throw new Error("unplugged");
        })(),
        { objectMode: false },
      );
    await expect(blobs.put("a", { sizeBytes: 2000, open: fail })).rejects.toThrow("unplugged");
    expect(await textAt(blobs, "a")).toBe("before");
    expect(await keysIn(blobs, "a")).toEqual([]);
  });

  test("replaces", async () => {
    await blobs.put("a", bytes("a longer first version"));
    await blobs.put("a", bytes("second"));
    expect(await textAt(blobs, "a")).toBe("second");
  });

  test("forgets what is deleted, and does not mind deleting twice", async () => {
    await blobs.put("a/b", bytes("x"));
    await blobs.delete("a/b");
    await blobs.delete("a/b");
    expect(await blobs.get("a/b")).toBeUndefined();
  });

  test("takes a key and a key below it", async () => {
    await blobs.put("a", bytes("1"));
    await blobs.put("a/b", bytes("2"));
    await blobs.put("a/b/c", bytes("3"));
    expect([await textAt(blobs, "a"), await textAt(blobs, "a/b"), await textAt(blobs, "a/b/c")]).toEqual([
      "1",
      "2",
      "3",
    ]);
  });

  test("keeps its own copy", async () => {
    const mine = bytes("before");
    await blobs.put("a", mine);
    mine.fill(0);
    (await blobs.get("a"))?.fill(1);
    expect(await textAt(blobs, "a")).toBe("before");
  });

  test("lists the keys below a folder only", async () => {
    for (const key of ["x/1", "x/y/2", "xy/3", "x"]) await blobs.put(key, bytes(key));
    expect(await keysIn(blobs, "x")).toEqual(["x/1", "x/y/2"]);
    expect(await keysIn(blobs, "nothing")).toEqual([]);
  });

  test("a reader sees one whole version while others write", async () => {
    const versions = ["a", "b", "c"].map((letter) => bytes(letter.repeat(100_000)));
    await blobs.put("k", versions[0] ?? bytes(""));
    const writes = Array.from({ length: 30 }, (_, index) => blobs.put("k", versions[index % 3] ?? bytes("")));
    const reads = Array.from({ length: 30 }, () => textAt(blobs, "k"));
    await Promise.all(writes);
    for (const text of await Promise.all(reads)) {
      expect(text).toHaveLength(100_000);
      expect(new Set(text).size).toBe(1);
    }
  });

  test.each([
    "",
    "/",
    "/etc/passwd",
    "../up",
    "a/../b",
    "a//b",
    "a/",
    "A",
    "a.b",
    "a\\b",
    "a b",
    "a\0",
    "ä",
    "a\n",
    "x".repeat(201),
  ])("refuses the key %j everywhere", async (key) => {
    await expect(blobs.put(key, bytes("x"))).rejects.toThrow(TypeError);
    await expect(blobs.get(key)).rejects.toThrow(TypeError);
    await expect(blobs.read(key)).rejects.toThrow(TypeError);
    await expect(blobs.delete(key)).rejects.toThrow(TypeError);
    await expect(keysIn(blobs, key)).rejects.toThrow(TypeError);
  });

  test("takes a key of 200 characters", async () => {
    const key = "k".repeat(200);
    await blobs.put(key, bytes("long"));
    expect(await textAt(blobs, key)).toBe("long");
  });

  test("answers a ping", async () => {
    await expect(blobs.ping()).resolves.toBeUndefined();
  });
}
