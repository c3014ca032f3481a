import { isJsonObject } from "@pergamon-dev/kit/json";

/** Keywords that say something about a schema and nothing about values. */
const LABELS: ReadonlySet<string> = new Set([
  "$schema",
  "$id",
  "$comment",
  "title",
  "description",
  "default",
]);

/**
 * False for a JSON Schema that names nothing to look for, such as `{"$schema": "…"}`. No schema at all, or an empty one,
 * is a decision of the caller.
 */
export function describesValues(schema: unknown): boolean {
  if (!isJsonObject(schema)) return true;
  const { type, properties, additionalProperties: _open, ...others } = schema;
  if (Object.keys(schema).length === 0) return true;
  if (isJsonObject(properties) && Object.keys(properties).length > 0) return true;
  if (type !== undefined && type !== "object") return true;
  return Object.keys(others).some((keyword) => !LABELS.has(keyword));
}
