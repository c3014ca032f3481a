import { isJsonObject, type JsonObject } from "@pergamon-dev/kit/json";

interface WalkLimits {
  /** Maximum objects and lists visited. */
  readonly most: number;
  /** Maximum nesting of objects and lists. */
  readonly deepest: number;
}

/**
 * Visits the objects inside values, outer ones first, without recursion. `path` has the property names that
 * lead to an object. Objects beyond the limits are skipped.
 */
export function visitObjects(
  roots: readonly unknown[],
  { most, deepest }: WalkLimits,
  visit: (object: JsonObject, path: readonly string[]) => void,
): void {
  const open: (readonly [value: unknown, path: readonly string[], depth: number])[] = [];
  for (const root of roots.toReversed()) open.push([root, [], 0]);
  for (let left = most, next = open.pop(); next !== undefined && left > 0; left--, next = open.pop()) {
    const [value, path, depth] = next;
    if (typeof value !== "object" || value === null) continue;
    if (isJsonObject(value)) visit(value, path);
    if (depth >= deepest) continue;
    for (const [name, inner] of entriesOf(value, left).reverse()) {
      if (typeof inner !== "object" || inner === null) continue;
      open.push([inner, name === "" ? path : [...path, name], depth + 1]);
    }
  }
}

/** The first entries of an object, by name; list entries have an empty name. */
function entriesOf(value: object, most: number): (readonly [name: string, value: unknown])[] {
  if (Array.isArray(value)) return value.slice(0, most).map((inner: unknown) => ["", inner] as const);
  return Object.entries(value).slice(0, most);
}
