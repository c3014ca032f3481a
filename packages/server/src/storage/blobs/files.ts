import { randomUUID } from "node:crypto";
import { renameSync, writeFileSync } from "node:fs";
import { mkdir, open, opendir, readdir, readFile, rename, rm, stat, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import type { Readable } from "node:stream";

import { assertBlobKey, type BlobPart, type BlobSource, type BlobStore } from "./blob-store.ts";
import { folderOfUrl } from "./file-url.ts";

/** Suffix of every blob's file name, so that `a` and `a/b` can both be keys. */
const SUFFIX = ".blob";
/** Folder of files that are being written. No key can name it, because keys have no dots. */
const UNFINISHED = ".unfinished";
/** Unfinished files older than this were left by a process that died. */
const ABANDONED_AFTER_MS = 60 * 60 * 1000;

/**
 * Stores blobs as files below one folder, and creates the folder when it is missing. Only the user can read
 * the files.
 * @param url `file:` and a path, or a full `file:///` URL.
 */
export async function openFileBlobs(url: string): Promise<BlobStore> {
  const root = folderOfUrl(url);
  const unfinished = join(root, UNFINISHED);
  await mkdir(unfinished, { recursive: true, mode: 0o700 });
  await removeAbandoned(unfinished);

  const pathOf = (key: string): string => {
    assertBlobKey(key);
    return join(root, key + SUFFIX);
  };
  return {
    async put(key, bytes) {
      const path = pathOf(key);
      const draft = join(unfinished, randomUUID());
      try {
        await writeDraft(draft, bytes);
        await moveInto(path, draft);
      } catch (failure) {
        await rm(draft, { force: true });
        throw failure;
      }
    },
    get: async (key) => readIfThere(pathOf(key)),
    read: async (key, part) => streamIfThere(pathOf(key), part),
    delete: async (key) => rm(pathOf(key), { force: true }),
    async *list(folder) {
      assertBlobKey(folder);
      yield* keysBelow(root, folder);
    },
    async ping() {
      const probe = join(unfinished, randomUUID());
      await writeFile(probe, "", { mode: 0o600 });
      await rm(probe, { force: true });
    },
    async close() {
      // Nothing stays open between calls.
    },
  };
}

/**
 * Up to this size the call is synchronous, because asking another thread for each step takes longer than
 * writing into the system's page cache. Measured CPU time: 0.43 to 0.53 ms against 0.09 to 0.28 ms for 1.5
 * KB, and 0.05 ms more for 256 KB.
 */
const SMALL_BYTES = 256 * 1024;

async function writeDraft(path: string, bytes: Uint8Array | BlobSource): Promise<void> {
  if ("open" in bytes) await writeFile(path, bytes.open(), { mode: 0o600 });
  else if (bytes.byteLength <= SMALL_BYTES) writeFileSync(path, bytes, { mode: 0o600 });
  else await writeFile(path, bytes, { mode: 0o600 });
}

async function removeAbandoned(folder: string): Promise<void> {
  for (const name of await readdir(folder)) {
    const path = join(folder, name);
    const found = await stat(path).catch(() => undefined);
    if (found && Date.now() - found.mtimeMs > ABANDONED_AFTER_MS) await rm(path, { force: true });
  }
}

async function moveInto(path: string, draft: string): Promise<void> {
  try {
    renameSync(draft, path);
  } catch (failure) {
    if (!isMissing(failure)) throw failure;
    await mkdir(dirname(path), { recursive: true, mode: 0o700 });
    await rename(draft, path);
  }
}

async function readIfThere(path: string): Promise<Uint8Array | undefined> {
  try {
    return await readFile(path);
  } catch (failure) {
    if (isMissing(failure)) return undefined;
    throw failure;
  }
}

async function streamIfThere(path: string, part: BlobPart | undefined): Promise<Readable | undefined> {
  try {
    const file = await open(path);
    return file.createReadStream(part);
  } catch (failure) {
    if (isMissing(failure)) return undefined;
    throw failure;
  }
}

async function* keysBelow(root: string, folder: string): AsyncIterable<string> {
  const directory = await opendir(join(root, folder)).catch((failure: unknown) => {
    if (isMissing(failure)) return undefined;
    throw failure;
  });
  if (!directory) return;
  for await (const entry of directory) {
    const key = `${folder}/${entry.name}`;
    if (entry.isDirectory()) yield* keysBelow(root, key);
    else if (entry.name.endsWith(SUFFIX)) yield key.slice(0, -SUFFIX.length);
  }
}

function isMissing(failure: unknown): boolean {
  return failure instanceof Error && "code" in failure && failure.code === "ENOENT";
}
