import { _compileUnsafe as compile, type Options } from "css-select";

import { DOCUMENT, type HtmlTree, TEXT, UNKNOWN } from "../parser/tree.ts";

const SELECTOR_LENGTH_MAX = 500;

/** Maximum nodes that one selector may visit. Only hostile pages and selectors reach it. */
const SELECTOR_STEPS_MAX = 20_000_000;
/** The same limit for all selectors of a page together. */
const PAGE_STEPS_MAX = 100_000_000;
/** Characters of searched text that count as one step. */
const CHARACTERS_PER_STEP = 32;

/** A node as css-select sees it. css-select caches results per object, so each node has exactly one. */
interface NodeHandle {
  readonly node: number;
}

type Adapter = NonNullable<Options<NodeHandle, NodeHandle>["adapter"]>;

const matchers = new WeakMap<HtmlTree, CssMatcher>();

/**
 * Returns matching elements in document order. A selector that is invalid, longer than 500 characters, or too
 * much work for the page matches nothing.
 */
export function selectCss(tree: HtmlTree, selector: string): readonly number[] {
  return findCss(tree, selector) ?? [];
}

/** Like `selectCss`, but undefined when the selector is invalid, too long or too much work. */
export function findCss(tree: HtmlTree, selector: string): readonly number[] | undefined {
  if (selector.length > SELECTOR_LENGTH_MAX || selector.trim() === "") return undefined;
  const matcher = matchers.get(tree) ?? new CssMatcher(tree);
  matchers.set(tree, matcher);
  try {
    return matcher.select(selector);
  } catch {
    return undefined;
  }
}

/** State that selectors on the same tree share. */
class CssMatcher {
  readonly #tree: HtmlTree;
  readonly #handles: (NodeHandle | undefined)[];
  readonly #options: Options<NodeHandle, NodeHandle>;
  #siblings: SiblingIndex | undefined;
  #lastParent = -1;
  #lastChildren: NodeHandle[] = [];
  #pageSteps = PAGE_STEPS_MAX;
  #steps = 0;

  constructor(tree: HtmlTree) {
    this.#tree = tree;
    this.#handles = Array.from({ length: tree.size });
    const pseudos = positionPseudos(tree, () => this.#siblingIndex());
    this.#options = { adapter: this.#adapter(), pseudos };
  }

  /** @throws Error for an invalid selector and for one that takes too many steps. */
  select(selector: string): readonly number[] {
    this.#steps = Math.min(SELECTOR_STEPS_MAX, this.#pageSteps);
    const allowed = this.#steps;
    try {
      return this.#select(selector);
    } finally {
      this.#pageSteps -= allowed - Math.max(this.#steps, 0);
    }
  }

  #select(selector: string): readonly number[] {
    const tree = this.#tree;
    // The index does not cover `:nth-child(… of …)`, so css-select walks over the siblings for it.
    const options = /\sof\s/iu.test(selector) ? { ...this.#options, pseudos: {} } : this.#options;
    const matches = compile<NodeHandle, NodeHandle>(selector, options);
    const found: number[] = [];
    for (let node = 1; node < tree.size; node++) {
      if (tree.tag[node] !== TEXT && matches(this.#handle(node))) found.push(node);
    }
    return found;
  }

  #adapter(): Adapter {
    const tree = this.#tree;
    return {
      isTag: (handle): handle is NodeHandle => this.#isElement(handle.node),
      getAttributeValue: ({ node }, name) => tree.attribute(node, name),
      hasAttrib: ({ node }, name) => tree.attribute(node, name) !== undefined,
      getName: ({ node }) => tree.nameOf(node),
      getParent: ({ node }) => (node === 0 ? null : this.#handle(tree.parent[node] ?? 0)),
      getChildren: ({ node }) => this.#children(node),
      getSiblings: ({ node }) => this.#children(tree.parent[node] ?? 0),
      prevElementSibling: ({ node }) => this.#previous(node),
      getText: ({ node }) => this.#text(node),
      removeSubsets: (nodes) => nodes,
    };
  }

  #handle(node: number): NodeHandle {
    return (this.#handles[node] ??= { node });
  }

  #isElement(node: number): boolean {
    this.#step(1);
    return this.#tree.tag[node] !== TEXT && this.#tree.tag[node] !== DOCUMENT;
  }

  /** Caches the children of the last parent, as callers ask for one sibling after another. */
  #children(node: number): NodeHandle[] {
    if (node === this.#lastParent) return this.#lastChildren;
    const children: NodeHandle[] = [];
    const end = this.#tree.end[node] ?? 0;
    for (let child = node + 1; child < end; child = this.#tree.end[child] ?? end) {
      children.push(this.#handle(child));
    }
    this.#step(children.length);
    this.#lastParent = node;
    this.#lastChildren = children;
    return children;
  }

  #previous(node: number): NodeHandle | null {
    const previous = this.#siblingIndex().previous[node] ?? 0;
    return previous === 0 ? null : this.#handle(previous);
  }

  #siblingIndex(): SiblingIndex {
    return (this.#siblings ??= buildSiblingIndex(this.#tree));
  }

  #text(node: number): string {
    const tree = this.#tree;
    const text = tree.tag[node] === TEXT ? tree.text(node) : tree.textContent(node);
    this.#step((tree.end[node] ?? 0) - node + Math.ceil(text.length / CHARACTERS_PER_STEP));
    return text;
  }

  /** @throws RangeError when the selector has no steps left. */
  #step(count: number): void {
    this.#steps -= count;
    if (this.#steps < 0) throw new RangeError("The selector is too much work for this page.");
  }
}

type Position = (node: number) => number;
type PositionTest = (handle: { readonly node: number }, formula?: string | null) => boolean;

/**
 * Answers the pseudo-classes about an element's position among its siblings from an index. Otherwise
 * css-select would walk over all siblings of every element.
 */
function positionPseudos(tree: HtmlTree, indexOf: () => SiblingIndex): Record<string, PositionTest> {
  const first: Position = (node) => indexOf().position[node] ?? 0;
  const last: Position = (node) => (indexOf().count[tree.parent[node] ?? 0] ?? 0) - first(node) + 1;
  const firstOfType: Position = (node) => indexOf().positionOfType[node] ?? 0;
  const lastOfType: Position = (node) => indexOf().countOfType(node) - firstOfType(node) + 1;
  return {
    "first-child": ({ node }) => first(node) === 1,
    "last-child": ({ node }) => last(node) === 1,
    "only-child": ({ node }) => first(node) === 1 && last(node) === 1,
    "first-of-type": ({ node }) => firstOfType(node) === 1,
    "last-of-type": ({ node }) => lastOfType(node) === 1,
    "only-of-type": ({ node }) => indexOf().countOfType(node) === 1,
    "nth-child": nth(first),
    "nth-last-child": nth(last),
    "nth-of-type": nth(firstOfType),
    "nth-last-of-type": nth(lastOfType),
  };
}

function nth(position: Position): PositionTest {
  const tests = new Map<string, (position: number) => boolean>();
  return function isNth({ node }, formula) {
    const key = formula ?? "";
    const test = tests.get(key) ?? readFormula(key);
    tests.set(key, test);
    return test(position(node));
  };
}

/**
 * Parses `odd`, `even`, `3`, `2n+1` and so on.
 * @throws RangeError when the text is not such a formula.
 */
function readFormula(formula: string): (position: number) => boolean {
  const text = formula
    .trim()
    .toLowerCase()
    .replace(/^odd$/u, "2n+1")
    .replace(/^even$/u, "2n");
  const match = /^(?:([+-]?\d*)n)?\s*(?:([+-]?)\s*(\d+))?$/u.exec(text);
  if (match === null || text === "") throw new RangeError(`Not a position: ${formula}`);
  const [, factor, sign, summand] = match;
  const step = factor === undefined ? 0 : readFactor(factor);
  const offset = Number(summand ?? 0) * (sign === "-" ? -1 : 1);
  if (step === 0) return (position) => position === offset;
  return (position) => (position - offset) % step === 0 && (position - offset) / step >= 0;
}

function readFactor(factor: string): number {
  return /\d/u.test(factor) ? Number(factor) : Number(`${factor}1`);
}

/** Positions of elements among their siblings. Text nodes do not count. */
interface SiblingIndex {
  /** Previous element with the same parent, per node; 0 when there is none. */
  readonly previous: Int32Array;
  /** Position among all element siblings, per node, from 1. */
  readonly position: Int32Array;
  /** Number of element children, per parent. */
  readonly count: Int32Array;
  /** Position among the siblings of the same name, per node, from 1. */
  readonly positionOfType: Int32Array;
  /** Number of siblings of the same name, the node included. */
  countOfType(node: number): number;
}

function buildSiblingIndex(tree: HtmlTree): SiblingIndex {
  const { size } = tree;
  const previous = new Int32Array(size);
  const position = new Int32Array(size);
  const count = new Int32Array(size);
  const positionOfType = new Int32Array(size);
  const last = new Int32Array(size);
  const counts = new Map<number | string, number>();
  for (let node = 0; node < size; node++) {
    if (tree.tag[node] === TEXT || tree.tag[node] === DOCUMENT) continue;
    const parent = tree.parent[node] ?? 0;
    previous[node] = last[parent] ?? 0;
    last[parent] = node;
    position[node] = count[parent] = (count[parent] ?? 0) + 1;
    const type = typeKey(tree, node);
    const ofType = (counts.get(type) ?? 0) + 1;
    positionOfType[node] = ofType;
    counts.set(type, ofType);
  }
  const countOfType = (node: number): number => counts.get(typeKey(tree, node)) ?? 0;
  return { previous, position, count, positionOfType, countOfType };
}

/** Equal for siblings of the same name. */
function typeKey(tree: HtmlTree, node: number): number | string {
  const parent = tree.parent[node] ?? 0;
  const tag = tree.tag[node] ?? UNKNOWN;
  return tag === UNKNOWN ? `${parent} ${tree.nameOf(node)}` : parent * 256 + tag;
}
