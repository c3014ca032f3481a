import { chunksOf } from "./chunks.ts";
import type { SqlValue, Statements } from "./database.ts";

/** Where rows go: `jobs (kind, priority)` and the placeholders of one, `(?, ?)`. */
interface Target {
  readonly into: string;
  readonly row: string;
  /** What follows the rows: `ON CONFLICT …`, say. */
  readonly ending?: string;
}

/** Inserts rows in their order, many with each statement. @returns how many were inserted. */
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
