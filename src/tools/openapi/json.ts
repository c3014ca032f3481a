/** An object of a document that somebody else has written. */
export type JsonObject = Readonly<Record<string, unknown>>;

export function isObject(value: unknown): value is JsonObject {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** Empty for whatever is not an object. */
export function objectOf(value: unknown): JsonObject {
  return isObject(value) ? value : {};
}

/** Empty for whatever is not a list. */
export function listOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}

/** Undefined for whatever is not text, or an empty one. */
export function textOf(value: unknown): string | undefined {
  return typeof value === "string" && value !== "" ? value : undefined;
}
