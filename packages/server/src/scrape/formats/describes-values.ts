import { isJsonObject } from "@pergamon-dev/kit/json";

/** Keywords that describe the schema itself and not its values. */
const LABELS: ReadonlySet<string> = new Set([
  "$schema",
  "$id",
  "$comment",
  "title",
  "description",
  "default",
]);

/**
 * Returns false for a JSON Schema that names nothing to look for, such as `{"$schema": "…"}`. A missing or
 * empty schema counts as the caller's decision.
 */
export function describesValues(schema: unknown): boolean {
  if (!isJsonObject(schema)) return true;
  const { type, properties, additionalProperties: _open, ...others } = schema;
  if (Object.keys(schema).length === 0) return true;
  if (isJsonObject(properties) && Object.keys(properties).length > 0) return true;
  if (type !== undefined && type !== "object") return true;
  return Object.keys(others).some((keyword) => !LABELS.has(keyword));
}
