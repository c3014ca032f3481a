import { statSync } from "node:fs";
import { mkdtemp, readdir, rm, stat, statfs } from "node:fs/promises";
import { dirname, join, resolve } from "node:path";

import { isRoot, NOBODY } from "@pergamon-dev/browser/launch/account";
import { temporaryFolderFor } from "@pergamon-dev/browser/launch/temporary-folder";
import { checkSqlite } from "../../storage/database/sqlite-check.ts";
import type { Finding } from "./check.ts";

const GIBIBYTE = 1024 ** 3;

/** Permission bits of the group and of others. */
const FOR_OTHERS = 0o077;

/** With less free space, the page cache (5 GiB by default) soon fills the disk. */
const LEAST_FREE_BYTES = GIBIBYTE;

/** Whether files can be created in the data folder, or the folder itself when it does not exist yet. */
export async function checkDataFolder(dataDir: string): Promise<Finding> {
  const existing = await nearestExisting(resolve(dataDir));
  const reason = await whyNotWritable(existing);
  if (reason) {
    return {
      status: "problem",
      detail: `${existing} cannot be written to: ${reason}`,
      cost: "The server does not start.",
      remedy: "Change the owner of the folder, or set DATA_DIR to a writable folder.",
    };
  }
  const isThere = existing === resolve(dataDir);
  return {
    status: "found",
    detail: isThere ? existing : `${resolve(dataDir)}, will be created at the first start`,
  };
}

/** Whether files can be created in the folder for temporary files of browsers, documents and media. */
export async function checkTemporaryFolder(folder: string): Promise<Finding> {
  const reason = await whyNotWritable(folder);
  if (!reason) return findFolderOfBrowsers(folder);
  return {
    status: "problem",
    detail: `${folder} cannot be written to: ${reason}`,
    cost: "Browsers do not start, and documents cannot be read.",
    remedy: "Make it writable for this user, or set TMPDIR to a writable folder.",
  };
}

/**
 * A service that runs as root runs browsers and sandboxes as another user, who needs access to the folder.
 */
async function findFolderOfBrowsers(folder: string): Promise<Finding> {
  try {
    const used = await temporaryFolderFor(isRoot() ? NOBODY : undefined, folder);
    const reason = await whyNotWritable(used);
    if (reason) throw new Error(`${used} cannot be written to: ${reason}`);
    if (used === folder) return { status: "found", detail: folder };
    const detail = `${folder}; browsers and sandboxes use ${used}, because they run as the user nobody, who has no access to it`;
    return { status: "found", detail };
  } catch (failure) {
    return {
      status: "problem",
      detail: `browsers and sandboxes have none: ${(failure as Error).message}`,
      cost: "Browsers do not start, and code of callers cannot run in a sandbox.",
      remedy: "Set TMPDIR to a folder that all users can enter and this user can write to.",
    };
  }
}

/** @returns undefined when files can be created there. */
async function whyNotWritable(folder: string): Promise<string | undefined> {
  try {
    await rm(await mkdtemp(join(folder, ".pergamon-write-")), { recursive: true });
    return undefined;
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
}

/** Whether other users of the machine can read the data folder or use a file in it. */
export async function checkPrivacy(dataDir: string): Promise<Finding> {
  const folder = resolve(dataDir);
  const names = await readdir(folder).catch(() => undefined);
  if (!names || process.geteuid === undefined) return { status: "found", detail: "not created yet" };
  const paths = [folder, ...names.map((name) => join(folder, name))];
  const modes = await Promise.all(
    paths.map(async (path) => (await stat(path).catch(() => undefined))?.mode ?? 0),
  );
  const wide = paths.filter((_path, index) => ((modes[index] ?? 0) & FOR_OTHERS) !== 0);
  if (wide.length === 0) return { status: "found", detail: "only this user can read it" };
  return {
    status: "missing",
    detail: `other users of this machine can read ${wide.join(", ")}`,
    cost: "They can list the folders, and read files whose mode is not 600.",
    remedy: `chmod -R go= ${folder}`,
  };
}

/** Free space at the current or future place of the data folder. */
export async function checkFreeSpace(dataDir: string, leastBytes = LEAST_FREE_BYTES): Promise<Finding> {
  const { bavail, bsize } = await statfs(await nearestExisting(resolve(dataDir)));
  const detail = `${((bavail * bsize) / GIBIBYTE).toFixed(1)} GiB free`;
  if (bavail * bsize >= leastBytes) return { status: "found", detail };
  return {
    status: "problem",
    detail,
    cost: "Pages cannot be stored once the disk is full.",
    remedy: "Free space, lower CACHE_MAX_BYTES, or set DATA_DIR to another disk.",
  };
}

async function nearestExisting(path: string): Promise<string> {
  const isThere = await stat(path).then(
    () => true,
    () => false,
  );
  return isThere || dirname(path) === path ? path : nearestExisting(dirname(path));
}

/** Checks the whole database, which a service may use meanwhile. */
export function checkDatabaseFile(path: string | undefined): Finding {
  const found = path === undefined ? undefined : statSync(path, { throwIfNoEntry: false });
  if (path === undefined || !found?.size) return { status: "found", detail: "none yet" };
  try {
    const version = checkSqlite(path, "quick_check");
    const size = `${(found.size / 1_000_000).toFixed(1)} MB`;
    return { status: "found", detail: `${path}, ${size}, version ${version}, not damaged` };
  } catch (failure) {
    return {
      status: "problem",
      detail: `${path}: ${failure instanceof Error ? failure.message : String(failure)}`,
      cost: "The server does not start, or refuses to work.",
      remedy: "Restore a backup: pergamon restore FILE --replace",
    };
  }
}
