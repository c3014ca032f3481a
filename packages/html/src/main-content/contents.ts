import { AttributeNames } from "../parser/attribute-names.ts";
import { HEADING } from "../parser/tag-traits.ts";
import { type HtmlTree, tagId, TEXT } from "../parser/tree.ts";
import { FURNITURE, headingAround } from "./belonging.ts";
import type { PageTables } from "./tables/page-tables.ts";

const ANCHOR = tagId("a");
const NAMED = new AttributeNames("id name");
/** Fewer links to headings are no table of contents. */
const MIN_ENTRIES = 4;
/** Levels of boxes that a heading begins. */
const LEVELS = 3;
/** Lowest chance at which text of a listed section stays. */
const MIN_CHANCE = 0.1;

/**
 * Keeps the sections of a document that its own contents list: the headings that links of the page lead to, with the text
 * below them. By cross-validation: structure kept 0.003 higher, macro the same.
 */
export function keepListedSections(page: PageTables, chances: Float32Array, kept: Uint8Array): void {
  const { tree, blocks, elements, headings } = page;
  const targets = linkedTargets(tree);
  if (targets.size < MIN_ENTRIES) return;
  const isText = (block: number): boolean =>
    ((elements.context[blocks.owner[block] ?? 0] ?? 0) & FURNITURE) === 0 && (chances[block] ?? 0) > 0;
  const listed: number[] = [];
  let previous = -1;
  for (let block = 0; block < blocks.size; block++) {
    const heading = headingAround(tree, blocks.owner[block] ?? 0);
    if (heading < 0) continue;
    if (isText(block) && isTarget(tree, heading, previous, targets)) listed.push(block);
    previous = heading;
  }
  const stays = listed.filter((block) => kept[block] === 1).length;
  if (listed.length < MIN_ENTRIES || stays < MIN_ENTRIES / 2) return;
  const end = endOfAll(page, listed);
  for (const heading of listed) {
    kept[heading] = 1;
    const next = headings.next[heading] ?? blocks.size;
    for (let block = heading + 1; block < next && (blocks.first[block] ?? 0) < end; block++)
      if (isText(block) && (chances[block] ?? 0) > MIN_CHANCE) kept[block] = 1;
  }
}

/** Identifiers that links of the page lead to. */
function linkedTargets(tree: HtmlTree): ReadonlySet<string> {
  const targets = new Set<string>();
  for (let node = 1; node < tree.size; node++) {
    if (tree.tag[node] !== ANCHOR || !tree.attributeStartsWith(node, "href", "#")) continue;
    const target = (tree.attribute(node, "href") ?? "").slice(1);
    if (target !== "") targets.add(decoded(target));
  }
  return targets;
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

/**
 * Whether a link leads to the heading, to an anchor in it or before it, or to a box that it begins.
 * @param previous - the heading before it, which none of these stands above
 */
function isTarget(tree: HtmlTree, heading: number, previous: number, targets: ReadonlySet<string>): boolean {
  const isNamed = (node: number): boolean =>
    tree.tag[node] !== TEXT &&
    tree.mayHave(node, NAMED) &&
    (targets.has(tree.attribute(node, "id") ?? "") || targets.has(tree.attribute(node, "name") ?? ""));
  const end = tree.end[heading] ?? 0;
  for (let node = heading; node < end; node++) if (isNamed(node)) return true;
  let before = heading - 1;
  while (before > previous && tree.tag[before] === TEXT && tree.isBlank(before)) before--;
  if (before > previous && isNamed(before)) return true;
  let box = tree.parent[heading] ?? 0;
  for (let level = 0; level < LEVELS && box > previous; level++, box = tree.parent[box] ?? 0)
    if (isNamed(box)) return isSection(tree, box, heading);
  return false;
}

/** Whether a box holds nothing beside the section of its first heading, as the target of "Skip to content" does. */
function isSection(tree: HtmlTree, box: number, heading: number): boolean {
  const end = tree.end[box] ?? 0;
  const level = tree.tag[heading] ?? 0;
  for (let node = tree.end[heading] ?? end; node < end; node++) {
    const tag = tree.tag[node] ?? 0;
    if (HEADING[tag] === 1 && tag <= level) return false;
  }
  return true;
}

/** End of the element around all listed headings. */
function endOfAll({ tree, blocks }: PageTables, listed: readonly number[]): number {
  const last = blocks.owner[listed.at(-1) ?? 0] ?? 0;
  let around = blocks.owner[listed[0] ?? 0] ?? 0;
  while (around > 0 && (tree.end[around] ?? 0) <= last) around = tree.parent[around] ?? 0;
  return tree.end[around] ?? 0;
}
