import { foldVolatile } from "./volatile-text.ts";

/** Frames hold advertisements and players, whose addresses change with every visit. */
const FRAME_LINK = /\[iframe\]\([^()\n]{0,5000}\)/g;
const BYTE_ORDER_MARK = "\u{FEFF}";

/**
 * Whether two versions of a page say the same: white space, frames and what changes by itself do not count, and whole
 * lines may have another order (contract, section 3.12).
 */
export function isSameContent(before: string, after: string): boolean {
  if (before === after) return true;
  const [old, now] = [linesOf(before), linesOf(after)];
  if (old.join("") === now.join("")) return true;
  return isSameList(old.toSorted(), now.toSorted());
}

/** Lines without white space; empty ones are left out. */
function linesOf(text: string): readonly string[] {
  const folded = foldVolatile(text.replaceAll(BYTE_ORDER_MARK, "").replace(FRAME_LINK, ""));
  return folded
    .split("\n")
    .map((line) => line.replaceAll(/\s+/g, ""))
    .filter((line) => line !== "");
}

function isSameList(one: readonly string[], other: readonly string[]): boolean {
  return one.length === other.length && one.every((line, at) => line === other[at]);
}
