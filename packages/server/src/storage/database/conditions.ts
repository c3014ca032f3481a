import type { SqlValue } from "./database.ts";

/** A condition on rows: SQL with placeholders, and the values bound to them. */
export interface Condition {
  readonly sql: string;
  readonly values: readonly SqlValue[];
}

/** @param values bound to the placeholders in order. */
export function condition(sql: string, ...values: readonly SqlValue[]): Condition {
  return { sql, values };
}

/**
 * Joins the defined conditions to a `WHERE` clause that requires all of them. The clause is empty without
 * conditions.
 */
export function whereAll(conditions: readonly (Condition | undefined)[]): Condition {
  const given = conditions.filter((one) => one !== undefined);
  if (given.length === 0) return { sql: "", values: [] };
  return {
    sql: `WHERE ${given.map(({ sql }) => `(${sql})`).join(" AND ")}`,
    values: given.flatMap(({ values }) => values),
  };
}

/**
 * Returns a pattern for `LIKE … ESCAPE '!'` that matches texts containing the text; with `rest` empty, texts
 * ending with it.
 */
export function likePattern(text: string, rest: "%" | "" = "%"): string {
  return `%${text.replaceAll(/[!%_]/g, "!$&")}${rest}`;
}
