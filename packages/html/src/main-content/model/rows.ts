import { CONTAINER_NUMBERS, type Containers } from "../tables/containers.ts";

/** Blocks judged together, one bit each in a 32-bit number. */
export const BATCH = 32;

/** Features of a batch of blocks. Rows are written one after another, each from left to right. */
export class Rows {
  /** Values stored column by column, `BATCH` numbers each. */
  readonly values: Float32Array;
  #size = 0;
  #at = 0;

  /** @param ofPage - the last columns, which are the same in all rows */
  constructor(columns: number, ofPage: Float32Array) {
    this.values = new Float32Array(columns * BATCH);
    const first = columns - ofPage.length;
    for (let at = 0; at < ofPage.length; at++)
      this.values.fill(ofPage[at] ?? 0, (first + at) * BATCH, (first + at + 1) * BATCH);
  }

  /** Number of rows begun. */
  get size(): number {
    return this.#size;
  }

  /** Count of numbers written into the last row. */
  get width(): number {
    return this.#at >> 5;
  }

  clear(): void {
    this.#size = 0;
  }

  begin(): void {
    this.#at = this.#size++;
  }

  put(value: number): void {
    this.values[this.#at] = value;
    this.#at += BATCH;
  }

  flag(value: boolean): void {
    this.put(value ? 1 : 0);
  }

  /** Writes a share between 0 and 1; writes 0 when the whole is 0. */
  share(part: number, whole: number): void {
    this.put(whole > 0 ? part / whole : 0);
  }

  /** Writes the numbers of a surrounding element. */
  container(containers: Containers, node: number): void {
    const from = containers.find(node);
    const { numbers } = containers;
    for (let at = 0; at < CONTAINER_NUMBERS; at++) this.put(numbers[from + at] ?? 0);
  }
}
