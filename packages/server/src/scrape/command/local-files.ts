import { readdirSync, statSync } from "node:fs";
import { join } from "node:path";

import { hasKnownExtension } from "../request/file-types.ts";

/** Forms of a path, as opposed to an address: `./a`, `../a`, `/a`, `C:\a`. */
const PATH = /^(?:\.{0,2}[/\\]|[a-z]:[/\\])/i;

/**
 * Whether an argument names a local file rather than a page, because of its form or because the file exists.
 */
export function isLocalFile(argument: string): boolean {
  return PATH.test(argument) || (hasKnownExtension(argument) && isFile(argument));
}

/**
 * Paths of the named files, and of files in the named folders with a supported type, in order.
 * @throws Error when a path does not exist, or when there are no files.
 */
export function filesIn(paths: readonly string[]): readonly string[] {
  const files = paths.flatMap((path) => (isFolder(path) ? filesBelow(path) : [path]));
  if (files.length === 0) throw new Error(`No file that can be read was found in ${paths.join(", ")}.`);
  // An argument in the form of a path is never taken for an address.
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

/** Leaves out hidden files and targets of links. */
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
