/** An object as JSON has it. Its names come from others: they are looked up with `ownProperty`. */
export type JsonObject = Readonly<Record<string, unknown>>;

export function isJsonObject(value: unknown): value is JsonObject {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** Empty for everything that is not an object. */
export function objectOf(value: unknown): JsonObject {
  return isJsonObject(value) ? value : {};
}

/** Empty for everything that is not a list. */
export function listOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}

/** A list as it is, anything else but nothing as a list of one. */
export function listOrOne(value: unknown): readonly unknown[] {
  return value === undefined || value === null || Array.isArray(value) ? listOf(value) : [value];
}

/** Undefined for everything that is not a text, and for an empty one. */
export function textOf(value: unknown): string | undefined {
  return typeof value === "string" && value !== "" ? value : undefined;
}
