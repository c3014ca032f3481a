import type { HtmlTree } from "../../parser/tree.ts";
import type { Repetition } from "./repetition.ts";
import { below, type Sums } from "./sums.ts";

/** Numbers stored per container. */
export const CONTAINER_NUMBERS = 10;

/** Numbers about the content of the elements around the blocks, computed once per element on first use. */
export class Containers {
  readonly #tree: HtmlTree;
  readonly #sums: Sums;
  readonly #repetition: Repetition;
  /** By node: offset of its numbers plus one; 0 while they are not computed. */
  readonly #begins: Int32Array;
  #numbers = new Float32Array(CONTAINER_NUMBERS * 256);
  #used = 0;

  constructor(tree: HtmlTree, sums: Sums, repetition: Repetition) {
    this.#tree = tree;
    this.#sums = sums;
    this.#repetition = repetition;
    this.#begins = new Int32Array(tree.size);
  }

  /** Numbers of all elements asked for so far. */
  get numbers(): Float32Array {
    return this.#numbers;
  }

  /** Returns the offset of an element's numbers. */
  find(node: number): number {
    const begin = this.#begins[node] ?? 0;
    return begin > 0 ? begin - 1 : this.#describe(node);
  }

  #describe(node: number): number {
    const tree = this.#tree;
    const sums = this.#sums;
    const chars = below(tree, sums.chars, node);
    const blocks = below(tree, sums.blocks, node);
    const from = this.#used;
    this.#begins[node] = from + 1;
    this.#add(chars);
    this.#add(share(below(tree, sums.linkChars, node), chars));
    this.#add(share(below(tree, sums.proseChars, node), chars));
    this.#add(blocks);
    this.#add(share(chars, sums.chars.at(-1) ?? 0));
    this.#add(this.#repetition.siblings[node] ?? 0);
    this.#add(below(tree, sums.images, node));
    this.#add(Math.min(20, below(tree, sums.inputs, node)));
    this.#add(share(below(tree, sums.headings, node), blocks));
    this.#add(share(below(tree, sums.odds, node), blocks));
    return from;
  }

  #add(value: number): void {
    if (this.#used === this.#numbers.length) {
      const larger = new Float32Array(this.#used * 2);
      larger.set(this.#numbers);
      this.#numbers = larger;
    }
    this.#numbers[this.#used++] = value;
  }
}

function share(part: number, whole: number): number {
  return whole > 0 ? part / whole : 0;
}
