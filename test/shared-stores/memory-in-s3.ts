import { randomUUID } from "node:crypto";

import type { BlobStore } from "../../packages/server/src/storage/blobs/blob-store.ts";
import { openS3Blobs } from "../../packages/server/src/storage/blobs/s3.ts";
import { blobsAt } from "./shared-stores.ts";

/** Stands in for the driver of memory while suites run on S3. */
export async function openMemoryBlobs(): Promise<BlobStore> {
  return openS3Blobs(blobsAt(randomUUID()));
}
