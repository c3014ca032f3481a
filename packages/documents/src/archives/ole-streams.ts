/** Compound File Binary format: [MS-CFB], sections 2.2 to 2.6. */
const SIGNATURE = Buffer.from("d0cf11e0a1b11ae1", "hex");
const HEADER_BYTES = 512;
/** The header holds this many allocation table entries, enough for files of at least 7 MB. */
const TABLE_SECTORS_IN_HEADER = 109;
const END_OF_CHAIN = 0xfffffffa;
const ENTRY_BYTES = 128;
/** Real documents have fewer streams. */
const MAX_ENTRIES = 4_096;
const NO_ENTRY = 0xffffffff;

const STREAM = 2;

interface Entry {
  readonly name: string;
  readonly type: number;
  readonly left: number;
  readonly right: number;
  readonly child: number;
}

export function isOleFile(bytes: Uint8Array): boolean {
  return SIGNATURE.equals(bytes.subarray(0, SIGNATURE.length));
}

/** Names of the top-level streams, without those of embedded objects. Empty for damaged files. */
export function oleStreamNames(bytes: Uint8Array): readonly string[] {
  const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  if (buffer.length < HEADER_BYTES || !isOleFile(bytes)) return [];
  const entries = directoryOf(buffer);
  const names: string[] = [];
  const seen = new Set<number>();
  const waiting = [entries[0]?.child ?? NO_ENTRY];
  for (let at = waiting.pop(); at !== undefined; at = waiting.pop()) {
    const entry = entries[at];
    if (!entry || seen.has(at)) continue;
    seen.add(at);
    if (entry.type === STREAM) names.push(entry.name);
    waiting.push(entry.left, entry.right);
  }
  return names;
}

function directoryOf(buffer: Buffer): readonly Entry[] {
  const sectorBytes = 2 ** Math.min(buffer.readUInt16LE(30), 16);
  const entries: Entry[] = [];
  const visited = new Set<number>();
  let sector = buffer.readUInt32LE(48);
  while (sector < END_OF_CHAIN && !visited.has(sector) && entries.length < MAX_ENTRIES) {
    visited.add(sector);
    const start = (sector + 1) * sectorBytes;
    for (let at = start; at + ENTRY_BYTES <= Math.min(start + sectorBytes, buffer.length); at += ENTRY_BYTES)
      entries.push(entryAt(buffer, at));
    sector = sectorAfter(buffer, sector, sectorBytes);
  }
  return entries;
}

function entryAt(buffer: Buffer, at: number): Entry {
  const nameBytes = Math.min(buffer.readUInt16LE(at + 64), 64);
  return {
    name: buffer.toString("utf16le", at, at + Math.max(0, nameBytes - 2)),
    type: buffer.readUInt8(at + 66),
    left: buffer.readUInt32LE(at + 68),
    right: buffer.readUInt32LE(at + 72),
    child: buffer.readUInt32LE(at + 76),
  };
}

/** The next sector according to the allocation table. */
function sectorAfter(buffer: Buffer, sector: number, sectorBytes: number): number {
  const perSector = sectorBytes / 4;
  const table = Math.floor(sector / perSector);
  if (table >= TABLE_SECTORS_IN_HEADER) return END_OF_CHAIN;
  const tableSector = buffer.readUInt32LE(76 + 4 * table);
  const at = (tableSector + 1) * sectorBytes + 4 * (sector % perSector);
  return at + 4 <= buffer.length ? buffer.readUInt32LE(at) : END_OF_CHAIN;
}
