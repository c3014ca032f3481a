import { execFile } from "node:child_process";
import { constants } from "node:fs";
import { chmod, chown, mkdtemp, open, rm, rmdir, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";

import type { Account } from "@pergamon-dev/browser/launch/account";

/** Readable for the account, in a folder that is closed to other users. */
const FOR_ACCOUNT = 0o644;
const REMOVAL_LIMIT_MS = 10_000;

/** Creates an empty folder that only the account can enter. */
export async function makeReaderFolder(name: string, account: Account | undefined): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), `pergamon-${name}-`));
  await chmod(folder, 0o700);
  if (account) await chown(folder, account.uid, account.gid);
  return folder;
}

/** Puts a file into the folder before a program starts in it. */
export async function putFile(
  folder: string,
  { name, bytes }: { readonly name: string; readonly bytes: Uint8Array },
  signal: AbortSignal,
): Promise<void> {
  const path = join(folder, name);
  await writeFile(path, bytes, { signal, flag: "wx" });
  await chmod(path, FOR_ACCOUNT);
}

/**
 * Reads a file that a program has left in its folder.
 * NOTE: the file may be a trap, such as a link to a secret file, or a pipe that never ends.
 * @throws Error when it is not a plain file of the account, or is too large.
 */
export async function takeFile(
  path: string,
  maxBytes: number,
  account: Account | undefined,
): Promise<Uint8Array> {
  const file = await open(path, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK);
  try {
    const status = await file.stat();
    const owner = account?.uid ?? process.geteuid?.() ?? status.uid;
    if (!status.isFile() || status.nlink !== 1 || status.uid !== owner) {
      throw new Error(`${path} is not a file that the program has made.`);
    }
    if (status.size > maxBytes) throw new Error(`${path} is larger than ${maxBytes} bytes.`);
    return await file.readFile();
  } finally {
    await file.close();
  }
}

/** NOTE: files of another account may be a trap for root, such as links that change during the check. */
export async function removeReaderFolder(folder: string, account: Account | undefined): Promise<void> {
  if (!account) return rm(folder, { recursive: true, force: true }).catch(() => undefined);
  const options = { ...account, cwd: "/", env: {}, timeout: REMOVAL_LIMIT_MS };
  await promisify(execFile)("/bin/rm", ["-rf", "--", folder], options).catch(() => undefined);
  // When the account may not change the parent folder, its own empty folder remains.
  await rmdir(folder).catch(() => undefined);
}
