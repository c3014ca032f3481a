import type { BlobStore } from "../../src/platform/blobs/blob-store.ts";
import { folderOfUrl } from "../../src/platform/blobs/file-url.ts";
import { openS3Blobs } from "../../src/platform/blobs/s3.ts";
import { blobsAt } from "./shared-stores.ts";

/** Stands in for the driver of files while suites run on S3. */
export async function openFileBlobs(url: string): Promise<BlobStore> {
  return openS3Blobs(blobsAt(folderOfUrl(url)));
}
