import { deflateRawSync } from "node:zlib";

import { describe, expect, test } from "vitest";

import { ZipEntries } from "./zip-entries.ts";

interface Given {
  readonly name: string;
  readonly content: string;
  readonly isDeflated?: boolean;
}

/** A ZIP archive. @param claims - what the end of its directory says of where that begins */
function zipOf(files: readonly Given[], claims?: number): Buffer {
  const parts: Buffer[] = [];
  const directory: Buffer[] = [];
  let at = 0;
  for (const { name, content, isDeflated = false } of files) {
    const stored = isDeflated ? deflateRawSync(content) : Buffer.from(content);
    const local = Buffer.alloc(30);
    local.writeUInt32LE(0x04034b50);
    local.writeUInt16LE(Buffer.byteLength(name), 26);
    parts.push(local, Buffer.from(name), stored);
    const entry = Buffer.alloc(46);
    entry.writeUInt32LE(0x02014b50);
    entry.writeUInt16LE(isDeflated ? 8 : 0, 10);
    entry.writeUInt32LE(stored.length, 20);
    entry.writeUInt16LE(Buffer.byteLength(name), 28);
    entry.writeUInt32LE(at, 42);
    directory.push(entry, Buffer.from(name));
    at += 30 + Buffer.byteLength(name) + stored.length;
  }
  const end = Buffer.alloc(22);
  end.writeUInt32LE(0x06054b50);
  end.writeUInt32LE(claims ?? at, 16);
  return Buffer.concat([...parts, ...directory, end]);
}

const FILES = [
  { name: "word/document.xml", content: "<w:document/>" },
  { name: "größe.txt", content: "ä".repeat(1000), isDeflated: true },
];

describe("the files of a ZIP archive", () => {
  test("are read by name, stored or deflated", () => {
    const zip = new ZipEntries(zipOf(FILES));
    expect(zip.names()).toEqual(["word/document.xml", "größe.txt"]);
    expect(zip.text("word/document.xml", 100)).toBe("<w:document/>");
    expect(zip.bytes("größe.txt")?.toString()).toBe("ä".repeat(1000));
    expect([zip.text("missing", 100), zip.bytes("missing")]).toEqual([undefined, undefined]);
  });

  test("are read from their beginning where they are longer", () => {
    const zip = new ZipEntries(zipOf([{ name: "a", content: "0123456789" }, ...FILES]));
    expect(zip.text("a", 4)).toBe("0123");
    expect("ä".repeat(1000).startsWith(zip.text("größe.txt", 10)?.replace(/\u{fffd}/u, "") ?? "x")).toBe(
      true,
    );
  });

  test("are found behind other bytes and before a comment", () => {
    const archive = zipOf(FILES);
    const zip = new ZipEntries(Buffer.concat([archive, Buffer.from("a comment")]));
    expect(zip.names()).toHaveLength(2);
  });

  test("of a view into a larger buffer are its own", () => {
    const archive = zipOf(FILES);
    const large = new Uint8Array(archive.length + 200);
    large.set(archive, 100);
    expect(new ZipEntries(large.subarray(100, 100 + archive.length)).text("word/document.xml", 99)).toBe(
      "<w:document/>",
    );
  });
});

describe("a damaged archive", () => {
  test.each([
    ["nothing", Buffer.alloc(0)],
    ["text", Buffer.from("PK but not an archive")],
    ["an end alone that is cut", Buffer.from("504b0506", "hex")],
    ["a directory behind the end", zipOf(FILES, 0xffffffff)],
    ["a directory that is not one", zipOf(FILES, 0)],
  ])("has no files: %s", (_what, bytes) => {
    expect(new ZipEntries(bytes).names()).toEqual([]);
  });

  test("at every length and with every byte changed neither hangs nor throws", () => {
    const archive = zipOf(FILES);
    let longest = 0;
    for (let length = 0; length < archive.length; length++)
      longest = Math.max(longest, longestOf(archive.subarray(0, length)));
    for (let at = 0; at < archive.length; at++) {
      const changed = Buffer.from(archive);
      changed.writeUInt8(0xff, at);
      longest = Math.max(longest, longestOf(changed));
    }
    expect(longest).toBeLessThan(200_000);
  });

  /** Reads every file. @returns the length of the longest. */
  function longestOf(bytes: Buffer): number {
    const zip = new ZipEntries(bytes);
    return Math.max(0, ...zip.names().map((name) => zip.text(name, 100)?.length ?? 0));
  }
});
