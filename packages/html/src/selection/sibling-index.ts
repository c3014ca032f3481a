import { DOCUMENT, type HtmlTree, TEXT, UNKNOWN } from "../parser/tree.ts";

/** Where the elements of a tree stand among their siblings. Text counts for nothing. */
export interface SiblingIndex {
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

export function buildSiblingIndex(tree: HtmlTree): SiblingIndex {
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

/** The same for siblings of the same name. */
function typeKey(tree: HtmlTree, node: number): number | string {
  const parent = tree.parent[node] ?? 0;
  const tag = tree.tag[node] ?? UNKNOWN;
  return tag === UNKNOWN ? `${parent} ${tree.nameOf(node)}` : parent * 256 + tag;
}
