import { isDeepStrictEqual } from "node:util";

import { z } from "zod";

import { ownProperty } from "@pergamon-dev/kit/own-property";

/** A place where two documents differ. A side that lacks the value is left out. */
export const JsonDifference = z.strictObject({
  path: z.string(),
  a: z.json().exactOptional(),
  b: z.json().exactOptional(),
});

export type JsonDifference = z.output<typeof JsonDifference>;

type Json = NonNullable<JsonDifference["a"]>;

/** Maximum differences in a result. */
const MAX_DIFFERENCES = 500;
const MAX_DEPTH = 50;
/** Longer texts are cut when they are shown as a difference. */
const MAX_TEXT_LENGTH = 2000;

/** Places where two JSON values differ, in the order of the first value. */
export function jsonDifferences(a: unknown, b: unknown): JsonDifference[] {
  const found: JsonDifference[] = [];
  compare({ path: "$", a, b, depth: 0 }, found);
  return found;
}

interface Pair {
  readonly path: string;
  readonly a: unknown;
  readonly b: unknown;
  readonly depth: number;
}

function compare({ path, a, b, depth }: Pair, found: JsonDifference[]): void {
  if (found.length >= MAX_DIFFERENCES || isDeepStrictEqual(a, b)) return;
  const isOpen =
    isContainer(a) && isContainer(b) && Array.isArray(a) === Array.isArray(b) && depth < MAX_DEPTH;
  if (!isOpen) {
    found.push({ path, ...(a !== undefined && { a: shown(a) }), ...(b !== undefined && { b: shown(b) }) });
    return;
  }
  for (const name of new Set([...Object.keys(a), ...Object.keys(b)])) {
    compare(
      {
        path: path + step(name, Array.isArray(a)),
        a: ownProperty(a, name),
        b: ownProperty(b, name),
        depth: depth + 1,
      },
      found,
    );
  }
}

function isContainer(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null;
}

function step(name: string, isIndex: boolean): string {
  if (isIndex) return `[${name}]`;
  return /^[\w-]+$/.test(name) ? `.${name}` : `[${JSON.stringify(name)}]`;
}

function shown(value: unknown): Json {
  if (typeof value === "string" && value.length > MAX_TEXT_LENGTH)
    return `${value.slice(0, MAX_TEXT_LENGTH)}…`;
  const text = JSON.stringify(value) ?? "null";
  return text.length > MAX_TEXT_LENGTH ? `${text.slice(0, MAX_TEXT_LENGTH)}…` : (JSON.parse(text) as Json);
}
