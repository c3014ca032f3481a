import { ownProperty } from "../../kit/own-property.ts";
import { isJsonObject } from "../../kit/json.ts";

/** What the parts of a page gave, as one value: the first that has a value, lists together, equal things once. */
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

/** Names by which things are told apart, in the order in which they count. */
const IDENTITY = ["id", "sku", "url", "name", "title"];

function withoutEqual(items: readonly unknown[]): readonly unknown[] {
  const byKey = new Map<string, unknown>();
  for (const item of items) {
    const key = keyOf(item);
    byKey.set(key, byKey.has(key) ? merge(byKey.get(key), item) : item);
  }
  return [...byKey.values()];
}

function keyOf(item: unknown): string {
  if (!isJsonObject(item)) return JSON.stringify(item);
  const name = IDENTITY.find((one) => typeof ownProperty(item, one) === "string");
  return name === undefined ? JSON.stringify(item) : `${name}=${String(ownProperty(item, name))}`;
}
