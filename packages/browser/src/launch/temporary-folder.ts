import { tmpdir } from "node:os";

import { type Account, mayEnter } from "./account.ts";

/** Folders of every Linux that all accounts may enter. The last one is in memory. */
const OPEN_TO_ALL = ["/tmp", "/var/tmp", "/dev/shm"];

/**
 * Returns the folder for files of programs that run as the account: TMPDIR, or the first of the system's own
 * folders when the account may not enter TMPDIR, such as below a data folder of mode 700.
 * @throws Error that names them when the account may enter none.
 */
export async function temporaryFolderFor(
  account: Account | undefined,
  wanted: string = tmpdir(),
): Promise<string> {
  if (!account) return wanted;
  for (const folder of [wanted, ...OPEN_TO_ALL]) if (await mayEnter(account, folder)) return folder;
  throw new Error(
    `user ${account.uid} may enter neither ${wanted} nor ${OPEN_TO_ALL.join(", ")}: set TMPDIR to a folder that every user may enter`,
  );
}
