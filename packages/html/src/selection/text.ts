import { type HtmlTree, TEXT } from "../parser/tree.ts";

/** Whether a node is or holds text other than white space. */
export function holdsText(tree: HtmlTree, node: number): boolean {
  const end = tree.end[node] ?? 0;
  for (let inner = node; inner < end; inner++) {
    if (tree.tag[inner] === TEXT && !tree.isBlank(inner) && /\S/u.test(tree.text(inner))) return true;
  }
  return false;
}

/** The sibling before a node, white space passed over; -1 for none. */
export function nodeBefore(tree: HtmlTree, node: number): number {
  const parent = tree.parent[node] ?? -1;
  let previous = node - 1;
  if (tree.tag[previous] === TEXT && tree.isBlank(previous)) previous--;
  if (previous <= parent) return -1;
  while (tree.parent[previous] !== parent) previous = tree.parent[previous] ?? parent;
  return previous;
}
