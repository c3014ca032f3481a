import type { SqlValue } from "./database.ts";

/**
 * Texts of pages can contain the character U+0000. Postgres cannot store it, and SQLite ends a text there.
 * Both store U+FFFD instead, as HTML does.
 */
export function withoutNull<Value extends SqlValue>(value: Value): Value | string {
  return typeof value === "string" && value.includes("\0") ? value.replaceAll("\0", "\uFFFD") : value;
}
