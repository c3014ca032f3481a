import { ownProperty } from "@pergamon-dev/kit/own-property";
import { isJsonObject } from "@pergamon-dev/kit/json";

/**
 * Merges values from parts of a page: the first single value wins, lists are concatenated, equal things are
 * joined.
 */
export function mergeValues(values: readonly unknown[]): unknown {
  return values.reduce<unknown>((one, other) => merge(one, other), undefined);
}

function merge(one: unknown, other: unknown): unknown {
  if (one === undefined || one === null) return other;
  if (Array.isArray(one) && Array.isArray(other))
    return withoutEqual([...(one as unknown[]), ...(other as unknown[])]);
  if (!isJsonObject(one) || !isJsonObject(other)) return one;
  const names = [...new Set([...Object.keys(one), ...Object.keys(other)])];
  return Object.fromEntries(
    names.map((name) => [name, merge(ownProperty(one, name), ownProperty(other, name))]),
  );
}

/** Identifying property names, most important first; `isExact` compares case and spaces too. */
const IDENTITY = [
  { name: "id", isExact: true },
  { name: "sku", isExact: true },
  { name: "url", isExact: true },
  { name: "name", isExact: false },
  { name: "title", isExact: false },
] as const;

function withoutEqual(items: readonly unknown[]): readonly unknown[] {
  const byKey = new Map<string, unknown>();
  for (const item of items) {
    const key = identityKey(item);
    byKey.set(key, byKey.has(key) ? merge(byKey.get(key), item) : item);
  }
  return [...byKey.values()];
}

/** Equal for two descriptions of the same thing, and for two equal values. */
export function identityKey(item: unknown): string {
  if (!isJsonObject(item)) return spellingOf(item);
  const identity = IDENTITY.find(({ name }) => typeof ownProperty(item, name) === "string");
  if (!identity) return JSON.stringify(item);
  const text = String(ownProperty(item, identity.name));
  return `${identity.name}=${identity.isExact ? text : spellingOf(text)}`;
}

/** Equal for values that differ only in white space and case. */
export function spellingOf(value: unknown): string {
  if (typeof value !== "string") return JSON.stringify(value) ?? "";
  return JSON.stringify(value.normalize("NFKC").replace(/\s+/g, " ").trim().toLowerCase());
}
