import { DOCUMENT, type HtmlTree, TEXT } from "../parser/tree.ts";

const PLAIN = /^[a-zA-Z][\w-]{0,60}$/;
const MAX_STEPS = 60;

const uniqueIds = new WeakMap<HtmlTree, ReadonlyMap<string, number>>();

/** A selector that matches this element alone: steps by position from the nearest element with an id of its own. */
export function cssPath(tree: HtmlTree, element: number): string {
  const steps: string[] = [];
  for (let node = element; node > 0 && steps.length < MAX_STEPS; node = tree.parent[node] ?? 0) {
    const id = tree.attribute(node, "id") ?? "";
    if (PLAIN.test(id) && idsOf(tree).get(id) === 1) {
      steps.unshift(`#${id}`);
      break;
    }
    steps.unshift(stepTo(tree, node));
  }
  return steps.join(" > ");
}

/** The element that holds a text; an element itself. */
export function elementAt(tree: HtmlTree, node: number): number {
  return tree.tag[node] === TEXT ? (tree.parent[node] ?? 0) : node;
}

function idsOf(tree: HtmlTree): ReadonlyMap<string, number> {
  const known = uniqueIds.get(tree);
  if (known) return known;
  const counts = new Map<string, number>();
  for (let node = 1; node < tree.size; node++) {
    const id = tree.tag[node] === TEXT ? undefined : tree.attribute(node, "id");
    if (id !== undefined) counts.set(id, (counts.get(id) ?? 0) + 1);
  }
  uniqueIds.set(tree, counts);
  return counts;
}

function stepTo(tree: HtmlTree, node: number): string {
  const parent = tree.parent[node] ?? 0;
  const name = tree.nameOf(node);
  let [position, count] = [0, 0];
  for (let child = parent + 1; child < (tree.end[parent] ?? 0); child = tree.end[child] ?? tree.size) {
    if (tree.tag[child] === TEXT || tree.tag[child] === DOCUMENT || tree.nameOf(child) !== name) continue;
    count++;
    if (child <= node) position++;
  }
  return count > 1 ? `${name}:nth-of-type(${position})` : name;
}
