import { constants, type Stats } from "node:fs";
import { access, chmod, lstat, readdir, readlink, stat } from "node:fs/promises";
import { join } from "node:path";

import type { Config } from "../config/config.ts";
import { IN_MEMORY, parseSqliteUrl } from "./database/sqlite-url.ts";

interface DataFile {
  readonly path: string;
  readonly kind: "file" | "folder";
}

/** State of the data folder before anything was opened. */
export interface FoundFiles {
  readonly hasSecretKey: boolean;
  readonly hasBlobFolder: boolean;
  readonly hasBlobs: boolean;
  /** Sentences for the operator. */
  readonly warnings: readonly string[];
}

/** Permission bits that other users must not have: read, write and execute. */
const FOR_OTHERS = 0o077;
const PRIVATE = 0o600;

/**
 * Checks everything in the data folder before it is opened, and removes the permissions of other users on
 * files.
 * @throws Error that names a file that cannot be used.
 */
export async function checkDataFiles(config: Config): Promise<FoundFiles> {
  const warnings: string[] = [];
  for (const file of dataFiles(config)) warnings.push(...(await check(file)));
  const blobs = blobFolder(config);
  return {
    hasSecretKey: (await statIfThere(config.stores.secretKeyFile)) !== undefined,
    hasBlobFolder: blobs !== undefined && (await statIfThere(blobs)) !== undefined,
    hasBlobs: blobs !== undefined && (await isFilled(blobs)),
    warnings,
  };
}

/** One line per file that a data folder can hold. */
function dataFiles(config: Config): readonly DataFile[] {
  const database = databaseFile(config);
  const blobs = blobFolder(config);
  return [
    { path: config.stores.dataDir, kind: "folder" },
    ...(database ? (["", "-wal", "-shm"] as const).map((end) => fileAt(`${database}${end}`)) : []),
    fileAt(config.stores.secretKeyFile),
    fileAt(config.accounts.adminKeyFile),
    ...(blobs ? ([blobs, join(blobs, ".unfinished")] as const).map(folderAt) : []),
  ];
}

function fileAt(path: string): DataFile {
  return { path, kind: "file" };
}

function folderAt(path: string): DataFile {
  return { path, kind: "folder" };
}

/** Undefined where the database is not a file. */
export function databaseFile({ stores: { databaseUrl } }: Pick<Config, "stores">): string | undefined {
  if (!databaseUrl.startsWith("sqlite:")) return undefined;
  const path = parseSqliteUrl(databaseUrl).path;
  return path === IN_MEMORY ? undefined : path;
}

/** Texts of pages and their words, where the database cannot search texts. */
export function searchFile({ stores: { dataDir } }: Pick<Config, "stores">): string {
  return join(dataDir, "search.db");
}

/** Undefined where blobs are not files. */
export function blobFolder({ stores: { blobsUrl } }: Pick<Config, "stores">): string | undefined {
  return blobsUrl.startsWith("file:") ? blobsUrl.replace(/^file:(?:\/\/(?=\/))?/, "") : undefined;
}

/** Skips owners and permissions on systems that do not report them. */
async function check({ path, kind }: DataFile): Promise<readonly string[]> {
  const warnings: string[] = [];
  const entry = await ifThere(() => lstat(path));
  if (!entry) return warnings;
  if (entry.isSymbolicLink()) warnings.push(await describeLink(path));
  const found = await statIfThere(path);
  // SQLite deletes the log of a database some time after the database was closed.
  if (!found) return warnings;
  refuseKind(path, kind, found);
  await refuseUnusable(path, kind, found);
  if (process.geteuid === undefined) return warnings;
  if (found.uid !== process.geteuid()) warnings.push(describeOwner(path, found));
  if (kind === "file" && (found.mode & FOR_OTHERS) !== 0) warnings.push(await makePrivate(path, found));
  return warnings;
}

/** @throws Error when the link leads nowhere. */
async function describeLink(path: string): Promise<string> {
  const target = await readlink(path);
  if (await statIfThere(path)) {
    return `${path} is a symbolic link to ${target}. The service follows it, but a copy of the folder does not contain its target. Use pergamon backup.`;
  }
  throw new Error(
    `${path} is a symbolic link to ${target}, which does not exist. Restore the target, or delete the link to start with new data.`,
  );
}

function refuseKind(path: string, kind: DataFile["kind"], found: Stats): void {
  if (kind === "folder" ? found.isDirectory() : found.isFile()) return;
  const actual = found.isDirectory() ? "folder" : "file";
  throw new Error(
    `${path} is a ${actual === kind ? "special file" : actual}, but must be a ${kind}. Move it away, or restore a backup: pergamon restore FILE --replace`,
  );
}

async function refuseUnusable(path: string, kind: DataFile["kind"], found: Stats): Promise<void> {
  const rights = constants.R_OK | constants.W_OK | (kind === "folder" ? constants.X_OK : 0);
  try {
    await access(path, rights);
  } catch (cause) {
    if (!(await statIfThere(path))) return;
    throw new Error(
      `${path} cannot be read and written: it belongs to user ${found.uid} and has mode ${modeOf(found)}; the service runs as user ${process.geteuid?.()}. Change its owner to that user: chown -R`,
      { cause },
    );
  }
}

function describeOwner(path: string, found: Stats): string {
  return `${path} belongs to user ${found.uid}, and the service runs as user ${process.geteuid?.()}. The owner can read and change it, and may not have access to new files. Run the service as the owner, or change the owner to the user of the service: chown -R`;
}

async function makePrivate(path: string, found: Stats): Promise<string> {
  try {
    await chmod(path, PRIVATE);
    return `${path} had mode ${modeOf(found)}, so other users of this machine had access. Its mode is 600 now.`;
  } catch (failure) {
    const reason = failure instanceof Error ? failure.message : String(failure);
    return `${path} has mode ${modeOf(found)}, so other users of this machine have access. The mode could not be changed (${reason}). Set mode 600.`;
  }
}

function modeOf({ mode }: Stats): string {
  return (mode & 0o777).toString(8).padStart(3, "0");
}

async function isFilled(folder: string): Promise<boolean> {
  const names = (await ifThere(() => readdir(folder))) ?? [];
  return names.some((name) => !name.startsWith("."));
}

async function statIfThere(path: string): Promise<Stats | undefined> {
  return ifThere(() => stat(path));
}

async function ifThere<Result>(look: () => Promise<Result>): Promise<Result | undefined> {
  try {
    return await look();
  } catch (failure) {
    if (failure instanceof Error && "code" in failure && failure.code === "ENOENT") return undefined;
    throw failure;
  }
}
