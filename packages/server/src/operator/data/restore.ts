import { chmod, copyFile, mkdir, mkdtemp, readdir, readFile, rename, rm, stat } from "node:fs/promises";
import { basename, dirname, join, relative, resolve, sep } from "node:path";

import type { RestoreOrder, RestoreReport } from "../../cli/program.ts";
import type { Config } from "../../config/config.ts";
import { openBlobs } from "../../storage/blobs/drivers.ts";
import { whyUnfit } from "../../storage/database/migrate.ts";
import { checkSqlite } from "../../storage/database/sqlite-check.ts";
import { isInUse } from "../../storage/database/sqlite-copy.ts";
import { parseKey } from "../../storage/secrets/key-file.ts";
import { PARTS } from "./backup-archive.ts";
import { blobFolder, databaseFile } from "../../storage/data-files.ts";
import { unpackBackup } from "./unpack-backup.ts";

/**
 * Puts a backup in the place of what is there, which is kept next to it.
 * @throws Error when the backup is damaged, a service runs, or data is there and may not be replaced; nothing is changed
 * then.
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

function refuseInUse(database: string): void {
  if (!isInUse(database)) return;
  throw new Error(`A running service or command uses ${database}. Stop it, then run this command again.`);
}

function refusal(present: readonly string[]): Error {
  return new Error(
    `The folder already contains data: ${present.join(", ")}. To move it aside and restore the backup in its place, add --replace.`,
  );
}

/** Everything that a restore would replace, as far as it is there. */
async function presentParts(config: Config, database: string): Promise<readonly string[]> {
  const blobs = blobFolder(config);
  const paths = [
    ...["", "-wal", "-shm"].map((end) => `${database}${end}`),
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

/** @throws Error when this program cannot use what was backed up. */
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

/** Puts the new in the place of the old. What fails half-way, such as on a full disk, is undone. */
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
    // Before everything was put aside nothing new was put in its place.
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

/** The database comes last: a service that is started meanwhile does not find half of it all. */
async function moveIn(config: Config, { staging, database, onProgress }: MoveIn): Promise<number> {
  const blobs = await putBlobs(config, join(staging, "blobs"), onProgress);
  await moveIfThere(join(staging, PARTS.secretKey), config.stores.secretKeyFile);
  await moveIfThere(join(staging, PARTS.adminKey), config.accounts.adminKeyFile);
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
