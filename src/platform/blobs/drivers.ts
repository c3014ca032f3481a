import type { BlobStore } from "./blob-store.ts";

type OpenBlobs = (url: string) => Promise<BlobStore>;

/** URL scheme → driver. A driver is loaded when it is chosen. */
const drivers: ReadonlyMap<string, OpenBlobs> = new Map<string, OpenBlobs>([
  ["file:", async (url) => (await import("./files.ts")).openFileBlobs(url)],
  ["memory:", async () => (await import("./memory.ts")).openMemoryBlobs()],
]);

/**
 * Opens the store a URL names: `file:/folder`, `file:relative` or `memory:`.
 * @throws Error that names the known schemes, for any other.
 */
export async function openBlobs(url: string): Promise<BlobStore> {
  const scheme = /^[^:/?#]*:?/.exec(url)?.[0] ?? "";
  const open = drivers.get(scheme);
  if (!open) throw new Error(`No blob driver for "${scheme}". Known: ${[...drivers.keys()].join(", ")}`);
  return open(url);
}
