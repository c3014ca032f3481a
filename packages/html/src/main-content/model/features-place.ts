import { tagId } from "../../parser/tree.ts";
import { CONTEXT_COUNT } from "../tables/context.ts";
import type { PageTables } from "../tables/page-tables.ts";
import type { Rows } from "./rows.ts";

/** Elements that tell much about the text right inside. */
const TELLING_TAGS = [
  "p",
  "li",
  "h1",
  "h2",
  "h3",
  "h4",
  "td",
  "th",
  "dt",
  "dd",
  "pre",
  "div",
  "figcaption",
  "section",
];
const ORDER_OF_TAG: Int32Array = orderOfTags();
const NEAR_LEVELS = 4;

/** Where a block is in the tree: element, surroundings and what their names say. */
export function writePlaceFeatures({ tree, elements, blocks }: PageTables, block: number, row: Rows): void {
  const owner = blocks.owner[block] ?? 0;
  const order = ORDER_OF_TAG[tree.tag[owner] ?? 0] ?? 0;
  for (let tag = 1; tag <= TELLING_TAGS.length; tag++) row.flag(tag === order);
  const context = elements.context[owner] ?? 0;
  for (let bit = 0; bit < CONTEXT_COUNT; bit++) row.put((context >> bit) & 1);
  row.put(elements.depth[owner] ?? 0);
  row.put(elements.hidden[tree.parent[blocks.first[block] ?? 0] ?? 0] ?? 0);
  writeNameOdds(elements, tree.parent, owner, row);
  const inline = tree.parent[blocks.first[block] ?? 0] ?? 0;
  row.put(inline === owner ? 0 : (elements.pathOdds[inline] ?? 0) - (elements.pathOdds[owner] ?? 0));
}

function writeNameOdds(elements: PageTables["elements"], parent: Int32Array, owner: number, row: Rows): void {
  let node = owner;
  let near = 0;
  let middle = 0;
  let least = 0;
  let greatest = 0;
  for (let level = 0; level <= NEAR_LEVELS + 1 && node > 0; level++) {
    const odds = elements.odds[node] ?? 0;
    if (level === 1 || level === 2) near += odds;
    else if (level > 2) middle += odds;
    if (level < NEAR_LEVELS) {
      least = Math.min(least, elements.leastOdds[node] ?? 0);
      greatest = Math.max(greatest, elements.greatestOdds[node] ?? 0);
    }
    node = parent[node] ?? 0;
  }
  row.put(elements.odds[owner] ?? 0);
  row.put(near);
  row.put(middle);
  row.put(elements.pathOdds[node] ?? 0);
  row.put(elements.pathOdds[owner] ?? 0);
  row.put(least);
  row.put(greatest);
  row.put(elements.leastPathOdds[owner] ?? 0);
  row.put(elements.greatestPathOdds[owner] ?? 0);
}

function orderOfTags(): Int32Array {
  const order = new Int32Array(256);
  TELLING_TAGS.forEach((name, index) => {
    order[tagId(name)] = index + 1;
  });
  return order;
}
