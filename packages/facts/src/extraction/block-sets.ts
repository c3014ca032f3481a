import { lazy } from "@pergamon-dev/kit/lazy";
import { tagSet } from "@pergamon-dev/html/parser/tag-traits";
import { type HtmlTree, TEXT } from "@pergamon-dev/html/parser/tree";
import { scopeOfBlock } from "./block-scope.ts";
import { headingAbove } from "./heading-above.ts";
import { childElements } from "./list-texts.ts";
import { type PageParts, weightOfPlace } from "./page-parts.ts";
import type { ScopeSet } from "./scope.ts";
import { isRowOfOne, SectionTitles } from "./section-titles.ts";
import { labelWords } from "./words.ts";

const NO_BLOCK = tagSet(
  "br hr script style option source td th thead tbody col svg path span b strong em i sup noscript template",
);
const FEWEST = 2;
const MAX_SETS = 40;
const MAX_JOINED_SETS = 20;
const MAX_PARENTS = 20_000;
const MAX_BLOCKS = 500;
/** Share of the children of an element that have to look alike. */
const ALIKE = 0.5;

interface Group {
  /** How the element and its blocks look. */
  readonly sign: string;
  readonly isJoined: boolean;
  readonly parent: number;
  readonly blocks: readonly number[];
  readonly text: number;
}

/**
 * Elements that are made alike, such as cards, entries of lists, comments: over all parts of a list, and those next to each
 * other. Those with the most text first.
 */
export function blockSets(parts: PageParts): readonly ScopeSet[] {
  const groups = groupsOf(parts);
  const whole = byText(joined(groups)).slice(0, MAX_JOINED_SETS);
  const single = byText(groups.filter(({ blocks }) => blocks.length >= FEWEST)).slice(0, MAX_SETS);
  return [...whole, ...single].map((group) => setOf(parts, group));
}

function setOf(parts: PageParts, { parent, blocks, isJoined }: Group): ScopeSet {
  const block = blocks[0] ?? parent;
  const titles = lazy(() => new SectionTitles(parts.tree, blocks).ofBlocks());
  const above = isJoined ? [] : [headingAbove(parts, block)];
  return {
    labels: [...namesOf(parts, parent, block), ...above].filter((name) => name !== "").map(labelWords),
    weight: 0.8 * Math.max(0.5, weightOfPlace(parts, block)),
    scopes: blocks.map((one, at) => scopeOfBlock(parts, one, () => titles()[at] ?? "")),
  };
}

function byText(groups: readonly Group[]): readonly Group[] {
  return groups.toSorted((one, other) => other.text - one.text);
}

/** Several groups that look alike as one: a list in parts, each below a title of its own. */
function joined(groups: readonly Group[]): readonly Group[] {
  const bySign = new Map<string, Group[]>();
  for (const group of groups) {
    const known = bySign.get(group.sign);
    if (known) known.push(group);
    else bySign.set(group.sign, [group]);
  }
  return [...bySign.values()].flatMap((alikes) => {
    const [first] = alikes;
    if (!first || alikes.length === 1) return [];
    const blocks = alikes.flatMap((group) => group.blocks).slice(0, MAX_BLOCKS);
    return [{ ...first, blocks, text: alikes.reduce((sum, { text }) => sum + text, 0), isJoined: true }];
  });
}

function groupsOf(parts: PageParts): readonly Group[] {
  const { tree } = parts;
  const groups: Group[] = [];
  for (let parent = 1, left = MAX_PARENTS; parent < tree.size && left > 0; parent++) {
    if (tree.tag[parent] === TEXT || (tree.end[parent] ?? 0) - parent < 3) continue;
    left--;
    const children = childElements(tree, parent);
    if (children.length === 0) continue;
    const blocks = alike(parts, children).slice(0, MAX_BLOCKS);
    const [first] = blocks;
    if (first === undefined || weightOfPlace(parts, first) === 0) continue;
    groups.push({
      isJoined: false,
      sign: kindOf(parts, parent, first),
      parent,
      blocks,
      text: textLength(parts, blocks),
    });
  }
  return groups;
}

/** The largest group of children with one name and one first class; empty when they are few. */
function alike({ tree }: PageParts, children: readonly number[]): readonly number[] {
  const bySign = new Map<string, number[]>();
  for (const child of children) {
    if (NO_BLOCK[tree.tag[child] ?? 0] === 1 || isRowOfOne(tree, child)) continue;
    const sign = signOf(tree, child);
    const group = bySign.get(sign);
    if (group) group.push(child);
    else bySign.set(sign, [child]);
  }
  const largest = [...bySign.values()].reduce<number[]>(
    (most, group) => (group.length > most.length ? group : most),
    [],
  );
  return largest.length >= children.length * ALIKE ? largest : [];
}

/** What tells the kind of a group: the class of its blocks, else what they stand in too; and how much its place counts. */
function kindOf(parts: PageParts, parent: number, block: number): string {
  const own = signOf(parts.tree, block);
  const around = own.endsWith(".") ? signOf(parts.tree, parent) : "";
  return `${around} ${own} ${weightOfPlace(parts, block)}`;
}

function signOf(tree: HtmlTree, node: number): string {
  const [name = ""] = (tree.attribute(node, "class") ?? "").trim().split(/\s+/);
  return `${tree.nameOf(node)}.${name}`;
}

function textLength({ layout }: PageParts, blocks: readonly number[]): number {
  const first = layout.offset[blocks[0] ?? 0] ?? 0;
  const last = layout.offset[blocks.at(-1) ?? 0] ?? 0;
  return last - first;
}

/** What the blocks may be called, by their classes and by those of the element around. */
function namesOf({ tree }: PageParts, parent: number, block: number): readonly string[] {
  return [block, parent].flatMap((node) => [
    ...(tree.attribute(node, "class") ?? "").split(/\s+/).slice(0, 3),
    tree.attribute(node, "id") ?? "",
    tree.attribute(node, "aria-label") ?? "",
  ]);
}
