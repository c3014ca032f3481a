export interface Extracted {
  /** Undefined if there are none, or if something that the schema requires is missing. */
  readonly value: unknown;
  /** Paths of dropped properties, such as `people[].city`, whose values do not fit the schema. */
  readonly leftOut: readonly string[];
}

const MAX_LEFT_OUT = 20;

export function extracted(value: unknown, leftOut: readonly string[]): Extracted {
  return { value, leftOut: [...new Set(leftOut)].slice(0, MAX_LEFT_OUT) };
}

/** Joins property paths: `people`, `[]` and `city` become `people[].city`. */
export function joinPaths(outer: string, inner: string): string {
  return inner === "" || inner.startsWith("[") || outer === "" ? `${outer}${inner}` : `${outer}.${inner}`;
}
