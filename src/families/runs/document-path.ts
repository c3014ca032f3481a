import { createHash } from "node:crypto";

/** Longer names do not fit into every file system. */
const MAX_PART_LENGTH = 100;
const MAX_FOLDERS = 20;
const DIGEST_LENGTH = 8;
/** Names that Windows gives to devices, and those that hide files. */
const RESERVED = /^(?:\.|(?:con|prn|aux|nul|com\d|lpt\d)(?:\.|$))/i;

/** Where the documents of a run are laid down: files by host and path, each name once. */
export class DocumentPaths {
  readonly #taken = new Set<string>();

  /**
   * `https://a.example/docs/?page=2` → `a.example/docs/index_page_2.md`. What is not a URL is named after its position.
   * @returns a relative path of plain characters, without a way up.
   */
  pathOf(url: string | undefined, position: number): string {
    const wanted = url !== undefined && URL.canParse(url) ? partsOf(new URL(url)) : [`document-${position}`];
    const path = wanted.join("/");
    for (let number = 1; ; number += 1) {
      const name = number === 1 ? `${path}.md` : `${path}-${number}.md`;
      // Not every file system tells upper case from lower case.
      if (this.#taken.has(name.toLowerCase())) continue;
      this.#taken.add(name.toLowerCase());
      return name;
    }
  }
}

function partsOf({ hostname, port, pathname, search }: URL): readonly string[] {
  const [name = "", ...folders] = pathname.split("/").slice(1).toReversed();
  const host = port === "" ? hostname : `${hostname}_${port}`;
  // A folder that ends like a file could meet one of its name.
  const above = folders.toReversed().map((folder) => partOf(folder.replace(/\.md$/i, "_md")));
  const file = partOf(`${name === "" ? "index" : name}${search}`);
  if (above.length <= MAX_FOLDERS) return [partOf(host), ...above, file];
  return [partOf(host), ...above.slice(0, MAX_FOLDERS), digestOf(above.join("/")), file];
}

/** One part of a path, without what has a meaning to file systems. */
function partOf(text: string): string {
  const plain = text.replace(/[^\w.%~-]+/g, "_").replace(/\.+$/, "_") || "_";
  const safe = RESERVED.test(plain) ? `_${plain}` : plain;
  if (safe.length <= MAX_PART_LENGTH) return safe;
  return `${safe.slice(0, MAX_PART_LENGTH - DIGEST_LENGTH - 1)}-${digestOf(text)}`;
}

function digestOf(text: string): string {
  return createHash("sha256").update(text).digest("hex").slice(0, DIGEST_LENGTH);
}
