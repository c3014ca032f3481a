import type { Readable } from "node:stream";

/** Part of a blob, both ends included, counted from 0. */
export interface BlobPart {
  readonly start: number;
  readonly end: number;
}

/** Bytes that are not in memory. */
export interface BlobSource {
  readonly sizeBytes: number;
  /** From the beginning: a store may read more than once. */
  open(): Readable;
}

/** Bytes by name. A name is one or more parts of `a-z 0-9 _ -` with `/` between, 200 characters at most. */
export interface BlobStore {
  /** Whether each request costs, of any size: then small blobs are better put together. */
  readonly costsPerRequest?: true;
  /** Stores or replaces. Readers see the old bytes or the new, never a part. */
  put(key: string, bytes: Uint8Array | BlobSource): Promise<void>;
  get(key: string): Promise<Uint8Array | undefined>;
  /**
   * The same bytes, or those of a part that are there, little by little: the version that is there now, whatever is put
   * or deleted meanwhile. Who does not read the stream to its end destroys it.
   */
  read(key: string, part?: BlobPart): Promise<Readable | undefined>;
  /** Deleting a missing blob is not an error. */
  delete(key: string): Promise<void>;
  /** Keys below a folder, such as `captures`, at any depth and in no order. May miss what is put meanwhile. */
  list(folder: string): AsyncIterable<string>;
  /** @throws when the store cannot be written. */
  ping(): Promise<void>;
  close(): Promise<void>;
}

const MAX_KEY_LENGTH = 200;
const KEY = /^[a-z0-9_-]+(?:\/[a-z0-9_-]+)*$/;

/** @throws TypeError when this is not a key. Such a key comes from a mistake in the program, or from an attack. */
export function assertBlobKey(key: string): void {
  if (key.length <= MAX_KEY_LENGTH && KEY.test(key)) return;
  throw new TypeError(`Not a blob key: ${JSON.stringify(key.slice(0, MAX_KEY_LENGTH))}`);
}
