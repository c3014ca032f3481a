import { describe, expect, test } from "vitest";

import { isOleFile, oleStreamNames } from "./ole-streams.ts";

const SECTOR = 512;
const NONE = 0xffffffff;

interface Given {
  readonly name: string;
  /** 5 is the root, 1 a folder, 2 a stream. */
  readonly type: number;
  readonly left?: number;
  readonly right?: number;
  readonly child?: number;
}

/** A compound file: header, allocation table, directory. @param chain - which sector comes behind which */
function oleOf(entries: readonly Given[], chain: readonly number[] = [0xfffffffd]): Buffer {
  const sectors = Math.ceil(entries.length / 4);
  const file = Buffer.alloc(SECTOR * (2 + sectors));
  file.write("d0cf11e0a1b11ae1", "hex");
  file.writeUInt16LE(9, 30);
  file.writeUInt32LE(1, 48);
  file.writeUInt32LE(0, 76);
  const table = SECTOR;
  [...chain].forEach((next, at) => file.writeUInt32LE(next, table + 4 * at));
  for (let at = 1; at <= sectors; at++) {
    if (chain[at] === undefined) file.writeUInt32LE(at < sectors ? at + 1 : 0xfffffffe, table + 4 * at);
  }
  entries.forEach(({ name, type, left = NONE, right = NONE, child = NONE }, at) => {
    const start = 2 * SECTOR + 128 * at;
    file.write(name, start, "utf16le");
    file.writeUInt16LE(2 * name.length + 2, start + 64);
    file.writeUInt8(type, start + 66);
    [left, right, child].forEach((one, place) => file.writeUInt32LE(one, start + 68 + 4 * place));
  });
  return file;
}

const DOCUMENT = [
  { name: "Root Entry", type: 5, child: 1 },
  { name: "WordDocument", type: 2, left: 2, right: 3 },
  { name: "Data", type: 2 },
  { name: "ObjectPool", type: 1, child: 4 },
  { name: "Embedded", type: 2 },
];

describe("the streams of a compound file", () => {
  test("are those at its top, also over several sectors", () => {
    expect([...oleStreamNames(oleOf(DOCUMENT))].sort()).toEqual(["Data", "WordDocument"]);
  });

  test("are none of what is embedded", () => {
    expect(oleStreamNames(oleOf(DOCUMENT))).not.toContain("Embedded");
  });

  test("are counted once where its tree leads back", () => {
    const circle = [
      { name: "Root Entry", type: 5, child: 1 },
      { name: "a", type: 2, left: 2, right: 1 },
      { name: "b", type: 2, left: 1, right: 0 },
    ];
    expect([...oleStreamNames(oleOf(circle))].sort()).toEqual(["a", "b"]);
  });

  test("end where its sectors lead back", () => {
    expect(oleStreamNames(oleOf(DOCUMENT, [0xfffffffd, 2, 1]))).toContain("WordDocument");
  });

  test.each([
    ["nothing", Buffer.alloc(0)],
    ["a signature alone", Buffer.from("d0cf11e0a1b11ae1", "hex")],
    ["another file", Buffer.alloc(4096)],
    ["a root that leads nowhere", oleOf([{ name: "Root Entry", type: 5, child: 99 }])],
  ])("are none of %s", (_what, bytes) => {
    expect(oleStreamNames(bytes)).toEqual([]);
  });

  test("at every length and with every byte changed are found without harm", () => {
    const file = oleOf(DOCUMENT);
    for (let length = 0; length < file.length; length += 7) oleStreamNames(file.subarray(0, length));
    for (let at = 0; at < file.length; at++) {
      const changed = Buffer.from(file);
      changed.writeUInt8(0xff, at);
      expect(oleStreamNames(changed).length).toBeLessThan(20);
    }
  });

  test("are looked for in files of that kind alone", () => {
    expect([isOleFile(oleOf(DOCUMENT)), isOleFile(Buffer.from("PK")), isOleFile(Buffer.alloc(0))]).toEqual([
      true,
      false,
      false,
    ]);
  });
});
