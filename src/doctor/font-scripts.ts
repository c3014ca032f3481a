import { type FileHandle, open } from "node:fs/promises";

/** Scripts that pages are often written in and that many machines have no letters for, by bits of `ulUnicodeRange`, all needed. */
const RANGE_BITS: Readonly<Record<string, readonly number[]>> = {
  "Chinese and Japanese": [49, 50, 59],
  Korean: [56],
  Arabic: [13],
  Hebrew: [11],
  Devanagari: [15],
  Thai: [24],
};
const EMOJI = "emoji";
/** Tables that hold glyphs in colour. */
const COLOUR_TABLES = new Set(["CBDT", "COLR", "sbix", "SVG "]);

/** What the doctor looks for in fonts. */
export const knownScripts: readonly string[] = [...Object.keys(RANGE_BITS), EMOJI];

const HEAD_BYTES = 12;
const ENTRY_BYTES = 16;
const RANGES_OFFSET = 42;
const RANGES_BYTES = 16;

/** The known scripts that a font file says it can write (OpenType, tables `OS/2` and of colours). None for what is not a font. */
export async function scriptsIn(path: string): Promise<readonly string[]> {
  const file = await open(path).catch(() => undefined);
  if (!file) return [];
  try {
    const tables = await tablesOf(file);
    const isColoured = [...tables.keys()].some((tag) => COLOUR_TABLES.has(tag));
    return [...(await writtenScripts(file, tables.get("OS/2"))), ...(isColoured ? [EMOJI] : [])];
  } finally {
    await file.close();
  }
}

/** Offsets of the tables by tag; those of the first font where a file holds several. */
async function tablesOf(file: FileHandle): Promise<ReadonlyMap<string, number>> {
  const first = await read(file, 0, HEAD_BYTES + 4);
  const start = first.toString("latin1", 0, 4) === "ttcf" ? first.readUInt32BE(HEAD_BYTES) : 0;
  const head = await read(file, start, HEAD_BYTES);
  const directory = await read(file, start + HEAD_BYTES, head.readUInt16BE(4) * ENTRY_BYTES);
  const tables = new Map<string, number>();
  for (let at = 0; at < directory.byteLength; at += ENTRY_BYTES) {
    tables.set(directory.toString("latin1", at, at + 4), directory.readUInt32BE(at + 8));
  }
  return tables;
}

async function writtenScripts(file: FileHandle, offset: number | undefined): Promise<readonly string[]> {
  if (offset === undefined) return [];
  const ranges = await read(file, offset + RANGES_OFFSET, RANGES_BYTES);
  const isWritten = (bit: number) =>
    ((ranges.readUInt32BE(Math.floor(bit / 32) * 4) >>> (bit % 32)) & 1) === 1;
  return Object.entries(RANGE_BITS)
    .filter(([, bits]) => bits.every(isWritten))
    .map(([script]) => script);
}

/** What lies beyond the end of the file is zero. */
async function read(file: FileHandle, position: number, sizeBytes: number): Promise<Buffer> {
  const buffer = Buffer.alloc(sizeBytes);
  await file.read(buffer, 0, sizeBytes, position);
  return buffer;
}
