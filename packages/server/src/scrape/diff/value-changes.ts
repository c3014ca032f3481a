import { ownProperty } from "@pergamon-dev/kit/own-property";

/** A value before and after. Null stands for a missing value. */
export interface ValueChange {
  readonly previous: unknown;
  readonly current: unknown;
}

/** Deeper members are compared as a whole. */
const MAX_DEPTH = 20;
/** Further changes are left out, because nobody reads longer lists. */
const MAX_CHANGES = 1000;

/**
 * Values that differ between two versions of some JSON, by their paths, such as `items[0].price`. The root is
 * `$`.
 */
export function valueChanges(before: unknown, after: unknown): Readonly<Record<string, ValueChange>> {
  const changes = new Map<string, ValueChange>();
  const compare = (previous: unknown, current: unknown, path: string, depth: number): void => {
    if (changes.size >= MAX_CHANGES) return;
    const members = depth < MAX_DEPTH ? membersOf(previous, current) : undefined;
    if (members) for (const [step, old, now] of members) compare(old, now, joined(path, step), depth + 1);
    else if (!isSameValue(previous, current))
      changes.set(path || "$", { previous: previous ?? null, current: current ?? null });
  };
  compare(before, after, "", 0);
  return Object.fromEntries(changes);
}

type Member = readonly [step: string | number, previous: unknown, current: unknown];

/** Members of two values of the same kind. Undefined unless both are objects or both are lists. */
function membersOf(previous: unknown, current: unknown): readonly Member[] | undefined {
  if (Array.isArray(previous) && Array.isArray(current)) {
    const length = Math.max(previous.length, current.length);
    return Array.from({ length }, (_, index) => [index, previous[index], current[index]] as const);
  }
  if (!isObject(previous) || !isObject(current)) return undefined;
  const names = [...new Set([...Object.keys(previous), ...Object.keys(current)])];
  return names.map((name) => [name, ownProperty(previous, name), ownProperty(current, name)] as const);
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function joined(path: string, step: string | number): string {
  if (typeof step === "number") return `${path}[${step}]`;
  return path === "" ? step : `${path}.${step}`;
}

/** A missing value equals null. */
function isSameValue(previous: unknown, current: unknown): boolean {
  return (previous ?? null) === (current ?? null) || JSON.stringify(previous) === JSON.stringify(current);
}
