import { compile, type Options } from "css-select";

import { positionPseudos } from "./css-position.ts";
import { buildSiblingIndex, type SiblingIndex } from "./sibling-index.ts";
import { DOCUMENT, type HtmlTree, TEXT } from "./tree.ts";

const SELECTOR_LENGTH_MAX = 500;

/** Nodes that all selectors of one page together may look at; reached by hostile pages and selectors only. */
const STEPS_MAX = 100_000_000;

const CHARACTERS_PER_STEP = 32;

type Adapter = NonNullable<Options<number, number>["adapter"]>;

/** What selectors on the same tree share. */
interface Matching {
  readonly options: Options<number, number>;
  /** For `:nth-child(… of …)`, which needs css-select's own walk over the siblings. */
  readonly walkingOptions: Options<number, number>;
}

const matchings = new WeakMap<HtmlTree, Matching>();

/**
 * Elements that match, in document order. A selector that is invalid, longer than 500 characters, or too much work for
 * the page matches nothing.
 */
export function selectCss(tree: HtmlTree, selector: string): readonly number[] {
  if (selector.length > SELECTOR_LENGTH_MAX || selector.trim() === "") return [];
  try {
    return findMatches(tree, selector);
  } catch {
    return [];
  }
}

function findMatches(tree: HtmlTree, selector: string): readonly number[] {
  const matching = matchings.get(tree) ?? prepare(tree);
  matchings.set(tree, matching);
  const options = /\sof\s/iu.test(selector) ? matching.walkingOptions : matching.options;
  const matches = compile<number, number>(selector, options);
  const found: number[] = [];
  for (let node = 1; node < tree.size; node++) {
    if (tree.tag[node] !== TEXT && matches(node)) found.push(node);
  }
  return found;
}

function prepare(tree: HtmlTree): Matching {
  let index: SiblingIndex | undefined;
  const siblings = (): SiblingIndex => (index ??= buildSiblingIndex(tree));
  // NOTE: css-select keeps its results in a WeakMap, which cannot hold node numbers.
  const walkingOptions = { adapter: adapterFor(tree, siblings), cacheResults: false };
  return { walkingOptions, options: { ...walkingOptions, pseudos: positionPseudos(tree, siblings) } };
}

function adapterFor(tree: HtmlTree, siblings: () => SiblingIndex): Adapter {
  const step = stepCounter();
  let lastParent = -1;
  let lastChildren: number[] = [];
  const childrenOf = (node: number): number[] => {
    if (node === lastParent) return lastChildren;
    lastChildren = listChildren(tree, node);
    lastParent = node;
    step(lastChildren.length);
    return lastChildren;
  };
  return {
    isTag(node): node is number {
      step(1);
      return tree.tag[node] !== TEXT && tree.tag[node] !== DOCUMENT;
    },
    getAttributeValue: (node, name) => tree.attribute(node, name),
    hasAttrib: (node, name) => tree.attribute(node, name) !== undefined,
    getName: (node) => tree.nameOf(node),
    getParent: (node) => (node === 0 ? null : (tree.parent[node] ?? null)),
    getChildren: childrenOf,
    getSiblings: (node) => childrenOf(tree.parent[node] ?? 0),
    prevElementSibling: (node) => siblings().previous[node] || null,
    getText(node) {
      const text = tree.textContent(node);
      step((tree.end[node] ?? 0) - node + Math.ceil(text.length / CHARACTERS_PER_STEP));
      return text;
    },
    removeSubsets: (nodes) => nodes,
  };
}

/** @throws RangeError once the page's selectors have taken too many steps. */
function stepCounter(): (steps: number) => void {
  let left = STEPS_MAX;
  return (steps) => {
    left -= steps;
    if (left < 0) throw new RangeError("The selectors are too much work for this page.");
  };
}

function listChildren(tree: HtmlTree, node: number): number[] {
  const children: number[] = [];
  const end = tree.end[node] ?? 0;
  for (let child = node + 1; child < end; child = tree.end[child] ?? end) children.push(child);
  return children;
}
