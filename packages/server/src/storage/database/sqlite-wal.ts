import { closeSync, fstatSync, openSync, readSync } from "node:fs";

/**
 * Frames of a write-ahead log that SQLite skipped. Layout: https://www.sqlite.org/fileformat2.html#walformat
 */
export interface UnreadFrames {
  /** Number of complete transactions. */
  readonly transactions: number;
  /** True when the last transaction of the file is incomplete. */
  readonly isCutOff: boolean;
  /** Byte offset of the first unread frame. */
  readonly atByte: number;
}

interface ReadSoFar {
  readonly pageSizeBytes: number;
  /** Number of frames that a checkpoint reports. */
  readonly readFrames: number;
}

const HEADER_BYTES = 32;
const FRAME_HEADER_BYTES = 24;
/** First four bytes of a log with checksums over little-endian words; one more means big-endian. */
const MAGIC = 0x37_7f_06_82;

/**
 * SQLite reads a log up to the first frame with a wrong checksum, and reports nothing about the rest. Later
 * frames with the same salt were lost; frames with another salt are old and were read long ago. A missing or
 * empty file has no unread frames.
 */
export function findUnreadFrames(walPath: string, read: ReadSoFar): UnreadFrames {
  const nothing = { transactions: 0, isCutOff: false, atByte: 0 };
  const file = openIfThere(walPath);
  if (file === undefined) return nothing;
  try {
    const sizeBytes = fstatSync(file).size;
    return sizeBytes <= HEADER_BYTES ? nothing : search(file, sizeBytes, read);
  } finally {
    closeSync(file);
  }
}

function search(file: number, sizeBytes: number, { pageSizeBytes, readFrames }: ReadSoFar): UnreadFrames {
  const frameBytes = FRAME_HEADER_BYTES + pageSizeBytes;
  const salt = saltOf(file);
  let transactions = 0;
  let isOpen = false;
  let at = HEADER_BYTES + readFrames * frameBytes;
  for (; at + frameBytes <= sizeBytes; at += frameBytes) {
    const header = bytesAt(file, at, FRAME_HEADER_BYTES);
    // Only the last frame of a transaction holds the size of the database.
    const isLast = header.readUInt32BE(4) !== 0;
    const isOurs = header.subarray(8, 16).equals(salt);
    if (isOurs && isLast) transactions += 1;
    if (isOurs) isOpen = !isLast;
  }
  return { transactions, isCutOff: isOpen || at < sizeBytes, atByte: HEADER_BYTES + readFrames * frameBytes };
}

/**
 * Finds the salt that the frames of the present log share. With a damaged header, only the frames show it.
 */
function saltOf(file: number): Buffer {
  const header = bytesAt(file, 0, HEADER_BYTES);
  return isSound(header)
    ? header.subarray(16, 24)
    : bytesAt(file, HEADER_BYTES, FRAME_HEADER_BYTES).subarray(8, 16);
}

function isSound(header: Buffer): boolean {
  const isBigEndian = header.readUInt32BE(0) === MAGIC + 1;
  let first = 0;
  let second = 0;
  for (let at = 0; at < 24; at += 8) {
    const word = (offset: number) =>
      isBigEndian ? header.readUInt32BE(offset) : header.readUInt32LE(offset);
    first = (first + word(at) + second) >>> 0;
    second = (second + word(at + 4) + first) >>> 0;
  }
  return first === header.readUInt32BE(24) && second === header.readUInt32BE(28);
}

function bytesAt(file: number, position: number, length: number): Buffer {
  const bytes = Buffer.alloc(length);
  readSync(file, bytes, 0, length, position);
  return bytes;
}

function openIfThere(path: string): number | undefined {
  try {
    return openSync(path, "r");
  } catch (failure) {
    if (failure instanceof Error && "code" in failure && failure.code === "ENOENT") return undefined;
    throw failure;
  }
}
