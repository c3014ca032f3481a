import type { SqlValue, Statements } from "./database.ts";

/** Rows of one statement: as many as make the way to a server short, and few enough different statements. */
const ROWS_AT_ONCE = 64;

/** Where rows go: `jobs (kind, priority)` and the placeholders of one, `(?, ?)`. */
interface Target {
  readonly into: string;
  readonly row: string;
  /** What follows the rows: `ON CONFLICT …`, say. */
  readonly ending?: string;
}

/** Inserts rows in their order, many with each statement. @returns how many were inserted. */
export async function insertRows(
  inside: Statements,
  { into, row, ending = "" }: Target,
  rows: readonly (readonly SqlValue[])[],
): Promise<number> {
  let inserted = 0;
  for (let start = 0; start < rows.length;) {
    const count = rows.length - start >= ROWS_AT_ONCE ? ROWS_AT_ONCE : 1;
    const placeholders = Array.from({ length: count }, () => row).join(", ");
    const values = rows.slice(start, start + count).flat();
    inserted += await inside.prepared(`INSERT INTO ${into} VALUES ${placeholders} ${ending}`).run(...values);
    start += count;
  }
  return inserted;
}
