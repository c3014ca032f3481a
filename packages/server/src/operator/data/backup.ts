import { constants } from "node:fs";
import { chmod, copyFile, mkdtemp, open, rm, stat, writeFile } from "node:fs/promises";
import { dirname, join, resolve } from "node:path";

import type { BackupOrder, BackupReport } from "../../cli/program.ts";
import type { Config } from "../../config/config.ts";
import { openBlobs } from "../../storage/blobs/drivers.ts";
import { openDatabase } from "../../storage/database/drivers.ts";
import { copySqlite } from "../../storage/database/sqlite-copy.ts";
import { type Manifest, MANIFEST, PARTS, writeArchive } from "./backup-archive.ts";
import { digestOf } from "./backup-digests.ts";
import { databaseFile, searchFile } from "../../storage/data-files.ts";

/** Settings that locate the data of a service. */
type BackedUpConfig = Pick<Config, "stores" | "accounts">;

/** Folders of blobs that cannot be recreated. */
const PRECIOUS = ["profiles"] as const;
/** Folders of pages and answers, and of screenshots and files that are kept for a day. */
const REPLACEABLE = ["captures", "packs", "documents", "files"] as const;

/**
 * Writes database, key files and blobs into one private file, while a service may run. The database is a
 * snapshot. Blobs are read after it, so a blob that is deleted meanwhile is missing, as if it had expired.
 * @throws Error when the file exists or the database is damaged; then nothing is left behind.
 */
export async function makeBackup(config: BackedUpConfig, order: BackupOrder): Promise<BackupReport> {
  const database = await existingDatabase(config);
  const warnings = await inspect(config);
  const file = resolve(order.file);
  await claim(file);
  const folder = await mkdtemp(join(dirname(file), ".pergamon-backup-"));
  try {
    const report = await fill(config, { ...order, file, folder, database });
    await rm(folder, { recursive: true, force: true });
    return { ...report, warnings };
  } catch (failure) {
    await rm(folder, { recursive: true, force: true });
    await rm(file, { force: true });
    throw failure;
  }
}

async function existingDatabase(config: BackedUpConfig): Promise<string> {
  const database = databaseFile(config);
  if (database === undefined) {
    throw new Error(
      "Only the embedded database can be backed up here (DATABASE_URL=sqlite:…). Back up Postgres with pg_dump, BLOBS_URL with the tools of its store, and keep SECRET_KEY: docs/scaling.md#backups",
    );
  }
  const found = await stat(database).catch(() => undefined);
  if (found?.isFile() && found.size > 0) return database;
  throw new Error(
    `The database ${database} does not exist. Run this command with the DATA_DIR of the service.`,
  );
}

/**
 * Checks the database first, because copying would destroy the rest of a damaged log.
 * @throws Error when it is damaged.
 */
async function inspect(config: BackedUpConfig): Promise<readonly string[]> {
  const database = await openDatabase(config.stores.databaseUrl);
  try {
    return (await database.inspect?.()) ?? [];
  } finally {
    await database.close();
  }
}

async function claim(file: string): Promise<void> {
  try {
    await (await open(file, "wx", 0o600)).close();
  } catch (failure) {
    if (!(failure instanceof Error && "code" in failure && failure.code === "EEXIST")) throw failure;
    throw new Error(`${file} already exists and was not changed. Choose another name.`, { cause: failure });
  }
}

interface Place {
  readonly folder: string;
  readonly database: string;
}

async function fill(
  config: BackedUpConfig,
  place: BackupOrder & Place,
): Promise<Omit<BackupReport, "warnings">> {
  const { file, folder, withFiles, onProgress } = place;
  const files = await collectFiles(config, place);
  const blobFolders = [...PRECIOUS, ...(withFiles ? REPLACEABLE : [])];
  const digests = await Promise.all(
    files.map(async (name) => [name, await digestOf(join(folder, name))] as const),
  );
  const manifest: Manifest = {
    format: 2,
    madeAt: new Date().toISOString(),
    files: Object.fromEntries(digests),
    blobFolders,
  };
  await writeFile(join(folder, MANIFEST), JSON.stringify(manifest), { mode: 0o600 });
  const store = await openBlobs(config.stores.blobsUrl);
  const onBlob = (count: number) => onProgress(`Packing, ${count} blobs`);
  onProgress("Packing");
  const blobs = await writeArchive(file, { folder, manifest, blobs: store, onBlob });
  await store.close();
  return { sizeBytes: (await stat(file)).size, files, blobs };
}

/** @returns the names of the existing files. */
async function collectFiles(
  config: BackedUpConfig,
  { folder, database, withFiles, onProgress }: BackupOrder & Place,
): Promise<readonly string[]> {
  const sizeMegabytes = megabytes((await stat(database)).size);
  onProgress(`Copying the database (${sizeMegabytes} MB)`);
  await copySqlite(database, join(folder, PARTS.database), (writtenBytes) =>
    onProgress(`Copying the database, ${megabytes(writtenBytes)} of ${sizeMegabytes} MB`),
  );
  const names: string[] = [PARTS.database];
  const index = searchFile(config);
  if (withFiles && (await stat(index).catch(() => undefined))) {
    onProgress("Copying the search index");
    await copySqlite(index, join(folder, PARTS.searchIndex), () => undefined);
    names.push(PARTS.searchIndex);
  }
  for (const [name, path] of [
    [PARTS.secretKey, config.stores.secretKeyFile],
    [PARTS.adminKey, config.accounts.adminKeyFile],
  ] as const) {
    if (await copyIfThere(path, join(folder, name))) names.push(name);
  }
  return names;
}

async function copyIfThere(from: string, to: string): Promise<boolean> {
  try {
    await copyFile(from, to, constants.COPYFILE_EXCL);
    await chmod(to, 0o600);
    return true;
  } catch (failure) {
    if (failure instanceof Error && "code" in failure && failure.code === "ENOENT") return false;
    throw failure;
  }
}

function megabytes(sizeBytes: number): string {
  return (sizeBytes / 1_000_000).toFixed(1);
}
