import type { Statements } from "./database.ts";

/**
 * Takes the next numbers of a sequence, from 1 on. The row stays locked until the transaction ends, so
 * numbers become visible in order: a reader that has read up to a number never finds a smaller one later.
 * @returns the last number taken.
 */
export async function nextOfSequence(tx: Statements, name: string, count: number): Promise<number> {
  const row = await tx
    .prepared<{ value: number }>(
      `INSERT INTO sequences (name, value) VALUES (?, ?)
       ON CONFLICT (name) DO UPDATE SET value = sequences.value + excluded.value RETURNING value`,
    )
    .get(name, count);
  if (!row) throw new Error(`The sequence ${name} has no next number.`);
  return row.value;
}

/** @returns the last number taken; 0 when there is none. */
export async function lastOfSequence(statements: Statements, name: string): Promise<number> {
  const row = await statements
    .prepared<{ value: number }>("SELECT value FROM sequences WHERE name = ?")
    .get(name);
  return row?.value ?? 0;
}
