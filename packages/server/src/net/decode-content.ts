import { promisify } from "node:util";
import zlib from "node:zlib";

import { tooLarge } from "@pergamon-dev/kit/byte-collector";
import { NetworkError } from "@pergamon-dev/kit/network-error";

/** More than any server uses. Each further layer multiplies the expansion. */
const MAX_LAYERS = 5;
/** Small bodies are decoded on the event loop, because handing them to a thread costs more. */
const SMALL = { inputBytes: 32 * 1024, outputBytes: 1024 * 1024 };
const CHUNK_BYTES = 64 * 1024;

/** Truncated streams yield the data that they hold, as in browsers. */
const TOLERANT_ZLIB = { finishFlush: zlib.constants.Z_SYNC_FLUSH, chunkSize: CHUNK_BYTES };
const TOLERANT_ZSTD = { finishFlush: 1, chunkSize: CHUNK_BYTES };
const TOLERANT_BROTLI = { finishFlush: zlib.constants.BROTLI_OPERATION_FLUSH, chunkSize: CHUNK_BYTES };

interface Decoder {
  readonly sync: (bytes: Uint8Array, options: { maxOutputLength: number }) => Uint8Array;
  readonly async: (bytes: Uint8Array, options: { maxOutputLength: number }) => Promise<Uint8Array>;
}

/** Node 20 has neither. */
interface Zstd {
  readonly zstdDecompress?: typeof zlib.brotliDecompress;
  readonly zstdDecompressSync?: typeof zlib.brotliDecompressSync;
}

const { zstdDecompress, zstdDecompressSync } = zlib as typeof zlib & Zstd;
/** Whether answers may be asked for in zstd, as browsers do. */
export const decodesZstd = zstdDecompressSync !== undefined;

const unzipAsync = promisify<Uint8Array, zlib.ZlibOptions, Buffer>(zlib.gunzip);
const inflateAsync = promisify<Uint8Array, zlib.ZlibOptions, Buffer>(zlib.inflate);
const inflateRawAsync = promisify<Uint8Array, zlib.ZlibOptions, Buffer>(zlib.inflateRaw);
const brotliAsync = promisify<Uint8Array, zlib.BrotliOptions, Buffer>(zlib.brotliDecompress);

const gzip: Decoder = {
  sync: (bytes, options) => zlib.gunzipSync(bytes, { ...TOLERANT_ZLIB, ...options }),
  async: (bytes, options) => unzipAsync(bytes, { ...TOLERANT_ZLIB, ...options }),
};
const inflate: Decoder = {
  sync: (bytes, options) => zlib.inflateSync(bytes, { ...TOLERANT_ZLIB, ...options }),
  async: (bytes, options) => inflateAsync(bytes, { ...TOLERANT_ZLIB, ...options }),
};
const inflateRaw: Decoder = {
  sync: (bytes, options) => zlib.inflateRawSync(bytes, { ...TOLERANT_ZLIB, ...options }),
  async: (bytes, options) => inflateRawAsync(bytes, { ...TOLERANT_ZLIB, ...options }),
};
const brotli: Decoder = {
  sync: (bytes, options) => zlib.brotliDecompressSync(bytes, { ...TOLERANT_BROTLI, ...options }),
  async: (bytes, options) => brotliAsync(bytes, { ...TOLERANT_BROTLI, ...options }),
};

const zstdAsync = zstdDecompress && promisify<Uint8Array, zlib.ZlibOptions, Buffer>(zstdDecompress);
const zstd: Decoder | undefined = zstdAsync &&
  zstdDecompressSync && {
    sync: (bytes, options) => zstdDecompressSync(bytes, { ...TOLERANT_ZSTD, ...options }),
    async: (bytes, options) => zstdAsync(bytes, { ...TOLERANT_ZSTD, ...options }),
  };

/**
 * Decodes only the first member, without its header. Like browsers, it ignores bytes after the end of the
 * stream.
 */
const firstGzipMember: Decoder = {
  sync: (bytes, options) => inflateRaw.sync(bytes.subarray(gzipHeaderLength(bytes)), options),
  async: (bytes, options) => inflateRaw.async(bytes.subarray(gzipHeaderLength(bytes)), options),
};

/** Content coding → decoder for these bytes; undefined leaves the bytes unchanged. */
const decoders: ReadonlyMap<string, (bytes: Uint8Array) => Decoder | undefined> = new Map([
  ["gzip", gzipOf],
  ["x-gzip", gzipOf],
  ["deflate", (bytes) => gzipOf(bytes) ?? (hasZlibHeader(bytes) ? inflate : inflateRaw)],
  ["br", () => brotli],
  ["zstd", () => zstd],
]);

/** Returns the codings of a `Content-Encoding` header, in the order in which they were applied. */
export function contentCodings(header: string | undefined): readonly string[] {
  if (!header) return [];
  const codings = header.split(",").map((coding) => coding.trim().toLowerCase());
  return codings.filter((coding) => coding !== "" && coding !== "identity");
}

/**
 * Undoes the content codings. An unknown coding ends the decoding, and a plain body labelled gzip passes
 * unchanged.
 * @throws NetworkError of kind `too-large` at `maxBytes` of output, or `protocol` for corrupt data.
 */
export async function decodeContent(
  body: Uint8Array,
  codings: readonly string[],
  maxBytes: number,
): Promise<Uint8Array> {
  if (codings.length > MAX_LAYERS) throw new NetworkError("protocol", "The answer is encoded too often.");
  let decoded = body;
  for (const coding of codings.toReversed()) {
    const decoder = decoders.get(coding)?.(decoded);
    if (decoder === undefined || decoded.byteLength === 0) break;
    decoded = await decodeForgivingly(decoder, decoded, maxBytes);
  }
  return decoded;
}

async function decodeForgivingly(decoder: Decoder, bytes: Uint8Array, maxBytes: number): Promise<Uint8Array> {
  try {
    return await decodeLayer(decoder, bytes, maxBytes);
  } catch (failure) {
    if (isTooLarge(failure)) throw tooLarge(maxBytes);
    if (decoder === gzip) return decodeForgivingly(firstGzipMember, bytes, maxBytes);
    throw new NetworkError("protocol", "The answer's content encoding is corrupt.", { cause: failure });
  }
}

async function decodeLayer(decoder: Decoder, bytes: Uint8Array, maxBytes: number): Promise<Uint8Array> {
  const firstLimit = Math.min(maxBytes, SMALL.outputBytes);
  try {
    if (bytes.byteLength <= SMALL.inputBytes) return decoder.sync(bytes, { maxOutputLength: firstLimit });
  } catch (failure) {
    if (!isTooLarge(failure) || firstLimit === maxBytes) throw failure;
  }
  return decoder.async(bytes, { maxOutputLength: maxBytes });
}

function isTooLarge(failure: unknown): boolean {
  return failure instanceof Error && "code" in failure && failure.code === "ERR_BUFFER_TOO_LARGE";
}

function gzipOf(bytes: Uint8Array): Decoder | undefined {
  return bytes[0] === 0x1f && bytes[1] === 0x8b ? gzip : undefined;
}

/** RFC 1950: method 8 and a check value. Some servers send `deflate` without this header. */
function hasZlibHeader(bytes: Uint8Array): boolean {
  const [method = 0, flags = 0] = bytes;
  return (method & 0x0f) === 8 && (method * 256 + flags) % 31 === 0;
}

/** RFC 1952, section 2.3: ten bytes, then the optional fields that the flags announce. */
function gzipHeaderLength(bytes: Uint8Array): number {
  const flags = bytes[3] ?? 0;
  let length = 10;
  if (flags & 4) length += 2 + (bytes[10] ?? 0) + 256 * (bytes[11] ?? 0);
  if (flags & 8) length = bytes.indexOf(0, length) + 1;
  if (flags & 16) length = bytes.indexOf(0, length) + 1;
  return flags & 2 ? length + 2 : length;
}
