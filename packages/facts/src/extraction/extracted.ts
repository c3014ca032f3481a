import type { Origin } from "./found.ts";

export interface Extracted {
  /** Undefined if there are none, or if something that the schema requires is missing. */
  readonly value: unknown;
  /** Paths of dropped properties, such as `people[].city`, whose values do not fit the schema. */
  readonly leftOut: readonly string[];
  /** What the hints of the schema found, if it has any. */
  readonly hinted?: HintedValue;
  /** What is wrong with hints of the schema. */
  readonly warnings?: readonly string[];
  /** Origins of single values, by their paths. */
  readonly origins?: ReadonlyMap<string, Origin>;
}

export interface HintedValue {
  /** Without the values that have no hint. */
  readonly value: unknown;
  /** True when hints name the place of every value. */
  readonly isAll: boolean;
}

const MAX_LEFT_OUT = 20;

export function extracted(value: unknown, leftOut: readonly string[]): Extracted {
  return { value, leftOut: [...new Set(leftOut)].slice(0, MAX_LEFT_OUT) };
}

/** Joins property paths: `people`, `[]` and `city` become `people[].city`. */
export function joinPaths(outer: string, inner: string): string {
  return inner === "" || inner.startsWith("[") || outer === "" ? `${outer}${inner}` : `${outer}.${inner}`;
}
