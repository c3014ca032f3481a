import { chunksOf } from "./chunks.ts";
import type { SqlValue, Statements } from "./database.ts";

/** Table with columns, `jobs (kind, priority)`, and the placeholders of one row, `(?, ?)`. */
interface Target {
  readonly into: string;
  readonly row: string;
  /** SQL after the rows, such as `ON CONFLICT …`. */
  readonly ending?: string;
  /** Columns, by number, in which rows differ that are otherwise alike. Those of the others are then bound once. */
  readonly differing?: readonly number[];
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
  for (const chunk of chunksOf(rows)) {
    const { sql, values } = insertionOf(target, chunk);
    inserted += await tx.prepared(sql).run(...values);
  }
  return inserted;
}

/** The statement that inserts the rows, and its values. What they have in common is bound once, as far as the target says. */
export function insertionOf(
  target: Target,
  rows: readonly (readonly SqlValue[])[],
): { readonly sql: string; readonly values: readonly SqlValue[] } {
  const { differing = [] } = target;
  const [first = [], ...others] = rows;
  const isLike = (row: readonly SqlValue[]) =>
    row.every((value, at) => value === first[at] || differing.includes(at));
  const areAlike = differing.length > 0 && others.length > 0 && others.every(isLike);
  if (!areAlike) return { sql: textOf(target, rows.length, false), values: rows.flat() };
  const values = [...first];
  for (const row of others) for (const at of differing) values.push(row[at] ?? null);
  return { sql: textOf(target, rows.length, true), values };
}

const texts = new WeakMap<Target, Map<number, string>>();

/** It is made once, because a long text takes longer than its look-up. */
function textOf(target: Target, count: number, areAlike: boolean): string {
  const known = texts.get(target) ?? new Map<number, string>();
  const name = areAlike ? -count : count;
  const text = known.get(name) ?? written(target, count, areAlike);
  texts.set(target, known.set(name, text));
  return text;
}

function written({ into, row, ending = "", differing = [] }: Target, count: number, areAlike: boolean) {
  let last = row.split("?").length - 1;
  const numbered = (number: number) => {
    let at = -1;
    return row.replaceAll("?", () => {
      at += 1;
      return `?${number > 0 && differing.includes(at) ? (last += 1) : at + 1}`;
    });
  };
  const rows = Array.from({ length: count }, (_row, number) => (areAlike ? numbered(number) : row));
  return `INSERT INTO ${into} VALUES ${rows.join(", ")} ${ending}`;
}
