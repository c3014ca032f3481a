import { createWriteStream } from "node:fs";
import { open, readFile } from "node:fs/promises";
import { join } from "node:path";
import { pipeline } from "node:stream/promises";

import tar from "tar-fs";
import { z } from "zod";

import type { BlobStore } from "../../storage/blobs/blob-store.ts";
import { DIGESTS, digestOf, digestOfBytes, writeDigests } from "./backup-digests.ts";

/** Name of the table of contents within an archive. */
export const MANIFEST = "backup.json";
/** Names of the parts within an archive, wherever an installation stores them. */
export const PARTS = {
  database: "pergamon.db",
  searchIndex: "search.db",
  secretKey: "secret.key",
  adminKey: "admin-key.sha256",
} as const;

export const Manifest = z.object({
  /** In format 2 the last entry contains the digests of all others. */
  format: z.union([z.literal(1), z.literal(2)]),
  madeAt: z.string(),
  /** Name → SHA-256 of everything that is not a blob. */
  files: z.record(z.string(), z.string()),
  blobFolders: z.array(z.string()),
});
export type Manifest = z.infer<typeof Manifest>;

interface ArchiveContents {
  /** Contains the manifest and the files that it names. */
  readonly folder: string;
  readonly manifest: Manifest;
  readonly blobs: BlobStore;
  readonly onBlob: (count: number) => void;
}

/** Writes a tar archive into an existing empty file. @returns the number of its blobs. */
export async function writeArchive(file: string, contents: ArchiveContents): Promise<number> {
  let count = 0;
  const finish = async (pack: tar.Pack) => {
    try {
      const blobs = await addBlobs(pack, contents);
      count = blobs.size;
      await addEntry(pack, DIGESTS, writeDigests(new Map([...(await digestsOfFiles(contents)), ...blobs])));
      pack.finalize();
    } catch (failure) {
      pack.destroy(failure as Error);
    }
  };
  const archive = tar.pack(contents.folder, { finalize: false, finish: (pack) => void finish(pack) });
  await pipeline(archive, createWriteStream(file, { flags: "r+" }));
  const written = await open(file, "r");
  await written.sync();
  await written.close();
  return count;
}

async function digestsOfFiles({ folder, manifest }: ArchiveContents): Promise<ReadonlyMap<string, string>> {
  return new Map([[MANIFEST, await digestOf(join(folder, MANIFEST))], ...Object.entries(manifest.files)]);
}

/** @returns the digests of the blobs by their names in the archive. */
async function addBlobs(
  pack: tar.Pack,
  { blobs, manifest, onBlob }: ArchiveContents,
): Promise<ReadonlyMap<string, string>> {
  const digests = new Map<string, string>();
  for (const folder of manifest.blobFolders) {
    for await (const key of blobs.list(folder)) {
      const bytes = await blobs.get(key);
      // The blob was deleted after it was listed.
      if (!bytes) continue;
      await addEntry(pack, `blobs/${key}`, bytes);
      digests.set(`blobs/${key}`, digestOfBytes(bytes));
      onBlob(digests.size);
    }
  }
  return digests;
}

/** Resolves when the archive has accepted the entry, so that at most one entry waits in memory. */
function addEntry(pack: tar.Pack, name: string, bytes: Uint8Array): Promise<void> {
  return new Promise((resolve, reject) => {
    const header = { name, size: bytes.byteLength, mode: 0o600 };
    pack.entry(header, (failure) => (failure ? reject(failure) : resolve())).end(Buffer.from(bytes));
  });
}

/** Reads the manifest of an unpacked archive. @throws Error when it has none. */
export async function readManifest(folder: string): Promise<Manifest> {
  return Manifest.parse(JSON.parse(await readFile(join(folder, MANIFEST), "utf8")));
}
