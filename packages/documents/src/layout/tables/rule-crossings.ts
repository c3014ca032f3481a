import type { HorizontalRule, Rules, VerticalRule } from "./rulings.ts";

/** In points. A rule may end this far before the one it meets. */
const REACH = 3;

/** Rules connected with each other, directly or through others. */
export type Crossing = Rules;

export function crossings({ horizontal, vertical }: Rules): Crossing[] {
  const groups = new DisjointSets(horizontal.length + vertical.length);
  const fromLeft = vertical.map((rule, at) => ({ rule, at })).sort((a, b) => a.rule.x - b.rule.x);
  horizontal.forEach((rule, at) => {
    for (const other of fromLeft) {
      if (other.rule.x > rule.x1 + REACH) break;
      if (meets(rule, other.rule)) groups.join(at, horizontal.length + other.at);
    }
  });
  const byGroup = new Map<number, { horizontal: HorizontalRule[]; vertical: VerticalRule[] }>();
  const groupAt = (at: number) => {
    const root = groups.find(at);
    const group = byGroup.get(root) ?? { horizontal: [], vertical: [] };
    byGroup.set(root, group);
    return group;
  };
  horizontal.forEach((rule, at) => groupAt(at).horizontal.push(rule));
  vertical.forEach((rule, at) => groupAt(horizontal.length + at).vertical.push(rule));
  return [...byGroup.values()];
}

function meets({ x0, x1, y }: HorizontalRule, { x, y0, y1 }: VerticalRule): boolean {
  return x >= x0 - REACH && x <= x1 + REACH && y >= y0 - REACH && y <= y1 + REACH;
}

class DisjointSets {
  readonly #parents: Int32Array;

  constructor(size: number) {
    this.#parents = Int32Array.from({ length: size }, (_none, at) => at);
  }

  find(at: number): number {
    let root = at;
    while (this.#parents[root] !== root) root = this.#parents[root] ?? root;
    for (let next = at; next !== root;) {
      const parent = this.#parents[next] ?? root;
      this.#parents[next] = root;
      next = parent;
    }
    return root;
  }

  join(a: number, b: number): void {
    this.#parents[this.find(a)] = this.find(b);
  }
}
