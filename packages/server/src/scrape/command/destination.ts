import { existsSync, statSync } from "node:fs";
import { dirname, join, parse } from "node:path";

import { makeSharedFolder } from "@pergamon-dev/kit/umask";

/** File systems allow names of 255 bytes, and a character may take four. */
const MAX_NAME_LENGTH = 60;

export interface Destination {
  /** Whether text is printed. Files such as pictures are never printed. */
  readonly printsText: boolean;
  /** Path of the file for the result of an address. */
  main(address: string, extension: string): string;
  /** Path of an additional file, such as a picture that belongs to the result. */
  beside(address: string, extension: string): string;
}

/** Address → its place in the folder. Others get names of their own. */
type Places = ReadonlyMap<string, string | undefined>;

/**
 * Without a path, text is printed and files get names of their own in the working folder. A path means a
 * folder when it is an existing folder, ends in a slash, or is for several addresses. A missing folder is
 * created.
 * @throws Error when a file stands where the folder should be.
 */
export function openDestination(
  path: string | undefined,
  isSeveral: boolean,
  places: Places = new Map(),
): Destination {
  if (path === undefined) return printed();
  const found = statSync(path, { throwIfNoEntry: false });
  if (found?.isDirectory() || path.endsWith("/") || isSeveral)
    return folderAt(path, found?.isFile() ?? false, places);
  makeSharedFolder(dirname(path));
  return oneFile(path);
}

function printed(): Destination {
  const names = new FileNames(".", true);
  const next = (address: string, extension: string) => names.next(address, extension);
  return { printsText: true, main: next, beside: next };
}

function folderAt(path: string, isFile: boolean, places: Places): Destination {
  if (isFile) throw new Error(`${path} is a file. Several results require a folder: -o ${path}.d/`);
  makeSharedFolder(path);
  const names = new FileNames(path, false, places);
  const next = (address: string, extension: string) => names.next(address, extension);
  return { printsText: false, main: next, beside: next };
}

function oneFile(path: string): Destination {
  const { dir, name } = parse(path);
  const names = new FileNames(dir, false);
  return {
    printsText: false,
    main: () => path,
    beside: (_address, extension) => names.next(name, extension),
  };
}

/** Paths of files for the results of addresses, such as `shop.test-shoes.md`. No path is used twice. */
class FileNames {
  readonly #folder: string;
  readonly #isFree: (path: string) => boolean;
  readonly #given = new Set<string>();
  readonly #places: Places;

  /** @param sparesFiles whether existing files stay untouched. Otherwise new files may replace them. */
  constructor(folder: string, sparesFiles: boolean, places: Places = new Map()) {
    this.#places = places;
    this.#folder = folder;
    this.#isFree = (path) => !sparesFiles || !existsSync(path);
  }

  next(address: string, extension: string): string {
    const place = this.#places.get(address);
    const stem = place ?? nameFor(address);
    if (place !== undefined) makeSharedFolder(join(this.#folder, dirname(place)));
    for (let count = 1; ; count += 1) {
      const path = join(this.#folder, `${stem}${count === 1 ? "" : `-${count}`}.${extension}`);
      // Some file systems ignore case.
      const key = path.toLowerCase();
      if (this.#given.has(key) || !this.#isFree(path)) continue;
      this.#given.add(key);
      return path;
    }
  }
}

/** The characters of an address that every file system allows. */
function nameFor(address: string): string {
  const name = address
    .replace(/^[a-z][a-z0-9+]*:\/\/(?:[^/?#]*@)?/i, "")
    .replace(/[^\p{L}\p{N}._]+/gu, "-")
    .replace(/^[-.]+/, "");
  const start = new RegExp(`^.{0,${MAX_NAME_LENGTH}}`, "u").exec(name)?.[0] ?? "";
  return start.replace(/[-.]+$/, "") || "page";
}
