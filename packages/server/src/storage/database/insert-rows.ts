import { chunksOf } from "./chunks.ts";
import type { SqlValue, Statements } from "./database.ts";

/** Table with columns, `jobs (kind, priority)`, and the placeholders of one row, `(?, ?)`. */
interface Target {
  readonly into: string;
  readonly row: string;
  /** SQL after the rows, such as `ON CONFLICT …`. */
  readonly ending?: string;
}

/** Inserts rows in their order, many per statement. @returns the number of inserted rows. */
export async function insertRows(
  tx: Statements,
  { into, row, ending = "" }: Target,
  rows: readonly (readonly SqlValue[])[],
): Promise<number> {
  let inserted = 0;
  for (const chunk of chunksOf(rows)) {
    const placeholders = chunk.map(() => row).join(", ");
    inserted += await tx
      .prepared(`INSERT INTO ${into} VALUES ${placeholders} ${ending}`)
      .run(...chunk.flat());
  }
  return inserted;
}
