import { type Drivers, driverFor } from "@pergamon-dev/kit/drivers";
import type { BlobStore } from "./blob-store.ts";
import { folderOfUrl } from "./file-url.ts";
import { parseS3Url } from "./s3-url.ts";

interface Driver {
  /** @throws Error when the URL does not belong to this driver. */
  readonly check: (url: string) => void;
  readonly open: (url: string) => Promise<BlobStore>;
}

/** One line per driver. A driver is loaded when a URL selects it. */
export const blobDrivers: Drivers<Driver> = new Map<string, Driver>([
  ["file:", { check: folderOfUrl, open: async (url) => (await import("./files.ts")).openFileBlobs(url) }],
  ["s3:", { check: parseS3Url, open: async (url) => (await import("./s3.ts")).openS3Blobs(url) }],
  ["memory:", { check: () => undefined, open: async () => (await import("./memory.ts")).openMemoryBlobs() }],
]);

/**
 * Opens the store that a URL names: `file:/folder`, `file:relative`, `s3://…` or `memory:`.
 * @throws Error that names the known schemes, for any other URL.
 */
export async function openBlobs(url: string, drivers = blobDrivers): Promise<BlobStore> {
  return driverFor(drivers, url, "blob").open(url);
}

/** Checks a URL without opening the store. @throws Error that says what would be right. */
export function assertBlobsUrl(url: string): void {
  driverFor(blobDrivers, url, "blob").check(url);
}
