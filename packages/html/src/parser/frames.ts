import { isBlankBetween } from "./characters.ts";
import type { NodeTable } from "./node-table.ts";
import { HEAD_CONTENT, tagSet } from "./tag-traits.ts";
import { TEXT } from "./tree.ts";

/** What a page holds from a frameset on that stands for its body. */
export const FRAMESET_CONTENT = tagSet("frame frameset noframes");

/** Elements that a page has around its head; what is in them counts by itself. */
const AROUND_HEAD = tagSet("#document html head");

/**
 * Whether a frameset that begins inside an element would stand for the body of the page, whose nodes so far are in the
 * table: there is nothing yet but the head and white space.
 */
export function canHoldFrames(source: string, table: NodeTable, openTag: number): boolean {
  if (AROUND_HEAD[openTag] === 0) return false;
  for (let node = 1; node < table.size; node++) {
    const tag = table.tag[node] ?? TEXT;
    if (HEAD_CONTENT[tag] === 1) node = (table.end[node] ?? table.size) - 1;
    else if (tag !== TEXT && AROUND_HEAD[tag] === 0) return false;
    else if (tag === TEXT && !isBlankBetween(source, table.start[node] ?? 0, table.stop[node] ?? 0))
      return false;
  }
  return true;
}
