import { chmod, copyFile, mkdir, mkdtemp, open, readdir, readFile, rename, rm, stat } from "node:fs/promises";
import { basename, dirname, join, relative, resolve, sep } from "node:path";
import { createHash } from "node:crypto";
import { createReadStream } from "node:fs";
import { pipeline } from "node:stream/promises";
import { extract } from "tar-stream";

import type { RestoreOrder, RestoreReport } from "../../cli/program.ts";
import type { Config } from "../../config/config.ts";
import { openBlobs } from "../../storage/blobs/drivers.ts";
import { whyUnfit } from "../../storage/database/migrate.ts";
import { checkSqlite } from "../../storage/database/sqlite-check.ts";
import { isInUse } from "../../storage/database/sqlite-copy.ts";
import { parseKey } from "../../storage/secrets/key-file.ts";
import { MANIFEST, type Manifest, PARTS, readManifest } from "./backup-archive.ts";
import { blobFolder, databaseFile, searchFile } from "../../storage/data-files.ts";
import { compareDigests, type Digests, DIGESTS, readDigests } from "./backup-digests.ts";

/**
 * Replaces the current data by a backup, and keeps the replaced data next to it.
 * @throws Error when the backup is damaged, a service runs, or data exists that may not be replaced; then
 * nothing changes.
 */
export async function restoreBackup(config: Config, order: RestoreOrder): Promise<RestoreReport> {
  const database = databaseFile(config);
  if (database === undefined)
    throw new Error(
      "Only the embedded database can be restored here (DATABASE_URL=sqlite:…). Restore Postgres with pg_restore, and BLOBS_URL with the tools of its store: docs/scaling.md#backups",
    );
  const file = resolve(order.file);
  await stat(file);
  refuseInUse(database);
  const present = await presentParts(config, database);
  if (present.length > 0 && !order.replace) throw refusal(present);
  const made = await mkdir(config.stores.dataDir, { recursive: true, mode: 0o700 });
  const staging = await mkdtemp(join(config.stores.dataDir, ".restore-"));
  try {
    order.onProgress("Unpacking");
    const { manifest, isVerified } = await unpackBackup(file, staging, order.unverified);
    order.onProgress("Checking the database");
    await refuseUnfit(staging);
    refuseInUse(database);
    return {
      madeAt: manifest.madeAt,
      isVerified,
      ...(await replace(config, { staging, database, present, ...order })),
    };
  } catch (failure) {
    if (made !== undefined) await rm(made, { recursive: true, force: true });
    throw failure;
  } finally {
    await rm(staging, { recursive: true, force: true });
  }
}

/** @throws Error while a service or command uses the database. */
export function refuseInUse(database: string): void {
  if (!isInUse(database)) return;
  throw new Error(`A running service or command uses ${database}. Stop it, then run this command again.`);
}

function refusal(present: readonly string[]): Error {
  return new Error(
    `The folder already contains data: ${present.join(", ")}. To move it aside and restore the backup in its place, add --replace.`,
  );
}

/** Existing files and folders that a restore would replace. */
async function presentParts(config: Config, database: string): Promise<readonly string[]> {
  const blobs = blobFolder(config);
  const paths = [
    ...[database, searchFile(config)].flatMap((path) => ["", "-wal", "-shm"].map((end) => `${path}${end}`)),
    config.stores.secretKeyFile,
    config.accounts.adminKeyFile,
    ...(blobs !== undefined && (await hasBlobs(blobs)) ? [blobs] : []),
  ];
  const found = await Promise.all(paths.map((path) => stat(path).catch(() => undefined)));
  return paths.filter((_path, index) => found[index] !== undefined);
}

async function hasBlobs(folder: string): Promise<boolean> {
  const names = await readdir(folder).catch(() => [] as string[]);
  return names.some((name) => !name.startsWith("."));
}

/** @throws Error when this version of the program cannot use the backup. */
async function refuseUnfit(staging: string): Promise<void> {
  const version = checkSqlite(join(staging, PARTS.database), "integrity_check");
  const reason = whyUnfit(version);
  if (reason !== undefined) throw new Error(`The backup ${reason}`);
  const key = await readFile(join(staging, PARTS.secretKey), "utf8").catch(() => undefined);
  if (key !== undefined) parseKey(key, `${PARTS.secretKey} of the backup`);
}

interface MoveIn {
  readonly staging: string;
  readonly database: string;
  readonly onProgress: (step: string) => void;
}

/** Swaps the data. A failure half-way, such as a full disk, is rolled back. */
async function replace(
  config: Config,
  { present, ...moveInOrder }: MoveIn & { readonly present: readonly string[] },
): Promise<Pick<RestoreReport, "blobs" | "putAside">> {
  const name = `before-restore-${new Date().toISOString().replaceAll(/[:.]/g, "-")}`;
  const moved: string[] = [];
  try {
    for (const path of present) {
      await mkdir(join(dirname(path), name), { recursive: true, mode: 0o700 });
      await rename(path, asideOf(path, name));
      moved.push(path);
    }
    const blobs = await moveIn(config, moveInOrder);
    return { blobs, putAside: present.length === 0 ? undefined : join(config.stores.dataDir, name) };
  } catch (failure) {
    // New data is only moved in after all old data was put aside, so only then is there any to remove.
    if (moved.length === present.length) await removeAll(await presentParts(config, moveInOrder.database));
    for (const path of moved) await rename(asideOf(path, name), path);
    await removeAll(present.map((path) => join(dirname(path), name)));
    throw failure;
  }
}

function asideOf(path: string, name: string): string {
  return join(dirname(path), name, basename(path));
}

async function removeAll(paths: readonly string[]): Promise<void> {
  for (const path of paths) await rm(path, { recursive: true, force: true });
}

/** The database comes last, so that a service which is started meanwhile does not find partial data. */
async function moveIn(config: Config, { staging, database, onProgress }: MoveIn): Promise<number> {
  const blobs = await putBlobs(config, join(staging, "blobs"), onProgress);
  await moveIfThere(join(staging, PARTS.secretKey), config.stores.secretKeyFile);
  await moveIfThere(join(staging, PARTS.adminKey), config.accounts.adminKeyFile);
  await moveIfThere(join(staging, PARTS.searchIndex), searchFile(config));
  await mkdir(dirname(database), { recursive: true, mode: 0o700 });
  await moveIfThere(join(staging, PARTS.database), database);
  return blobs;
}

async function putBlobs(config: Config, folder: string, onProgress: (step: string) => void): Promise<number> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true }).catch(() => []);
  const files = entries.filter((entry) => entry.isFile());
  const store = await openBlobs(config.stores.blobsUrl);
  for (const [index, { parentPath, name }] of files.entries()) {
    const path = join(parentPath, name);
    await store.put(relative(folder, path).split(sep).join("/"), await readFile(path));
    if (index % 100 === 0) onProgress(`Restoring ${index} of ${files.length} blobs`);
  }
  await store.close();
  return files.length;
}

async function moveIfThere(from: string, to: string): Promise<void> {
  if (!(await stat(from).catch(() => undefined))) return;
  try {
    await rename(from, to);
  } catch (failure) {
    if (!(failure instanceof Error && "code" in failure && failure.code === "EXDEV")) throw failure;
    await copyFile(from, to);
    await chmod(to, 0o600);
  }
}

/** Names of all entries that an archive may contain. The parts of a blob's name are those of its key. */
const EXPECTED =
  /^(?:backup\.json|pergamon\.db|search\.db|secret\.key|admin-key\.sha256|digests\.sha256|blobs\/[a-z0-9_-]+(?:\/[a-z0-9_-]+)*)$/;
/** Folders appear in archives that were packed again. */
const FOLDERS = /^(?:\.|blobs(?:\/[a-z0-9_-]+)*)\/?$/;

interface Unpacked {
  readonly manifest: Manifest;
  /** False for an archive of an older version, which does not list its entries. */
  readonly isVerified: boolean;
}

/**
 * Unpacks an archive into an empty folder, and checks every entry against the digests at its end.
 * @param isOldAllowed - whether to accept an archive without digests of all entries
 * @throws Error when the file is not a backup or is damaged.
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
    if (isOfTarget(cause)) {
      throw new Error(
        `${file} could not be unpacked in ${folder}: ${reason}. Nothing was changed, and the backup may be good: make room there, then restore it again.`,
        { cause },
      );
    }
    throw new Error(`${file} is not a complete backup: ${reason}. Nothing was changed. Use another backup.`, {
      cause,
    });
  }
}

/** Whether the place that the backup is unpacked into fails, not the backup. */
function isOfTarget(cause: unknown): boolean {
  return ["ENOSPC", "EDQUOT", "EROFS", "EACCES", "EIO", "EMFILE"].includes(
    String((cause as NodeJS.ErrnoException).code),
  );
}

async function listedDigests(folder: string, digests: Digests): Promise<Digests> {
  if (!digests.has(DIGESTS)) throw new Error("its end is missing");
  return readDigests(await readFile(join(folder, DIGESTS), "utf8"));
}

function without(digests: Digests, left: string): Digests {
  return new Map([...digests].filter(([name]) => name !== left));
}

/** @returns the digests of the entries, in the order of the archive. */
async function unpack(file: string, folder: string): Promise<Digests> {
  const entries = extract();
  const reading = pipeline(createReadStream(file), entries);
  // The entry that is being read fails as well, and that failure is awaited first.
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

/** @returns the digest of the entry. */
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
