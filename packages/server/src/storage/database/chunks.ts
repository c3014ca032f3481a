/** Rows per statement: enough to save round trips to a server, with few different statements. */
const SIZES = [64, 16, 8, 4, 2, 1] as const;

/** Divides rows, in their order, among as few statements as possible. */
export function* chunksOf<Row>(rows: readonly Row[]): Generator<readonly Row[], void> {
  for (let start = 0; start < rows.length;) {
    const count = SIZES.find((size) => size <= rows.length - start) ?? 1;
    yield rows.slice(start, start + count);
    start += count;
  }
}
