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
/** In bytes. Shorter streams lie in a stream of their own, in pieces of this size. */
const SHORT_STREAM_BYTES = 4_096;
const SHORT_PIECE_BYTES = 64;

interface Entry {
  readonly name: string;
  readonly type: number;
  readonly left: number;
  readonly right: number;
  readonly child: number;
  /** Number of the first sector. */
  readonly start: number;
  readonly bytes: number;
}

export function isOleFile(bytes: Uint8Array): boolean {
  return SIGNATURE.equals(bytes.subarray(0, SIGNATURE.length));
}

/** Names of the top-level streams, without those of embedded objects. Empty for damaged files. */
export function oleStreamNames(bytes: Uint8Array): readonly string[] {
  return topStreams(directoryOf(asBuffer(bytes))).map(({ name }) => name);
}

/** A stream of a file, and how it is put back. */
interface OleStream {
  readonly bytes: Buffer;
  /** Writes the bytes, of which none was added or removed, to a copy of the file. */
  writeTo(file: Buffer): void;
}

/** The top-level stream of this name, in whatever case. Undefined when there is none that is whole. */
export function oleStream(file: Uint8Array, name: string): OleStream | undefined {
  const buffer = asBuffer(file);
  const entries = directoryOf(buffer);
  const entry = topStreams(entries).find((one) => one.name.toUpperCase() === name.toUpperCase());
  if (!entry) return undefined;
  const pieces =
    entry.bytes < SHORT_STREAM_BYTES ? shortPieces(buffer, entries[0], entry) : sectors(buffer, entry.start);
  const bytes = Buffer.concat(pieces).subarray(0, entry.bytes);
  if (bytes.length < entry.bytes) return undefined;
  return {
    bytes,
    writeTo(copy) {
      let at = 0;
      for (const piece of pieces) {
        bytes.copy(copy, piece.byteOffset - buffer.byteOffset, at, Math.min(at + piece.length, bytes.length));
        at += piece.length;
      }
    },
  };
}

/** Views of the sectors of a chain. */
function sectors(buffer: Buffer, first: number): readonly Buffer[] {
  const sectorBytes = sectorBytesOf(buffer);
  const found: Buffer[] = [];
  const most = buffer.length / sectorBytes;
  for (let sector = first; sector < END_OF_CHAIN && found.length <= most;) {
    found.push(buffer.subarray((sector + 1) * sectorBytes, (sector + 2) * sectorBytes));
    sector = sectorAfter(buffer, sector, sectorBytes);
  }
  return found;
}

/** Views of the pieces of a short stream, which lie in the stream of the root. */
function shortPieces(buffer: Buffer, root: Entry | undefined, { start, bytes }: Entry): readonly Buffer[] {
  const perSector = sectorBytesOf(buffer) / SHORT_PIECE_BYTES;
  const table = Buffer.concat(sectors(buffer, buffer.readUInt32LE(60)));
  const around = sectors(buffer, root?.start ?? END_OF_CHAIN);
  const found: Buffer[] = [];
  for (let piece = start; found.length * SHORT_PIECE_BYTES < bytes && piece * 4 + 4 <= table.length;) {
    const at = (piece % perSector) * SHORT_PIECE_BYTES;
    found.push((around[Math.floor(piece / perSector)] ?? Buffer.of()).subarray(at, at + SHORT_PIECE_BYTES));
    piece = table.readUInt32LE(piece * 4);
  }
  return found;
}

function asBuffer(bytes: Uint8Array): Buffer {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
}

const sectorBytesOf = (buffer: Buffer) => 2 ** Math.min(buffer.readUInt16LE(30), 16);

function topStreams(entries: readonly Entry[]): readonly Entry[] {
  const streams: Entry[] = [];
  const seen = new Set<number>();
  const waiting = [entries[0]?.child ?? NO_ENTRY];
  for (let at = waiting.pop(); at !== undefined; at = waiting.pop()) {
    const entry = entries[at];
    if (!entry || seen.has(at)) continue;
    seen.add(at);
    if (entry.type === STREAM) streams.push(entry);
    waiting.push(entry.left, entry.right);
  }
  return streams;
}

function directoryOf(buffer: Buffer): readonly Entry[] {
  if (buffer.length < HEADER_BYTES || !isOleFile(buffer)) return [];
  const sectorBytes = sectorBytesOf(buffer);
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
    start: buffer.readUInt32LE(at + 116),
    bytes: buffer.readUInt32LE(at + 120),
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

/** A copy of a file whose stream was changed. Other files, and damaged ones, stay as they are. */
export function rewrittenStream(
  body: Uint8Array,
  names: readonly string[],
  change: (stream: Buffer) => void,
): Uint8Array {
  const [stream] = names.flatMap((name) => oleStream(body, name) ?? []);
  if (!stream) return body;
  const before = Buffer.from(stream.bytes);
  change(stream.bytes);
  if (before.equals(stream.bytes)) return body;
  const copy = Buffer.from(body);
  stream.writeTo(copy);
  return copy;
}
