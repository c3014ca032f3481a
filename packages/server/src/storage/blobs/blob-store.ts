import type { Readable } from "node:stream";

/** Part of a blob, both ends included, counted from 0. */
export interface BlobPart {
  readonly start: number;
  readonly end: number;
}

export interface BlobSource {
  readonly sizeBytes: number;
  /** Opens a stream from the first byte. A store may call this more than once. */
  open(): Readable;
}

/**
 * Stores bytes by name. A name is one or more parts of `a-z 0-9 _ -`, joined by `/`, 200 characters at most.
 */
export interface BlobStore {
  /**
   * True when every request costs the same whatever its size. Small blobs are then better packed together.
   */
  readonly costsPerRequest?: true;
  /** Stores or replaces a blob. Readers see the old bytes or the new ones, never a mix. */
  put(key: string, bytes: Uint8Array | BlobSource): Promise<void>;
  get(key: string): Promise<Uint8Array | undefined>;
  /**
   * Streams the blob, or the given part as far as it exists. The stream shows the version that exists at the
   * call, whatever is put or deleted meanwhile. A caller that does not read to the end must destroy the
   * stream.
   */
  read(key: string, part?: BlobPart): Promise<Readable | undefined>;
  /** Deleting a missing blob is not an error. */
  delete(key: string): Promise<void>;
  /**
   * Lists the keys below a folder, such as `captures`, at any depth and in no order. It may miss keys that
   * are put meanwhile.
   */
  list(folder: string): AsyncIterable<string>;
  /** @throws when the store cannot be written. */
  ping(): Promise<void>;
  close(): Promise<void>;
}

const MAX_KEY_LENGTH = 200;
const KEY = /^[a-z0-9_-]+(?:\/[a-z0-9_-]+)*$/;

/** @throws TypeError for an invalid key, which comes from a mistake in the program or from an attack. */
export function assertBlobKey(key: string): void {
  if (key.length <= MAX_KEY_LENGTH && KEY.test(key)) return;
  throw new TypeError(`Not a blob key: ${JSON.stringify(key.slice(0, MAX_KEY_LENGTH))}`);
}
