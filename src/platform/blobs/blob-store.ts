/** Bytes by name. A name is one or more parts of `a-z 0-9 _ -` with `/` between, 200 characters at most. */
export interface BlobStore {
  /** Stores or replaces. Readers see the old bytes or the new, never a part. */
  put(key: string, bytes: Uint8Array): Promise<void>;
  get(key: string): Promise<Uint8Array | undefined>;
  /** Deleting what is not there is no error. */
  delete(key: string): Promise<void>;
  /** Keys below a folder, such as `captures`, at any depth and in no order. May miss what is put meanwhile. */
  list(folder: string): AsyncIterable<string>;
  /** @throws when the store cannot be written. */
  ping(): Promise<void>;
  close(): Promise<void>;
}

const LONGEST_KEY = 200;
const KEY = /^[a-z0-9_-]+(?:\/[a-z0-9_-]+)*$/;

/** @throws TypeError when this is no key. Such a key comes from a mistake in the program, or from an attack. */
export function assertBlobKey(key: string): void {
  if (key.length <= LONGEST_KEY && KEY.test(key)) return;
  throw new TypeError(`Not a blob key: ${JSON.stringify(key.slice(0, LONGEST_KEY))}`);
}
