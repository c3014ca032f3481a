import { chmod, chown, mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";

import type { Account } from "@pergamon-dev/browser/launch/account";
import { makeBrowserFolder } from "@pergamon-dev/browser/launch/browser-folder";

/** Our files for boxes, in a folder closed to others that is removed even after a crash. */
export interface BoxFolder {
  /** A subfolder over which boxes may mount something. */
  readonly mountPoint: string;
  /** Writes a file that boxes can read and execute. @returns its path. */
  write(name: string, content: string): Promise<string>;
  /** @returns the path of the folder. */
  makeFolder(name: string): Promise<string>;
  remove(): Promise<void>;
}

/** Boxes may run as another user. */
const FOR_BOXES = 0o755;

/** @param account user of the boxes. */
export async function makeBoxFolder(account: Account | undefined): Promise<BoxFolder> {
  const { path, remove } = await makeBrowserFolder(account);
  const makeFolder = async (name: string) => {
    const folder = join(path, name);
    await mkdir(folder);
    await chmod(folder, FOR_BOXES);
    // The folder is removed by this account.
    if (account) await chown(folder, account.uid, account.gid);
    return folder;
  };
  const write = async (name: string, content: string) => {
    const file = join(path, name);
    await writeFile(file, content);
    // NOTE: the service's umask keeps new files private, so a mode given at creation has no effect.
    await chmod(file, FOR_BOXES);
    return file;
  };
  return { mountPoint: await makeFolder("root"), write, makeFolder, remove };
}
