import { existsSync } from "node:fs";
import { join } from "node:path";

/** File systems allow names of 255 bytes, and a character may take four. */
const MAX_NAME_LENGTH = 60;

/** Paths of files for the results of addresses, such as `shop.test-shoes.md`. No path is used twice. */
export class FileNames {
  readonly #folder: string;
  readonly #isFree: (path: string) => boolean;
  readonly #given = new Set<string>();

  /** @param sparesFiles whether existing files stay untouched. Otherwise new files may replace them. */
  constructor(folder: string, sparesFiles: boolean) {
    this.#folder = folder;
    this.#isFree = (path) => !sparesFiles || !existsSync(path);
  }

  next(address: string, extension: string): string {
    const stem = nameFor(address);
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
