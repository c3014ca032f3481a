import { chmod, mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";

import type { Account } from "../browser/launch/account.ts";
import { makeBrowserFolder } from "../browser/launch/browser-folder.ts";

/** Files of ours for boxes, in a folder that is removed even after a crash. */
export interface BoxFolder {
  readonly path: string;
  /** A folder within that boxes may mount something over. */
  readonly mountPoint: string;
  /** Writes a file that boxes can read and start. @returns its path. */
  write(name: string, content: string): Promise<string>;
  remove(): Promise<void>;
}

/** @param account whom the boxes run as */
export async function makeBoxFolder(account: Account | undefined): Promise<BoxFolder> {
  const { path, remove } = await makeBrowserFolder(account);
  await chmod(path, 0o711);
  const mountPoint = join(path, "root");
  await mkdir(mountPoint, { mode: 0o755 });
  const write = async (name: string, content: string) => {
    const file = join(path, name);
    await writeFile(file, content, { mode: 0o755 });
    return file;
  };
  return { path, mountPoint, write, remove };
}
