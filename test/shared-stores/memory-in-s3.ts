import { randomUUID } from "node:crypto";

import type { BlobStore } from "../../src/platform/blobs/blob-store.ts";
import { openS3Blobs } from "../../src/platform/blobs/s3.ts";
import { blobsAt } from "./shared-stores.ts";

/** Stands in for the driver of memory while suites run on S3. */
export async function openMemoryBlobs(): Promise<BlobStore> {
  return openS3Blobs(blobsAt(randomUUID()));
}
