import { isJsonObject, type JsonObject } from "@pergamon-dev/kit/json";
import { conform } from "./conform.ts";
import { dropIncomplete } from "./schema/drop-incomplete.ts";
import { asksForNothing, readSchema } from "./schema/read-schema.ts";
import { resolveNode } from "./schema/schema-nodes.ts";

/** References may lead in circles, and to several places at once. */
const MAX_DEPTH = 8;
const MAX_NODES = 2000;
const MAX_NAMED = 10;

/**
 * A JSON Schema that a part of what it asks for fits, too: what several pages say together need not be said by each.
 * Things in lists stay as they are, because a page that lists a thing describes it.
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

/** A value that has all that a schema requires; or what it lacks, by name. */
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
