import { chmodSync, mkdirSync } from "node:fs";
import { dirname, resolve } from "node:path";

/** New files and folders belong to this user alone. */
const PRIVATE_UMASK = 0o077;
/** What the shell left to files of the person who calls. */
let given = 0o022;

/** From now on what this process makes is private, but for what is shared below. */
export function makePrivate(): void {
  given = process.umask(PRIVATE_UMASK);
}

/** Gives a file that somebody asked for the rights that their shell leaves. */
export function shareFile(path: string): void {
  chmodSync(path, 0o666 & ~given);
}

/** Makes a folder that somebody asked for, with those above it that are missing. */
export function makeSharedFolder(path: string): void {
  const highest = mkdirSync(path, { recursive: true });
  if (highest === undefined) return;
  const top = resolve(highest);
  for (let made = resolve(path); made.startsWith(top); made = dirname(made)) chmodSync(made, 0o777 & ~given);
}
