import { tagSet } from "@pergamon-dev/html/parser/tag-traits";
import { type HtmlTree, TEXT, tagId } from "@pergamon-dev/html/parser/tree";

const ANCHOR = tagId("a");
const CARDS = tagSet("div section a figure li article");
/** Fewer similar elements are not a series. */
const FEWEST = 3;
const MAX_NODES = 200;
const MAX_LEVELS = 5;

/**
 * Neighbouring elements with the same structure that each link to a different page: cards, whatever their
 * markup.
 */
export class Series {
  readonly #tree: HtmlTree;
  readonly #byParent = new Map<number, ReadonlySet<number>>();

  constructor(tree: HtmlTree) {
    this.#tree = tree;
  }

  has(node: number): boolean {
    if (node < 0 || CARDS[this.#tree.tag[node] ?? 0] !== 1) return false;
    const parent = this.#tree.parent[node] ?? 0;
    const known = this.#byParent.get(parent);
    const cards = known ?? this.#cardsIn(parent);
    if (!known) this.#byParent.set(parent, cards);
    return cards.has(node);
  }

  /** True if the node is inside one of them. */
  holds(node: number): boolean {
    for (let at = node, level = 0; at > 0 && level < MAX_LEVELS; level++, at = this.#tree.parent[at] ?? 0)
      if (this.has(at)) return true;
    return false;
  }

  #cardsIn(parent: number): ReadonlySet<number> {
    const tree = this.#tree;
    const byLook = new Map<string, Map<string, number>>();
    const end = tree.end[parent] ?? 0;
    for (let child = parent + 1; child < end; child = tree.end[child] ?? end) {
      const address = CARDS[tree.tag[child] ?? 0] === 1 ? addressIn(tree, child) : undefined;
      if (address === undefined) continue;
      const [name = ""] = (tree.attribute(child, "class") ?? "").trim().split(/\s+/);
      const look = `${tree.nameOf(child)}.${name}`;
      byLook.set(look, (byLook.get(look) ?? new Map<string, number>()).set(address, child));
    }
    return new Set([...byLook.values()].flatMap((alike) => (alike.size < FEWEST ? [] : [...alike.values()])));
  }
}

/** Target of the first link in an element, if no words precede it. */
function addressIn(tree: HtmlTree, node: number): string | undefined {
  for (let inner = node; inner < Math.min(tree.end[node] ?? 0, node + MAX_NODES); inner++) {
    if (tree.tag[inner] === ANCHOR) return tree.attribute(inner, "href");
    if (tree.tag[inner] === TEXT && !tree.isBlank(inner)) return undefined;
  }
  return undefined;
}
