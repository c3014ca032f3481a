import { chmod, chown, mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";

import type { Account } from "@pergamon-dev/browser/launch/account";
import { makeBrowserFolder } from "@pergamon-dev/browser/launch/browser-folder";

/** Files of ours for boxes, in a folder closed to others that is removed even after a crash. */
export interface BoxFolder {
  /** A folder within that boxes may mount something over. */
  readonly mountPoint: string;
  /** Writes a file that boxes can read and start. @returns its path. */
  write(name: string, content: string): Promise<string>;
  /** @returns its path. */
  makeFolder(name: string): Promise<string>;
  remove(): Promise<void>;
}

/** Boxes may run as another user. */
const FOR_BOXES = 0o755;

/** @param account whom the boxes run as */
export async function makeBoxFolder(account: Account | undefined): Promise<BoxFolder> {
  const { path, remove } = await makeBrowserFolder(account);
  const makeFolder = async (name: string) => {
    const folder = join(path, name);
    await mkdir(folder);
    await chmod(folder, FOR_BOXES);
    // The folder is removed as the account.
    if (account) await chown(folder, account.uid, account.gid);
    return folder;
  };
  const write = async (name: string, content: string) => {
    const file = join(path, name);
    await writeFile(file, content);
    // NOTE: the service keeps what it makes to itself (umask): a mode that is given at the making does not last.
    await chmod(file, FOR_BOXES);
    return file;
  };
  return { mountPoint: await makeFolder("root"), write, makeFolder, remove };
}
