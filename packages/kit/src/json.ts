/** An object parsed from JSON. Others choose its names, so look them up with `ownProperty`. */
export type JsonObject = Readonly<Record<string, unknown>>;

export function isJsonObject(value: unknown): value is JsonObject {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** Returns an empty object for any other value. */
export function objectOf(value: unknown): JsonObject {
  return isJsonObject(value) ? value : {};
}

/** Returns an empty list for any other value. */
export function listOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}

/** Returns a list unchanged, and any other defined value as a list of one. */
export function listOrOne(value: unknown): readonly unknown[] {
  return value === undefined || value === null || Array.isArray(value) ? listOf(value) : [value];
}

/** Undefined for an empty text, and for any other value. */
export function textOf(value: unknown): string | undefined {
  return typeof value === "string" && value !== "" ? value : undefined;
}
