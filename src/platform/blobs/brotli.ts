import { promisify } from "node:util";
import { brotliCompress, brotliDecompress, constants } from "node:zlib";

const compressAsync = promisify(brotliCompress);
const decompressAsync = promisify(brotliDecompress);

/** Measured on pages: 5.7 times smaller; 4 gets 6.8 times for 3.5 times the processor time (decision 0003). */
const QUALITY = 1;

/** Compresses off the event loop. */
export async function compress(bytes: Uint8Array): Promise<Uint8Array> {
  return compressAsync(bytes, {
    params: {
      [constants.BROTLI_PARAM_QUALITY]: QUALITY,
      [constants.BROTLI_PARAM_SIZE_HINT]: bytes.byteLength,
    },
  });
}

/** @throws when the bytes are damaged, or come to more than `maxBytes`. */
export async function decompress(bytes: Uint8Array, maxBytes: number): Promise<Uint8Array> {
  return decompressAsync(bytes, { maxOutputLength: Math.max(1, maxBytes) });
}
