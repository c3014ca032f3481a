import { type HtmlTree, TEXT } from "./tree.ts";

/** The class attributes of a page, each read once. */
interface Classes {
  /** By node: the number of its class attribute; 0 without one. */
  readonly of: Int32Array;
  /** By number; the first is "". */
  readonly names: readonly string[];
}

const known = new WeakMap<HtmlTree, Classes>();

export function classesOf(tree: HtmlTree): Classes {
  let classes = known.get(tree);
  if (!classes) known.set(tree, (classes = readClasses(tree)));
  return classes;
}

function readClasses(tree: HtmlTree): Classes {
  const of = new Int32Array(tree.size);
  const names = [""];
  const numbers = new Map([["", 0]]);
  for (let node = 1; node < tree.size; node++) {
    const name = tree.tag[node] === TEXT ? undefined : tree.attribute(node, "class");
    if (name === undefined) continue;
    let number = numbers.get(name);
    if (number === undefined) {
      numbers.set(name, (number = names.length));
      names.push(name);
    }
    of[node] = number;
  }
  return { of, names };
}
