import { existsSync } from "node:fs";
import { join } from "node:path";

/** File systems take names of 255 bytes; letters may take four each. */
const MAX_NAME_LENGTH = 60;

/** Paths of files for what addresses gave, such as `shop.test-shoes.md`. No path is given twice. */
export class FileNames {
  readonly #folder: string;
  readonly #isFree: (path: string) => boolean;
  readonly #given = new Set<string>();

  /** @param sparesFiles whether files that are there keep their names; otherwise they may be replaced. */
  constructor(folder: string, sparesFiles: boolean) {
    this.#folder = folder;
    this.#isFree = (path) => !sparesFiles || !existsSync(path);
  }

  next(address: string, extension: string): string {
    const stem = nameFor(address);
    for (let count = 1; ; count += 1) {
      const path = join(this.#folder, `${stem}${count === 1 ? "" : `-${count}`}.${extension}`);
      // Some file systems take both cases for the same.
      const key = path.toLowerCase();
      if (this.#given.has(key) || !this.#isFree(path)) continue;
      this.#given.add(key);
      return path;
    }
  }
}

/** What is left of an address that every file system takes. */
function nameFor(address: string): string {
  const name = address
    .replace(/^[a-z][a-z0-9+]*:\/\/(?:[^/?#]*@)?/i, "")
    .replace(/[^\p{L}\p{N}._]+/gu, "-")
    .replace(/^[-.]+/, "");
  const start = new RegExp(`^.{0,${MAX_NAME_LENGTH}}`, "u").exec(name)?.[0] ?? "";
  return start.replace(/[-.]+$/, "") || "page";
}
