import { RAW_TEXT, tagSet } from "../parser/tag-traits.ts";
import { type HtmlTree, TEXT, tagId } from "../parser/tree.ts";

/**
 * The used part of a tree: subtrees in output order, without the skipped nodes. Narrowing builds a new
 * selection and never copies the tree.
 */
export interface Selection {
  readonly tree: HtmlTree;
  /** In output order. No root lies inside another. */
  readonly roots: readonly number[];
  /** By node: 1 when the node is left out together with its subtree. */
  readonly skipped: Uint8Array;
}

const NOT_CONTENT = tagSet("head meta noscript style script template link base title");
const PAGE_FRAME = tagSet("#document html head body");
const IMG = tagId("img");
const TEMPLATE = tagId("template");
const TITLE = tagId("title");

/**
 * Selects the whole page without head, scripts, styles and metadata. The template of a shadow root is content
 * and stays.
 */
export function selectAll(tree: HtmlTree): Selection {
  const skipped = new Uint8Array(tree.size);
  for (let node = 0; node < tree.size; node++) {
    if (NOT_CONTENT[tree.tag[node] ?? 0] === 1 && !isContent(tree, node)) skipped[node] = 1;
  }
  return { tree, roots: [0], skipped };
}

/** Returns the selection without some nodes and their subtrees. */
export function without(selection: Selection, nodes: Iterable<number>): Selection {
  const skipped = selection.skipped.slice();
  for (const node of nodes) skipped[node] = 1;
  return withSkipped(selection, skipped);
}

/**
 * Returns the selection with other nodes left out. Object spread would give V8 another shape and make it
 * recompile the code that uses selections.
 */
export function withSkipped({ tree, roots }: Selection, skipped: Uint8Array): Selection {
  return { tree, roots, skipped };
}

/** Adds to a selection those of `nodes` that `other`, a selection of the same tree, shows. */
export function withAlso(selection: Selection, other: Selection, nodes: readonly number[]): Selection {
  const { tree } = selection;
  const skipped = selection.skipped.slice();
  const roots = [...selection.roots];
  for (const node of nodes) {
    if (!isKeptBy(other, node)) continue;
    const root = roots.find((one) => node >= one && node < (tree.end[one] ?? 0));
    if (root === undefined) insertRoot(roots, node);
    else showAlone({ tree, roots, skipped }, root, node);
    skipped.set(other.skipped.subarray(node, tree.end[node] ?? node), node);
  }
  return { tree, roots, skipped };
}

/** Whether a selection shows as much of an element as another selection of the same tree. */
export function showsSame(selection: Selection, other: Selection, node: number): boolean {
  if (!isKeptBy(other, node)) return true;
  if (!isKeptBy(selection, node)) return false;
  const end = selection.tree.end[node] ?? node;
  for (let inner = node; inner < end; inner++)
    if (selection.skipped[inner] !== other.skipped[inner]) return false;
  return true;
}

/** Inserts the node before the first root that comes later in the document, as roots may be in any order. */
function insertRoot(roots: number[], node: number): void {
  const at = roots.findIndex((root) => root > node);
  roots.splice(at < 0 ? roots.length : at, 0, node);
}

function isKeptBy({ tree, roots, skipped }: Selection, node: number): boolean {
  let isInside = false;
  for (let at = node; at >= 0; at = tree.parent[at] ?? -1) {
    if (skipped[at] === 1) return false;
    isInside ||= roots.includes(at);
  }
  return isInside;
}

/** Shows a node below a root without the other content of left-out elements around it. */
function showAlone(
  { tree, skipped }: Selection & { readonly skipped: Uint8Array },
  root: number,
  node: number,
): void {
  let outermost = -1;
  for (let at = node; at >= root; at = tree.parent[at] ?? -1) if (skipped[at] === 1) outermost = at;
  if (outermost < 0) return;
  for (let at = node; at >= outermost; at = tree.parent[at] ?? -1) {
    skipped[at] = 0;
    if (at === outermost) break;
    const parent = tree.parent[at] ?? 0;
    const end = tree.end[parent] ?? 0;
    for (let child = parent + 1; child < end; child = tree.end[child] ?? end)
      if (child !== at) skipped[child] = 1;
  }
}

/**
 * Returns the part of the selection inside some nodes, in the order given. Of nested nodes, the outermost
 * counts. A node around the current roots stands for those roots. Nodes outside the selection are ignored.
 */
export function only(selection: Selection, roots: readonly number[]): Selection {
  const isKept = new Uint8Array(selection.tree.size);
  findKept(selection, mark, isKept);
  const isRoot = new Uint8Array(selection.tree.size);
  for (const root of selection.roots) isRoot[root] = isKept[root] ?? 0;
  const inside = roots.flatMap((root) =>
    isKept[root] === 1 ? [root] : rootsInside(selection, isRoot, root),
  );
  const outermost = outermostOf(selection.tree, inside);
  const { tree, skipped } = selection;
  return { tree, roots: [...new Set(inside)].filter((root) => outermost.has(root)), skipped };
}

/** Visits the kept nodes in output order. */
export function visitKept(selection: Selection, visit: (node: number) => void): void {
  findKept(selection, callAt, visit);
}

function callAt(node: number, _tree: HtmlTree, visit: (node: number) => void): boolean {
  visit(node);
  return false;
}

function mark(node: number, _tree: HtmlTree, marks: Uint8Array): boolean {
  marks[node] = 1;
  return false;
}

/**
 * The first kept node in output order that matches; -1 when none does.
 * @param target - passed to `matches`, so that one function can serve all pages and stay compiled
 */
function findKept<Target>(
  { tree, roots, skipped }: Selection,
  matches: (node: number, tree: HtmlTree, target: Target) => boolean,
  target: Target,
): number {
  for (const root of roots) {
    const end = tree.end[root] ?? 0;
    let node = root;
    while (node < end) {
      if (skipped[node] === 1) node = tree.end[node] ?? end;
      else if (matches(node, tree, target)) return node;
      else node++;
    }
  }
  return -1;
}

/** Yields the kept nodes in output order. Ten times slower than `visitKept`. */
export function* keptNodes(selection: Selection): Generator<number, void> {
  const { tree, skipped } = selection;
  for (const root of selection.roots) {
    const end = tree.end[root] ?? 0;
    let node = root;
    while (node < end) {
      if (skipped[node] === 1) {
        node = tree.end[node] ?? end;
        continue;
      }
      yield node;
      node++;
    }
  }
}

/** Whether the selection shows nothing: no text but white space, and no image. */
export function isEmpty(selection: Selection): boolean {
  return findKept(selection, isShown, undefined) < 0;
}

function isShown(node: number, tree: HtmlTree): boolean {
  if (tree.tag[node] === IMG) return true;
  if (tree.tag[node] !== TEXT || tree.isBlank(node)) return false;
  return RAW_TEXT[tree.tag[tree.parent[node] ?? 0] ?? 0] === 0 && /\S/u.test(tree.text(node));
}

/**
 * Whether an element that is usually not content is content here: the title of a drawing, the template of a
 * shadow root.
 */
function isContent(tree: HtmlTree, node: number): boolean {
  const tag = tree.tag[node];
  if (tag === TITLE) return PAGE_FRAME[tree.tag[tree.parent[node] ?? 0] ?? 0] === 0;
  return tag === TEMPLATE && tree.attribute(node, "shadowrootmode") !== undefined;
}

function rootsInside({ tree }: Selection, isRoot: Uint8Array, node: number): readonly number[] {
  const end = tree.end[node] ?? 0;
  const inside: number[] = [];
  for (let root = isRoot.indexOf(1, node); root >= 0 && root < end; root = isRoot.indexOf(1, root + 1)) {
    inside.push(root);
  }
  return inside;
}

function outermostOf(tree: HtmlTree, nodes: readonly number[]): ReadonlySet<number> {
  const outermost = new Set<number>();
  let coveredTo = 0;
  for (const node of Int32Array.from(nodes).sort()) {
    if (node < coveredTo) continue;
    outermost.add(node);
    coveredTo = tree.end[node] ?? 0;
  }
  return outermost;
}
