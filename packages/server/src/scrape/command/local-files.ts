import { readdirSync, statSync } from "node:fs";
import { join } from "node:path";

import { hasKnownExtension } from "../request/file-types.ts";

/** What is written as a path, and no address: `./a`, `../a`, `/a`, `C:\a`. */
const PATH = /^(?:\.{0,2}[/\\]|[a-z]:[/\\])/i;

/** Whether an argument names a file of this machine rather than a page: by its form, or because it is there. */
export function isLocalFile(argument: string): boolean {
  return PATH.test(argument) || (hasKnownExtension(argument) && isFile(argument));
}

/**
 * Paths of files: those that are named, and those in named folders that are of a sort that is read, in order.
 * @throws Error for what is not there, and when there is nothing.
 */
export function filesIn(paths: readonly string[]): readonly string[] {
  const files = paths.flatMap((path) => (isFolder(path) ? filesBelow(path) : [path]));
  if (files.length === 0) throw new Error(`No file that can be read was found in ${paths.join(", ")}.`);
  // What is written as a path is never taken for an address.
  return files.map((path) => (PATH.test(path) ? path : `./${path}`));
}

function isFolder(path: string): boolean {
  const found = statSync(path, { throwIfNoEntry: false });
  if (!found) throw new Error(`${path}: no such file or folder.`);
  return found.isDirectory();
}

function isFile(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isFile() === true;
}

/** Hidden ones, and what links lead to, are left out. */
function filesBelow(folder: string): readonly string[] {
  const entries = readdirSync(folder, { withFileTypes: true }).filter(({ name }) => !name.startsWith("."));
  return entries
    .toSorted((a, b) => (a.name < b.name ? -1 : 1))
    .flatMap((entry) => {
      const path = join(folder, entry.name);
      if (entry.isDirectory()) return filesBelow(path);
      return entry.isFile() && hasKnownExtension(entry.name) ? [path] : [];
    });
}
