import { isJsonObject, type JsonObject } from "@pergamon-dev/kit/json";
import { conform } from "./conform.ts";
import { dropIncomplete } from "./schema/drop-incomplete.ts";
import { asksForNothing, readSchema } from "./schema/read-schema.ts";
import { resolveNode } from "./schema/schema-nodes.ts";

/** Limits, because references may be circular or repeated. */
const MAX_DEPTH = 8;
const MAX_NODES = 2000;
const MAX_NAMED = 10;

/**
 * Makes a JSON Schema accept partial values: what several pages provide together need not be on each. Things
 * in lists stay strict, because a page that lists a thing describes it.
 */
export function relaxSchema(schema: unknown): unknown {
  if (!isJsonObject(schema)) return schema;
  const counted = { nodes: 0 };
  function relax(node: JsonObject, depth: number): JsonObject {
    counted.nodes += 1;
    if (depth > MAX_DEPTH || counted.nodes > MAX_NODES) return node;
    const { required: _required, ...rest } = resolveNode(node, schema);
    const { properties } = rest;
    if (!isJsonObject(properties)) return rest;
    const relaxed = Object.entries(properties).map(([name, inner]) => {
      return [name, isJsonObject(inner) ? relax(inner, depth + 1) : inner] as const;
    });
    return { ...rest, properties: Object.fromEntries(relaxed) };
  }
  return relax(schema, 0);
}

/** A complete value, or the names of the missing required properties. */
type CompleteValue = { readonly value: unknown } | { readonly missing: readonly string[] };

export function completeValue(schema: unknown, value: unknown): CompleteValue {
  if (asksForNothing(schema)) return { value };
  const wanted = readSchema(schema);
  const complete = dropIncomplete(wanted, value);
  if (complete !== undefined) return { value: complete };
  const { problems } = conform(value ?? (wanted.kind === "list" ? [] : {}), wanted);
  const missing = problems.flatMap((problem) => /^\/(.+) is required\.$/.exec(problem)?.[1] ?? []);
  return { missing: missing.slice(0, MAX_NAMED).map((path) => path.replaceAll("/", ".")) };
}
