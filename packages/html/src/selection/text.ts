import { type HtmlTree, TEXT } from "../parser/tree.ts";

/** Whether a node is or holds text other than white space. */
export function holdsText(tree: HtmlTree, node: number): boolean {
  const end = tree.end[node] ?? 0;
  for (let inner = node; inner < end; inner++) {
    if (tree.tag[inner] === TEXT && !tree.isBlank(inner) && /\S/u.test(tree.text(inner))) return true;
  }
  return false;
}
