import { mkdirSync, statSync } from "node:fs";
import { dirname, parse } from "node:path";

import { FileNames } from "./file-names.ts";

export interface Destination {
  /** Whether text is printed. Files such as pictures are never printed. */
  readonly printsText: boolean;
  /** Path of the file for the result of an address. */
  main(address: string, extension: string): string;
  /** Path of an additional file, such as a picture that belongs to the result. */
  beside(address: string, extension: string): string;
}

/**
 * Without a path, text is printed and files get names of their own in the working folder. A path means a
 * folder when it is an existing folder, ends in a slash, or is for several addresses. A missing folder is
 * created.
 * @throws Error when a file stands where the folder should be.
 */
export function openDestination(path: string | undefined, isSeveral: boolean): Destination {
  if (path === undefined) return printed();
  const found = statSync(path, { throwIfNoEntry: false });
  if (found?.isDirectory() || path.endsWith("/") || isSeveral) return folder(path, found?.isFile() ?? false);
  mkdirSync(dirname(path), { recursive: true });
  return oneFile(path);
}

function printed(): Destination {
  const names = new FileNames(".", true);
  const next = (address: string, extension: string) => names.next(address, extension);
  return { printsText: true, main: next, beside: next };
}

function folder(path: string, isFile: boolean): Destination {
  if (isFile) throw new Error(`${path} is a file. Several results require a folder: -o ${path}.d/`);
  mkdirSync(path, { recursive: true });
  const names = new FileNames(path, false);
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
