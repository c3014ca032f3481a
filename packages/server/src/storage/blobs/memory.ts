import { Readable } from "node:stream";
import { buffer } from "node:stream/consumers";

import { assertBlobKey, type BlobStore } from "./blob-store.ts";

export function openMemoryBlobs(): BlobStore {
  const blobs = new Map<string, Uint8Array>();
  return {
    async put(key, bytes) {
      assertBlobKey(key);
      blobs.set(key, Uint8Array.from("open" in bytes ? await buffer(bytes.open()) : bytes));
    },
    async get(key) {
      assertBlobKey(key);
      const bytes = blobs.get(key);
      return bytes && Uint8Array.from(bytes);
    },
    async read(key, part) {
      assertBlobKey(key);
      const bytes = blobs.get(key);
      if (!bytes) return undefined;
      const wanted = Buffer.from(part ? bytes.subarray(part.start, part.end + 1) : bytes);
      return Readable.from(wanted.byteLength > 0 ? [wanted] : [], { objectMode: false });
    },
    async delete(key) {
      assertBlobKey(key);
      blobs.delete(key);
    },
    async *list(folder) {
      assertBlobKey(folder);
      yield* [...blobs.keys()].filter((key) => key.startsWith(`${folder}/`));
    },
    async ping() {
      // Memory always answers.
    },
    async close() {
      blobs.clear();
    },
  };
}
