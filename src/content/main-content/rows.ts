import { CONTAINER_NUMBERS, type Containers } from "./containers.ts";

/** The numbers that describe some blocks, row by row. Written from left to right. */
export class Rows {
  /** Row-major; unused columns of a row are 0. */
  readonly values: Float32Array;
  #at = 0;

  constructor(rows: number, columns: number) {
    this.values = new Float32Array(rows * columns);
  }

  /** Where the next number goes. */
  get position(): number {
    return this.#at;
  }

  /** Begins again with the first row. */
  rewind(): void {
    this.#at = 0;
  }

  put(value: number): void {
    this.values[this.#at++] = value;
  }

  flag(value: boolean): void {
    this.values[this.#at++] = value ? 1 : 0;
  }

  /** A share between 0 and 1; 0 of nothing. */
  share(part: number, whole: number): void {
    this.values[this.#at++] = whole > 0 ? part / whole : 0;
  }

  /** The numbers of an element around. */
  container(containers: Containers, node: number): void {
    containers.copy(node, this.values, this.#at);
    this.#at += CONTAINER_NUMBERS;
  }

  all(values: ArrayLike<number>): void {
    this.values.set(values, this.#at);
    this.#at += values.length;
  }
}
