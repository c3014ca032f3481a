import { chunksOf } from "./chunks.ts";
import type { SqlValue, Statements } from "./database.ts";

/** Table with columns, `jobs (kind, priority)`, and the placeholders of one row, `(?, ?)`. */
interface Target {
  readonly into: string;
  readonly row: string;
  /** SQL after the rows, such as `ON CONFLICT …`. */
  readonly ending?: string;
}

const collected = new WeakMap<
  Statements,
  Map<string, { readonly target: Target; rows: (readonly SqlValue[])[] }>
>();

/** Inserts rows together with those of others that share the transaction, at its end or by `insertCollected`. */
export async function insertLater(
  tx: Statements,
  target: Target,
  rows: readonly (readonly SqlValue[])[],
): Promise<void> {
  if (!tx.last) return void (await insertRows(tx, target, rows));
  const targets = collected.get(tx) ?? new Map<string, { target: Target; rows: (readonly SqlValue[])[] }>();
  if (targets.size === 0) tx.last(() => insertCollected(tx));
  const found = targets.get(target.into) ?? { target, rows: [] };
  found.rows.push(...rows);
  collected.set(tx, targets.set(target.into, found));
}

/** Inserts what `insertLater` was given so far. */
export async function insertCollected(tx: Statements): Promise<void> {
  const targets = collected.get(tx);
  collected.delete(tx);
  for (const { target, rows } of targets?.values() ?? []) await insertRows(tx, target, rows);
}

/** Inserts rows in their order, many per statement. @returns the number of inserted rows. */
export async function insertRows(
  tx: Statements,
  target: Target,
  rows: readonly (readonly SqlValue[])[],
): Promise<number> {
  let inserted = 0;
  for (const chunk of chunksOf(rows))
    inserted += await tx.prepared(insertText(target, chunk.length)).run(...chunk.flat());
  return inserted;
}

const texts = new WeakMap<Target, Map<number, string>>();

/** The statement that inserts `count` rows. It is made once, because a long text takes longer than its look-up. */
export function insertText(target: Target, count: number): string {
  const known = texts.get(target) ?? new Map<number, string>();
  texts.set(target, known);
  const { into, row, ending = "" } = target;
  const text =
    known.get(count) ?? `INSERT INTO ${into} VALUES ${Array(count).fill(row).join(", ")} ${ending}`;
  known.set(count, text);
  return text;
}
