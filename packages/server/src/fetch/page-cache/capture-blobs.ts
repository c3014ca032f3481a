import type { BlobStore } from "../../storage/blobs/blob-store.ts";
import type { Database } from "../../storage/database/database.ts";
import { OwnedBlobs } from "../../storage/owned-blobs.ts";
import { CapturePacks } from "./capture-packs.ts";
import { type CaptureBytes, SmallCaptures } from "./small-captures.ts";

/** Larger captures get a blob of their own in any store. */
const MAX_PACKED_BYTES = 256 * 1024;
/** Larger captures take longer to write into the database, and would make it grow. */
const MAX_SMALL_BYTES = 8 * 1024;

interface CaptureBlobsOptions {
  readonly database: Database;
  readonly blobs: BlobStore;
}

/**
 * Bytes of captures. A small one is a row, others are a blob each. Stores that charge for each request get
 * many captures in one blob.
 */
export class CaptureBlobs {
  readonly #own: OwnedBlobs;
  readonly #small: SmallCaptures | CapturePacks;
  readonly #maxSmallBytes: number;

  constructor({ database, blobs }: CaptureBlobsOptions) {
    this.#own = new OwnedBlobs({ blobs, folder: "captures", database, table: "captures", column: "id" });
    const packs = blobs.costsPerRequest && new CapturePacks({ database, blobs });
    this.#small = packs ?? new SmallCaptures({ database });
    this.#maxSmallBytes = packs ? MAX_PACKED_BYTES : MAX_SMALL_BYTES;
  }

  /** @returns false for a capture that is small: `putSmall` stores it. */
  async putLarge({ captureId, bytes }: CaptureBytes): Promise<boolean> {
    if (bytes.byteLength <= this.#maxSmallBytes) return false;
    await this.#own.put(captureId, bytes);
    return true;
  }

  putSmall(captures: readonly CaptureBytes[]): Promise<void> {
    return this.#small.put(captures);
  }

  async get(id: string): Promise<Uint8Array | undefined> {
    return (await this.#small.get(id)) ?? this.#own.get(id);
  }

  async delete(id: string): Promise<void> {
    if (!(await this.#small.delete(id))) await this.#own.delete(id);
  }

  /** One process must call this regularly. */
  async tidy(nowMs: number): Promise<void> {
    await this.#own.removeOrphans(nowMs);
    await this.#small.tidy(nowMs);
  }
}
