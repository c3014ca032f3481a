import { crc32 } from "node:zlib";

import { compress, decompress } from "./blobs/brotli.ts";

/** Facts as JSON text, and a body. */
interface BlobContent {
  readonly facts: string;
  readonly body: Uint8Array;
}

/** Format version, the first byte of every blob. This program cannot read any other value. */
const FORM = 1;
/** Offsets of the numbers in the prefix. All are unsigned, four bytes, big-endian. */
const CHECKSUM_AT = 1;
const FACTS_LENGTH_AT = 5;
const BODY_LENGTH_AT = 9;
/** 1 when the body is compressed, else 0. */
const COMPRESSED_AT = 13;
const PREFIX_BYTES = 14;
/** Compressing a body that fits into one disk block saves nothing. */
const SMALLEST_COMPRESSED_BYTES = 4096;

/** Packs the content into the bytes of one blob. Large bodies are compressed off the event loop. */
export async function packBlob(
  { facts, body }: BlobContent,
  { compresses = true } = {},
): Promise<Uint8Array> {
  const isCompressed = compresses && body.byteLength >= SMALLEST_COMPRESSED_BYTES;
  const payload = isCompressed ? await compress(body) : body;
  const factBytes = Buffer.from(facts);
  const prefix = Buffer.alloc(PREFIX_BYTES);
  prefix[0] = FORM;
  prefix.writeUInt32BE(factBytes.byteLength, FACTS_LENGTH_AT);
  prefix.writeUInt32BE(body.byteLength, BODY_LENGTH_AT);
  prefix[COMPRESSED_AT] = isCompressed ? 1 : 0;
  const blob = Buffer.concat([prefix, factBytes, payload]);
  blob.writeUInt32BE(checksumOf(blob), CHECKSUM_AT);
  return blob;
}

/** Unpacks a blob; undefined when it is damaged or of an unknown format. */
export async function unpackBlob(bytes: Uint8Array): Promise<BlobContent | undefined> {
  const blob = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  if (blob.byteLength < PREFIX_BYTES || blob[0] !== FORM) return undefined;
  if (blob.readUInt32BE(CHECKSUM_AT) !== checksumOf(blob)) return undefined;
  const bodyAt = PREFIX_BYTES + blob.readUInt32BE(FACTS_LENGTH_AT);
  const payload = blob.subarray(bodyAt);
  const body =
    blob[COMPRESSED_AT] === 1 ? await decompress(payload, blob.readUInt32BE(BODY_LENGTH_AT)) : payload;
  return { facts: blob.toString("utf8", PREFIX_BYTES, bodyAt), body };
}

function checksumOf(blob: Buffer): number {
  return crc32(blob.subarray(FACTS_LENGTH_AT));
}
