import { realpath, stat } from "node:fs/promises";
import { dirname } from "node:path";

/** User and group that a program runs as. */
export interface Account {
  readonly uid: number;
  readonly gid: number;
}

/** The kernel's user without rights (`overflowuid`), which is `nobody` on Linux distributions. */
export const NOBODY: Account = { uid: 65_534, gid: 65_534 };

/** Whether this process is root on a system where it can run programs as another user. */
export function isRoot(): boolean {
  return process.platform === "linux" && process.getuid?.() === 0;
}

/** Numeric ids of the users that our browsers run as; empty where the system has none. */
export function usersOfBrowsers(): readonly number[] {
  const own = process.getuid?.();
  if (own === undefined) return [];
  return isRoot() ? [own, NOBODY.uid] : [own];
}

const READ = 4;
const ENTER = 1;
/** Owner, group and others have three bits each. */
const BITS_PER_CLASS = 3;

/** Whether the account may read the file or folder, and enter all folders on the way. */
export async function isReadableBy(account: Account, path: string): Promise<boolean> {
  try {
    const target = await realpath(path);
    const folders = new Set([...foldersAbove(path), ...foldersAbove(target)]);
    const isOpen = await Promise.all([...folders].map((folder) => may(account, folder, ENTER)));
    return isOpen.every(Boolean) && (await may(account, target, READ));
  } catch {
    return false;
  }
}

/** Whether the account may use files in the folder, whose names it knows. */
export async function mayEnter(account: Account, folder: string): Promise<boolean> {
  try {
    const target = await realpath(folder);
    const isOpen = await Promise.all(
      [...foldersAbove(target), target].map((one) => may(account, one, ENTER)),
    );
    return isOpen.every(Boolean);
  } catch {
    return false;
  }
}

function foldersAbove(path: string): readonly string[] {
  const parent = dirname(path);
  return parent === path ? [path] : [parent, ...foldersAbove(parent)];
}

/** Checks the mode only. Access control lists are ignored. */
async function may({ uid, gid }: Account, path: string, right: number): Promise<boolean> {
  const status = await stat(path);
  const others = status.gid === gid ? 1 : 0;
  const classOfUser = status.uid === uid ? 2 : others;
  return ((status.mode >> (classOfUser * BITS_PER_CLASS)) & right) !== 0;
}
