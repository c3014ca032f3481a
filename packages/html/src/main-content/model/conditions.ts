import { BATCH, type Rows } from "./rows.ts";

/** Higher than the order of any number. */
const NO_CUT = 0x3fffffff;

/** The cuts of one column. */
interface Column {
  readonly index: number;
  /** Number of its first condition. */
  readonly first: number;
  /** In the order of `orderOf`, filled up to a power of two. */
  readonly cuts: Int32Array;
}

/** All conditions "the number in this column reaches this cut", numbered by column and cut. */
export class Conditions {
  readonly size: number;
  readonly #columns: readonly Column[];

  /** @param counts - cuts of each column; @param cuts - of all columns, ascending within each */
  constructor(counts: Uint8Array, cuts: Float32Array) {
    const orders = new Int32Array(cuts.buffer, cuts.byteOffset, cuts.length).map(orderOf);
    const columns: Column[] = [];
    let first = 0;
    counts.forEach((count, index) => {
      let slots = 1;
      while (slots <= count) slots *= 2;
      const ofColumn = new Int32Array(slots).fill(NO_CUT);
      ofColumn.set(orders.subarray(first, first + count));
      if (count > 0) columns.push({ index, first, cuts: ofColumn });
      first += count;
    });
    this.size = first;
    this.#columns = columns;
  }

  /** By condition: a bit for each row of a batch that meets it. */
  check(rows: Rows): Int32Array {
    const met = new Int32Array(this.size);
    const bits = new Int32Array(rows.values.buffer);
    for (const column of this.#columns) checkColumn(bits, rows.size, column, met);
    return met;
  }
}

/** Marks the highest cut that each number reaches, then passes the marks down to the lower cuts. */
function checkColumn(bits: Int32Array, rows: number, { index, first, cuts }: Column, met: Int32Array): void {
  const from = index * BATCH;
  const half = cuts.length >> 1;
  let before = ~(bits[from] ?? 0);
  let reached = 0;
  let most = 0;
  let marks = 0;
  for (let row = 0; row < rows; row++) {
    const value = bits[from + row] ?? 0;
    // Neighbouring rows often have the same number: it is not looked up again.
    if (value !== before) {
      if (reached > 0) met[first + reached - 1] = (met[first + reached - 1] ?? 0) | marks;
      marks = 0;
      reached = 0;
      const order = orderOf(value);
      // Where a cut is not above the number, the difference's sign is 0 and the step is taken.
      for (let step = half; step > 0; step >>= 1)
        reached += step & ~((order - (cuts[reached + step - 1] ?? 0)) >> 31);
      if (reached > most) most = reached;
      before = value;
    }
    marks |= 1 << row;
  }
  if (reached > 0) met[first + reached - 1] = (met[first + reached - 1] ?? 0) | marks;
  let above = 0;
  for (let at = first + most - 1; at >= first; at--) met[at] = above |= met[at] ?? 0;
}

/** Integers of 31 bits in the same order as the numbers with these bits; neighbouring numbers may share one. */
function orderOf(bits: number): number {
  return (bits ^ ((bits >> 31) & 0x7fffffff)) >> 1;
}
