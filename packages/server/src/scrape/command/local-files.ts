import { readdirSync, statSync } from "node:fs";
import { join, relative, resolve } from "node:path";

import { hasKnownExtension } from "../request/file-types.ts";

/** Forms of a path, as opposed to an address: `./a`, `../a`, `/a`, `C:\a`. */
const PATH = /^(?:\.{0,2}[/\\]|[a-z]:[/\\])/i;

/**
 * Whether an argument names a local file rather than a page, because of its form or because the file exists.
 */
export function isLocalFile(argument: string): boolean {
  return PATH.test(argument) || (hasKnownExtension(argument) && isFile(argument));
}

interface FoundFiles {
  /** Path of each file → where it is below the folder that was named, if one was. */
  readonly files: ReadonlyMap<string, string | undefined>;
  /** Files in folders whose type is not supported. */
  readonly leftOut: readonly string[];
}

/**
 * The named files, and files in the named folders with a supported type, in order and each once.
 * @throws Error when a path does not exist, or when there are no files.
 */
export function filesIn(paths: readonly string[]): FoundFiles {
  const files = new Map<string, string | undefined>();
  const leftOut: string[] = [];
  const seen = new Set<string>();
  for (const named of paths) {
    const isOfFolder = isFolder(named);
    for (const path of isOfFolder ? filesBelow(named) : [named]) {
      if (seen.has(resolve(path))) continue;
      seen.add(resolve(path));
      const below = isOfFolder ? relative(named, path) : undefined;
      // An argument in the form of a path is never taken for an address.
      if (isOfFolder && !hasKnownExtension(path)) leftOut.push(below ?? path);
      else files.set(PATH.test(path) ? path : `./${path}`, below);
    }
  }
  if (files.size === 0) throw new Error(`No file that can be read was found in ${paths.join(", ")}.`);
  return { files, leftOut };
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
      return entry.isFile() ? [path] : [];
    });
}
