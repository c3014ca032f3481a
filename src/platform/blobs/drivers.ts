import { type Drivers, driverFor } from "../../kit/drivers.ts";
import type { BlobStore } from "./blob-store.ts";

type OpenBlobs = (url: string) => Promise<BlobStore>;

/** One line per driver. A driver is loaded when it is chosen. */
export const blobDrivers: Drivers<OpenBlobs> = new Map<string, OpenBlobs>([
  ["file:", async (url) => (await import("./files.ts")).openFileBlobs(url)],
  ["memory:", async () => (await import("./memory.ts")).openMemoryBlobs()],
]);

/**
 * Opens the store a URL names: `file:/folder`, `file:relative` or `memory:`.
 * @throws Error that names the known schemes, for any other.
 */
export async function openBlobs(url: string, drivers = blobDrivers): Promise<BlobStore> {
  return driverFor(drivers, url, "blob")(url);
}
