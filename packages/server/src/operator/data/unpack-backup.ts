import { createHash } from "node:crypto";
import { createReadStream } from "node:fs";
import { mkdir, open, readFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { pipeline } from "node:stream/promises";

import { extract } from "tar-stream";

import { MANIFEST, type Manifest, readManifest } from "./backup-archive.ts";
import { compareDigests, type Digests, DIGESTS, readDigests } from "./backup-digests.ts";

/** Everything that an archive can hold; the parts of a blob's name are those of its key. */
const EXPECTED =
  /^(?:backup\.json|pergamon\.db|secret\.key|admin-key\.sha256|digests\.sha256|blobs\/[a-z0-9_-]+(?:\/[a-z0-9_-]+)*)$/;
/** Folders that come along where an archive was packed again. */
const FOLDERS = /^(?:\.|blobs(?:\/[a-z0-9_-]+)*)\/?$/;

/** An archive that was unpacked. */
interface Unpacked {
  readonly manifest: Manifest;
  /** False for one of an older program, which does not say what is in it. */
  readonly isVerified: boolean;
}

/**
 * Unpacks an archive into an empty folder, and compares every entry with the digests that it ends with.
 * @param isOldAllowed - whether one without digests of everything is taken
 * @throws Error when the file is none of ours, or was damaged.
 */
export async function unpackBackup(file: string, folder: string, isOldAllowed: boolean): Promise<Unpacked> {
  const { manifest, digests } = await unpackWhole(file, folder);
  if (manifest.format > 1) return { manifest, isVerified: true };
  if (!isOldAllowed || digests.has(DIGESTS)) {
    throw new Error(
      `${file} was created by an older version and does not list its contents, so missing or damaged profiles and files cannot be detected. Nothing was changed. To restore it anyway, add --unverified.`,
    );
  }
  return { manifest, isVerified: false };
}

async function unpackWhole(file: string, folder: string) {
  try {
    const digests = await unpack(file, folder);
    if (!digests.has(MANIFEST)) throw new Error(`it does not contain ${MANIFEST}`);
    const manifest = await readManifest(folder);
    if (manifest.format > 1) compareDigests(await listedDigests(folder, digests), without(digests, DIGESTS));
    const names = Object.keys(manifest.files);
    compareDigests(
      new Map(Object.entries(manifest.files)),
      new Map([...digests].filter(([name]) => names.includes(name))),
    );
    return { manifest, digests };
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message : String(cause);
    throw new Error(`${file} is not a complete backup: ${reason}. Nothing was changed. Use another backup.`, {
      cause,
    });
  }
}

async function listedDigests(folder: string, digests: Digests): Promise<Digests> {
  if (!digests.has(DIGESTS)) throw new Error("its end is missing");
  return readDigests(await readFile(join(folder, DIGESTS), "utf8"));
}

function without(digests: Digests, left: string): Digests {
  return new Map([...digests].filter(([name]) => name !== left));
}

/** @returns the digests of what it held, in the order of the archive. */
async function unpack(file: string, folder: string): Promise<Digests> {
  const entries = extract();
  const reading = pipeline(createReadStream(file), entries);
  // The entry that is being read fails as well, and that is what is waited for first.
  reading.catch(() => undefined);
  const digests = new Map<string, string>();
  for await (const entry of entries) {
    const { name, type } = entry.header;
    if (type === "directory" && FOLDERS.test(name)) entry.resume();
    else if (type !== "file" || !EXPECTED.test(name) || digests.has(name))
      throw new Error(`it contains ${name}`);
    else digests.set(name, await writeEntry(entry, join(folder, name)));
  }
  await reading;
  return digests;
}

/** @returns its digest. */
async function writeEntry(entry: AsyncIterable<unknown>, path: string): Promise<string> {
  await mkdir(dirname(path), { recursive: true, mode: 0o700 });
  const digest = createHash("sha256");
  const target = await open(path, "wx", 0o600);
  try {
    for await (const chunk of entry) {
      const bytes = chunk as Uint8Array;
      digest.update(bytes);
      await target.write(bytes);
    }
  } finally {
    await target.close();
  }
  return digest.digest("hex");
}
