import { createHash } from "node:crypto";
import { createReadStream, createWriteStream } from "node:fs";
import { open, readFile } from "node:fs/promises";
import { join } from "node:path";
import { pipeline } from "node:stream/promises";

import tar from "tar-fs";
import { z } from "zod";

import type { BlobStore } from "../platform/blobs/blob-store.ts";

/** Name of the list of contents within an archive. */
export const MANIFEST = "backup.json";
/** Names of the parts within an archive, wherever they lie in an installation. */
export const PARTS = {
  database: "pergamon.db",
  secretKey: "secret.key",
  adminKey: "admin-key.sha256",
} as const;

/** What an archive says of itself. */
export const Manifest = z.object({
  format: z.literal(1),
  madeAt: z.string(),
  /** Name → SHA-256, of everything that is no blob. */
  files: z.record(z.string(), z.string()),
  blobFolders: z.array(z.string()),
});
export type Manifest = z.infer<typeof Manifest>;

/** Everything that an archive can hold; the parts of a blob's name are those of its key. */
const EXPECTED =
  /^(?:backup\.json|pergamon\.db|secret\.key|admin-key\.sha256|blobs\/[a-z0-9_-]+(?:\/[a-z0-9_-]+)*)$/;

interface ArchiveContents {
  /** Holds the manifest and the files it names. */
  readonly folder: string;
  readonly blobs: BlobStore;
  readonly blobFolders: readonly string[];
  readonly onBlob: (count: number) => void;
}

/** Writes a tar archive into a file that is there and empty. @returns how many blobs it holds. */
export async function writeArchive(file: string, contents: ArchiveContents): Promise<number> {
  let count = 0;
  const finish = async (pack: tar.Pack) => {
    try {
      count = await addBlobs(pack, contents);
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

async function addBlobs(pack: tar.Pack, { blobs, blobFolders, onBlob }: ArchiveContents): Promise<number> {
  let count = 0;
  for (const folder of blobFolders) {
    for await (const key of blobs.list(folder)) {
      const bytes = await blobs.get(key);
      // It was deleted since it was listed.
      if (!bytes) continue;
      await addEntry(pack, `blobs/${key}`, bytes);
      count += 1;
      onBlob(count);
    }
  }
  return count;
}

/** Resolves when the archive has taken it, so that no more than one waits in memory. */
function addEntry(pack: tar.Pack, name: string, bytes: Uint8Array): Promise<void> {
  return new Promise((resolve, reject) => {
    const header = { name, size: bytes.byteLength, mode: 0o600 };
    pack.entry(header, (failure) => (failure ? reject(failure) : resolve())).end(Buffer.from(bytes));
  });
}

/**
 * Unpacks an archive into an empty folder, and compares it with its manifest.
 * @throws Error when the file is none of ours, or was damaged.
 */
export async function readArchive(file: string, folder: string): Promise<Manifest> {
  const names = new Set<string>();
  const mine = { uid: process.geteuid?.() ?? 0, gid: process.getegid?.() ?? 0 };
  const extract = tar.extract(folder, {
    map: (header) => ({ ...header, ...mine, mode: 0o600 }),
    ignore: (_path, header) => {
      names.add(header?.name ?? "");
      return header?.type !== "file" || !EXPECTED.test(header.name);
    },
  });
  try {
    await pipeline(createReadStream(file), extract);
    const foreign = [...names].find((name) => !EXPECTED.test(name) && name !== ".");
    if (foreign !== undefined) throw new Error(`it holds ${foreign}`);
    if (!names.has(MANIFEST)) throw new Error(`it holds no ${MANIFEST}`);
    const manifest = Manifest.parse(JSON.parse(await readFile(join(folder, MANIFEST), "utf8")));
    await refuseChanged(folder, manifest);
    return manifest;
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message : String(cause);
    throw new Error(`${file} is no whole backup: ${reason}. Nothing was changed. Take another one.`, {
      cause,
    });
  }
}

async function refuseChanged(folder: string, { files }: Manifest): Promise<void> {
  for (const [name, digest] of Object.entries(files)) {
    if ((await digestOf(join(folder, name))) !== digest) throw new Error(`${name} is not what was backed up`);
  }
}

/** SHA-256 of a file, in hexadecimal. */
export async function digestOf(path: string): Promise<string> {
  const digest = createHash("sha256");
  await pipeline(createReadStream(path), digest);
  return digest.digest("hex");
}
