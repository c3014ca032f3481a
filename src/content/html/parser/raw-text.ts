import { isNameAt, NAME_BREAK } from "./characters.ts";
import { tagId, tagNames } from "./tree.ts";

const PLAINTEXT = tagId("plaintext");

/** A stretch of the source to search. */
export interface Stretch {
  readonly from: number;
  readonly limit: number;
}

/** Offset of the end tag that ends a raw-text element; the limit when there is none before it. */
export function findRawTextEnd(source: string, tag: number, { from, limit }: Stretch): number {
  if (tag === PLAINTEXT) return limit;
  const name = tagNames[tag] ?? "";
  for (let at = source.indexOf("</", from); at >= 0 && at < limit; at = source.indexOf("</", at + 2)) {
    const after = at + 2 + name.length;
    if (
      after < source.length &&
      NAME_BREAK[source.charCodeAt(after)] === 1 &&
      isNameAt(source, at + 2, name)
    ) {
      return at;
    }
  }
  return limit;
}

/** Offset after the comment whose text begins at `from`: after the first `-->` or `--!>`. */
export function endOfComment(source: string, from: number): number {
  for (let at = source.indexOf("--", from); at >= 0; at = source.indexOf("--", at + 1)) {
    if (source.startsWith(">", at + 2)) return at + 3;
    if (source.startsWith("!>", at + 2)) return at + 4;
  }
  return source.length;
}
