import type { FoundBy } from "./candidate.ts";

/** Where a value comes from. */
export interface Origin {
  readonly foundBy: FoundBy;
  /** How sure it is, 0 to 1. */
  readonly confidence: number;
  /** The element with the value, or where its label begins; -1 for data that readers do not see. */
  readonly node: number;
  /** The value as the page has it, before it was read. */
  readonly raw: unknown;
}

/** A value with its origin, as long as the values of a page are put together. */
export class Found {
  readonly value: unknown;
  readonly origin: Origin;

  constructor(value: unknown, { foundBy, node, raw, confidence }: Origin) {
    this.value = value;
    this.origin = { foundBy, node, raw, confidence: Math.round(Math.min(1, confidence) * 100) / 100 };
  }

  /** Equal values are compared by their JSON. */
  toJSON(): unknown {
    return this.value;
  }
}

/** A single value, and its path: `company.name`, `products[0].price`. */
export type VisitLeaf = (leaf: unknown, path: string, name: string) => void;

/** Visits the single values of a value in order. Those with an origin count as single. */
export function visitLeaves(value: unknown, visit: VisitLeaf, path = "", name = ""): void {
  if (typeof value !== "object" || value === null || value instanceof Found) visit(value, path, name);
  else if (Array.isArray(value))
    value.forEach((item, index) => visitLeaves(item, visit, `${path}[${index}]`, name));
  else
    for (const [inner, member] of Object.entries(value))
      visitLeaves(member, visit, path === "" ? inner : `${path}.${inner}`, inner);
}

/** The plain value, and the origins of its single values by their paths. */
export function withoutOrigins(value: unknown) {
  const origins = new Map<string, Origin>();
  visitLeaves(value, (leaf, path) => {
    if (leaf instanceof Found) origins.set(path, leaf.origin);
  });
  return { value: plain(value), origins };
}

function plain(value: unknown): unknown {
  if (value instanceof Found) return value.value;
  if (Array.isArray(value)) return value.map(plain);
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, plain(member)]));
}
