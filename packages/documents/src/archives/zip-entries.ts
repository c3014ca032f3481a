import { constants, inflateRawSync } from "node:zlib";

const DIRECTORY_END = 0x06054b50;
const DIRECTORY_ENTRY = 0x02014b50;
/** The end-of-directory record has 22 bytes and a comment of up to 65,535. */
const MAX_END_BYTES = 22 + 0xffff;
const ENTRY_BYTES = 46;
const LOCAL_HEADER_BYTES = 30;
/** Real documents have fewer entries. */
const MAX_ENTRIES = 100_000;

const DEFLATED = 8;

interface ZipEntry {
  readonly isDeflated: boolean;
  readonly storedBytes: number;
  /** As its author says. */
  readonly unpackedBytes: number;
  /** Offset of the local header. */
  readonly at: number;
}

/** The files of a ZIP archive by name, from its central directory. Empty for damaged archives. */
export class ZipEntries {
  readonly #bytes: Buffer;
  readonly #entries: ReadonlyMap<string, ZipEntry>;

  constructor(bytes: Uint8Array) {
    this.#bytes = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
    this.#entries = entriesOf(this.#bytes);
  }

  names(): readonly string[] {
    return [...this.#entries.keys()];
  }

  /** Size of all files, as the author of the archive says. */
  get unpackedBytes(): number {
    return [...this.#entries.values()].reduce((sum, entry) => sum + entry.unpackedBytes, 0);
  }

  /**
   * The start of a file as text, from its first `maxBytes` bytes in the archive. Undefined if the file is
   * missing or damaged.
   */
  text(name: string, maxBytes: number): string | undefined {
    return this.#read(name, maxBytes)?.toString();
  }

  /**
   * A whole file. Undefined if it is missing or damaged.
   * @throws RangeError with the code ERR_BUFFER_TOO_LARGE for more than `maxUnpackedBytes`.
   */
  bytes(name: string, maxUnpackedBytes?: number): Buffer | undefined {
    return this.#read(name, Infinity, maxUnpackedBytes);
  }

  #read(name: string, maxBytes: number, maxUnpackedBytes?: number): Buffer | undefined {
    const entry = this.#entries.get(name);
    if (!entry || entry.at + LOCAL_HEADER_BYTES > this.#bytes.length) return undefined;
    const names = this.#bytes.readUInt16LE(entry.at + 26) + this.#bytes.readUInt16LE(entry.at + 28);
    const start = entry.at + LOCAL_HEADER_BYTES + names;
    const stored = this.#bytes.subarray(start, start + Math.min(entry.storedBytes, maxBytes));
    return entry.isDeflated ? inflated(stored, maxUnpackedBytes) : stored;
  }
}

/** Inflates as much as there is, even if the end is missing. Deflate expands at most 1,032 times. */
function inflated(stored: Buffer, maxOutputLength?: number): Buffer | undefined {
  const finishFlush = constants.Z_SYNC_FLUSH;
  try {
    return inflateRawSync(stored, { finishFlush, ...(maxOutputLength !== undefined && { maxOutputLength }) });
  } catch (failure) {
    if (failure instanceof RangeError) throw failure;
    return undefined;
  }
}

function entriesOf(bytes: Buffer): ReadonlyMap<string, ZipEntry> {
  const entries = new Map<string, ZipEntry>();
  let at = directoryStart(bytes);
  while (at >= 0 && at + ENTRY_BYTES <= bytes.length && entries.size < MAX_ENTRIES) {
    if (bytes.readUInt32LE(at) !== DIRECTORY_ENTRY) break;
    const nameBytes = bytes.readUInt16LE(at + 28);
    entries.set(bytes.toString("utf8", at + ENTRY_BYTES, at + ENTRY_BYTES + nameBytes), {
      isDeflated: bytes.readUInt16LE(at + 10) === DEFLATED,
      storedBytes: bytes.readUInt32LE(at + 20),
      unpackedBytes: bytes.readUInt32LE(at + 24),
      at: bytes.readUInt32LE(at + 42),
    });
    at += ENTRY_BYTES + nameBytes + bytes.readUInt16LE(at + 30) + bytes.readUInt16LE(at + 32);
  }
  return entries;
}

/** -1 if there is no directory. */
function directoryStart(bytes: Buffer): number {
  const end = Buffer.alloc(4);
  end.writeUInt32LE(DIRECTORY_END);
  const tail = bytes.subarray(-MAX_END_BYTES);
  const found = tail.lastIndexOf(end);
  const isWhole = found >= 0 && found + 22 <= tail.length;
  return isWhole ? tail.readUInt32LE(found + 16) : -1;
}
