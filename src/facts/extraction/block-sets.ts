import { tagSet } from "../../page-content/html/parser/tag-traits.ts";
import { TEXT } from "../../page-content/html/parser/tree.ts";
import { scopeOfBlock } from "./block-scope.ts";
import { headingAbove } from "./heading-above.ts";
import { childElements } from "./list-texts.ts";
import { type PageParts, weightOfPlace } from "./page-parts.ts";
import type { ScopeSet } from "./scope.ts";
import { labelWords } from "./words.ts";

const NO_BLOCK = tagSet(
  "br hr script style option source td th tr thead tbody col svg path span b strong em i sup noscript template",
);
const FEWEST = 2;
const MAX_SETS = 40;
const MAX_PARENTS = 20_000;
const MAX_BLOCKS = 500;
/** Share of the children of an element that have to look alike. */
const ALIKE = 0.5;

interface Group {
  readonly parent: number;
  readonly blocks: readonly number[];
  readonly text: number;
}

/** Elements next to each other that are made alike: cards, entries of lists, comments. Those with the most text first. */
export function blockSets(parts: PageParts): readonly ScopeSet[] {
  const groups = groupsOf(parts).sort((one, other) => other.text - one.text);
  return groups.slice(0, MAX_SETS).map(({ parent, blocks }) => ({
    labels: labelsOf(parts, parent, blocks[0] ?? parent).map(labelWords),
    weight: 0.8 * Math.max(0.5, weightOfPlace(parts, blocks[0] ?? parent)),
    scopes: blocks.map((block) => scopeOfBlock(parts, block)),
  }));
}

function groupsOf(parts: PageParts): Group[] {
  const { tree } = parts;
  const groups: Group[] = [];
  for (let parent = 1, left = MAX_PARENTS; parent < tree.size && left > 0; parent++) {
    if (tree.tag[parent] === TEXT || (tree.end[parent] ?? 0) - parent < FEWEST * 2) continue;
    left--;
    const children = childElements(tree, parent);
    if (children.length < FEWEST) continue;
    const blocks = alike(parts, children).slice(0, MAX_BLOCKS);
    const [first] = blocks;
    if (first === undefined || weightOfPlace(parts, first) === 0) continue;
    groups.push({ parent, blocks, text: textLength(parts, blocks) });
  }
  return groups;
}

/** The largest group of children with one name and one first class; empty when they are few. */
function alike({ tree }: PageParts, children: readonly number[]): readonly number[] {
  const bySign = new Map<string, number[]>();
  for (const child of children) {
    if (NO_BLOCK[tree.tag[child] ?? 0] === 1) continue;
    const [name = ""] = (tree.attribute(child, "class") ?? "").trim().split(/\s+/);
    const sign = `${tree.nameOf(child)}.${name}`;
    const group = bySign.get(sign);
    if (group) group.push(child);
    else bySign.set(sign, [child]);
  }
  const largest = [...bySign.values()].reduce<number[]>(
    (most, group) => (group.length > most.length ? group : most),
    [],
  );
  return largest.length >= FEWEST && largest.length >= children.length * ALIKE ? largest : [];
}

function textLength({ layout }: PageParts, blocks: readonly number[]): number {
  const first = layout.offset[blocks[0] ?? 0] ?? 0;
  const last = layout.offset[blocks.at(-1) ?? 0] ?? 0;
  return last - first;
}

/** What the blocks may be called: by their classes, by those of the element around, by the heading above. */
function labelsOf(parts: PageParts, parent: number, block: number): readonly string[] {
  const { tree } = parts;
  const names = [block, parent].flatMap((node) => [
    ...(tree.attribute(node, "class") ?? "").split(/\s+/).slice(0, 3),
    tree.attribute(node, "id") ?? "",
    tree.attribute(node, "aria-label") ?? "",
  ]);
  return [...names, headingAbove(parts, block)].filter((name) => name !== "");
}
