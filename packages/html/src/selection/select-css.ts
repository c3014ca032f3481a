import { _compileUnsafe as compile, type Options } from "css-select";

import { positionPseudos } from "./css-position.ts";
import { buildSiblingIndex, type SiblingIndex } from "./sibling-index.ts";
import { DOCUMENT, type HtmlTree, TEXT } from "../parser/tree.ts";

const SELECTOR_LENGTH_MAX = 500;

/** Nodes one selector may look at on the way to others; reached by hostile pages and selectors only. */
const SELECTOR_STEPS_MAX = 20_000_000;
/** The same for all selectors of a page. */
const PAGE_STEPS_MAX = 100_000_000;
/** Text searched counts as one step for so many characters. */
const CHARACTERS_PER_STEP = 32;

/** A node as css-select sees it: it remembers results per object, so there is one object per node. */
interface NodeHandle {
  readonly node: number;
}

type Adapter = NonNullable<Options<NodeHandle, NodeHandle>["adapter"]>;

const matchers = new WeakMap<HtmlTree, CssMatcher>();

/**
 * Elements that match, in document order. A selector that is invalid, longer than 500 characters, or too much work for
 * the page matches nothing.
 */
export function selectCss(tree: HtmlTree, selector: string): readonly number[] {
  return findCss(tree, selector) ?? [];
}

/** The same; undefined where the selector is invalid, too long or too much work. */
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

/** What selectors on the same tree share. */
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
    // The index knows nothing of `:nth-child(… of …)`; css-select's own walk over the siblings does.
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

  /** The children of the last parent are kept: siblings are asked for one after the other. */
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
