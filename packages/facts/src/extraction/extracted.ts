/** Values of a page or file for a schema. */
export interface Extracted {
  /** Undefined when there are none, or not all that the schema requires. */
  readonly value: unknown;
  /** Paths of properties, such as `people[].city`, whose values do not fit the schema, so that they were left out. */
  readonly leftOut: readonly string[];
}

const MAX_LEFT_OUT = 20;

export function extracted(value: unknown, leftOut: readonly string[]): Extracted {
  return { value, leftOut: [...new Set(leftOut)].slice(0, MAX_LEFT_OUT) };
}

/** The path of a value inside another: `people`, `[]` and `city` are `people[].city`. */
export function joinPaths(outer: string, inner: string): string {
  return inner === "" || inner.startsWith("[") || outer === "" ? `${outer}${inner}` : `${outer}.${inner}`;
}
