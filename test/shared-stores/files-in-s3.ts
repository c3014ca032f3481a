import type { BlobStore } from "../../packages/server/src/storage/blobs/blob-store.ts";
import { folderOfUrl } from "../../packages/server/src/storage/blobs/file-url.ts";
import { openS3Blobs } from "../../packages/server/src/storage/blobs/s3.ts";
import { blobsAt } from "./shared-stores.ts";

/** Stands in for the driver of files while suites run on S3. */
export async function openFileBlobs(url: string): Promise<BlobStore> {
  return openS3Blobs(blobsAt(folderOfUrl(url)));
}
