import type { BlobStore } from "../../platform/blobs/blob-store.ts";
import type { Database } from "../../platform/database/database.ts";
import { OwnedBlobs } from "../owned-blobs.ts";
import { CapturePacks } from "./capture-packs.ts";

/** Larger ones are worth a blob of their own anywhere. */
const MAX_PACKED_BYTES = 256 * 1024;

interface CaptureBlobsOptions {
  readonly database: Database;
  readonly blobs: BlobStore;
}

/** The bytes of captures: a blob each or, where each request costs, many in one. */
export class CaptureBlobs {
  readonly #own: OwnedBlobs;
  readonly #packs: CapturePacks | undefined;

  constructor({ database, blobs }: CaptureBlobsOptions) {
    this.#own = new OwnedBlobs({ blobs, folder: "captures", database, table: "captures", column: "id" });
    this.#packs = blobs.costsPerRequest ? new CapturePacks({ database, blobs }) : undefined;
  }

  async put(id: string, bytes: Uint8Array): Promise<void> {
    const packs = bytes.byteLength <= MAX_PACKED_BYTES ? this.#packs : undefined;
    await (packs ?? this.#own).put(id, bytes);
  }

  async get(id: string): Promise<Uint8Array | undefined> {
    return (await this.#packs?.get(id)) ?? this.#own.get(id);
  }

  async delete(id: string): Promise<void> {
    if (!(await this.#packs?.delete(id))) await this.#own.delete(id);
  }

  /** To be called again and again, by one process. */
  async tidy(nowMs: number): Promise<void> {
    await this.#own.removeOrphans(nowMs);
    await this.#packs?.tidy(nowMs);
  }
}
