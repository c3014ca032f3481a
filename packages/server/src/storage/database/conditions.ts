import type { SqlValue } from "./database.ts";

/** What rows have to fulfil: SQL with placeholders, and what is bound to them. */
export interface Condition {
  readonly sql: string;
  readonly values: readonly SqlValue[];
}

/** A condition whose placeholders are bound to these values, in order. */
export function condition(sql: string, ...values: readonly SqlValue[]): Condition {
  return { sql, values };
}

/** The `WHERE` of those conditions that are there: all of them. Nothing where none is. */
export function whereAll(conditions: readonly (Condition | undefined)[]): Condition {
  const given = conditions.filter((one) => one !== undefined);
  if (given.length === 0) return { sql: "", values: [] };
  return {
    sql: `WHERE ${given.map(({ sql }) => `(${sql})`).join(" AND ")}`,
    values: given.flatMap(({ values }) => values),
  };
}

/** A pattern for `LIKE … ESCAPE '!'`: what contains the text, or with another `rest` ends with it. */
export function likePattern(text: string, rest: "%" | "" = "%"): string {
  return `%${text.replaceAll(/[!%_]/g, "!$&")}${rest}`;
}
