import { isJsonObject, type JsonObject } from "@pergamon-dev/kit/json";

/** What walking over the values of a page is bounded by. */
interface WalkLimits {
  /** Objects and lists that are visited. */
  readonly most: number;
  /** Objects and lists around each other. */
  readonly deepest: number;
}

/**
 * Shows the objects inside some values, outer ones first, without recursion; `path` has the names that lead to an
 * object. What lies deeper than the limit, and what comes after the last object that may be visited, is left out.
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

/** The first entries of an object, by name; those of a list have none. */
function entriesOf(value: object, most: number): (readonly [name: string, value: unknown])[] {
  if (Array.isArray(value)) return value.slice(0, most).map((inner: unknown) => ["", inner] as const);
  return Object.entries(value).slice(0, most);
}
