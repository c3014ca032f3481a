import { NESTED } from "../model/marks.ts";

interface OpenList {
  readonly id: string;
  /** Of its first level, within the lists that are open. */
  readonly depth: number;
  /** Of its open levels, in twentieths of a point. */
  readonly indents: number[];
}

/** Smaller differences are none that a reader sees. */
const LEAST_STEP = 100;

/** Lists with a numbering each, as styles such as List Bullet 2 have, are within each other by how they are indented. */
export class WordLists {
  /** From the outermost. */
  #open: OpenList[] = [];

  /** Text without a number parts lists. */
  end(): void {
    this.#open = [];
  }

  /** The marks of a paragraph of a list: how deep in other lists the list is that begins or goes on here. */
  marksOf(id: string, level: number, indent: number): string {
    const before = this.#open.at(-1)?.id;
    const known = this.#open.find((list) => list.id === id);
    const list = known ?? this.#begin(id, level, indent);
    this.#open.length = this.#open.indexOf(list) + 1;
    list.indents.length = level;
    list.indents[level] = indent;
    const isApart = before === id || level > 0 || (!known && list.depth === 0);
    return isApart ? "" : NESTED.repeat(list.depth + 1);
  }

  #begin(id: string, level: number, indent: number): OpenList {
    let around = this.#open.at(-1);
    while (around && (around.indents.at(-1) ?? Infinity) + LEAST_STEP > indent) {
      around.indents.pop();
      if (around.indents.length === 0) this.#open.pop();
      around = this.#open.at(-1);
    }
    // A level says for itself how deep it is.
    const depth = around && level === 0 ? around.depth + around.indents.length : 0;
    const begun = { id, depth, indents: [] };
    this.#open.push(begun);
    return begun;
  }
}
