import { tagSet } from "../../parser/tag-traits.ts";
import { type HtmlTree, tagId } from "../../parser/tree.ts";
import type { Blocks } from "./blocks.ts";

const TABLE = tagId("table");
const PRE = tagId("pre");
const LIST = tagSet("ul ol dl");
/** What makes a table a layout: tables, larger headings, forms, articles inside. */
const LAYOUT_PARTS = tagSet("table h1 h2 form article");
/** A list is kept or dropped as a whole for blocks at most this deep inside. */
const LIST_LEVELS = 3;
const LEVELS = 6;

/** By block: the number of its unit. A data table, a piece of code, a simple list is one unit; any other block its own. */
export function findUnits(tree: HtmlTree, blocks: Blocks): Int32Array {
  const isLayout = findLayoutTables(tree);
  const firstOf = new Map<number, number>();
  const units = new Int32Array(blocks.size);
  for (let block = 0; block < blocks.size; block++) {
    const unit = unitElement(tree, isLayout, blocks.owner[block] ?? 0);
    if (unit < 0) {
      units[block] = block;
      continue;
    }
    const first = firstOf.get(unit) ?? block;
    firstOf.set(unit, first);
    units[block] = first;
  }
  return units;
}

/** The table, code or list that a block element belongs to, -1 for none. */
function unitElement(tree: HtmlTree, isLayout: Uint8Array, owner: number): number {
  let list = -1;
  let node = owner;
  for (let level = 0; level < LEVELS && node > 0; level++) {
    const tag = tree.tag[node] ?? 0;
    if (tag === PRE) return node;
    if (tag === TABLE) return isLayout[node] === 1 ? list : node;
    if (list < 0 && level <= LIST_LEVELS && LIST[tag] === 1) list = node;
    node = tree.parent[node] ?? 0;
  }
  return list;
}

/** 1 for tables that lay out the page, in one pass: each part marks the tables around it once. */
function findLayoutTables(tree: HtmlTree): Uint8Array {
  const isLayout = new Uint8Array(tree.size);
  for (let node = 0; node < tree.size; node++) {
    if (LAYOUT_PARTS[tree.tag[node] ?? 0] !== 1) continue;
    for (let above = tree.parent[node] ?? -1; above > 0; above = tree.parent[above] ?? -1) {
      if (tree.tag[above] !== TABLE) continue;
      if (isLayout[above] === 1) break;
      isLayout[above] = 1;
    }
  }
  return isLayout;
}
