import { ownProperty } from "@pergamon-dev/kit/own-property";
import { isJsonObject, type JsonObject, listOrOne } from "@pergamon-dev/kit/json";

const MAX_DEPTH = 64;
/** Endpoints refuse keywords that they do not know. */
const HINTS: ReadonlySet<string> = new Set(["x-selector", "x-selector-all", "x-attribute", "x-pattern"]);

/**
 * A schema as sent to models: `required` names only declared properties, `additionalProperties` and hints
 * are dropped, and a list is wrapped in an object, because most endpoints accept no list at the top.
 */
export function modelSchema(schema: unknown): JsonObject {
  const node = normalised(schema, 0);
  if (!isJsonObject(node)) return { type: "object" };
  if (!listOrOne(ownProperty(node, "type")).includes("array")) return node;
  const { $defs, definitions, ...list } = node;
  const named = { ...($defs !== undefined && { $defs }), ...(definitions !== undefined && { definitions }) };
  return { ...named, type: "object", properties: { items: list }, required: ["items"] };
}

function normalised(node: unknown, depth: number): unknown {
  if (depth > MAX_DEPTH || typeof node !== "object" || node === null) return node;
  if (Array.isArray(node)) return node.map((inner: unknown) => normalised(inner, depth + 1));
  const entries = Object.entries(node)
    .filter(([name, inner]) => typeof inner !== "string" || !HINTS.has(name))
    .map(([name, inner]) => [name, normalised(inner, depth + 1)] as const);
  const copy: JsonObject = Object.fromEntries(entries);
  const properties = ownProperty(copy, "properties");
  if (!isJsonObject(properties)) return copy;
  const { additionalProperties: _open, required, ...rest } = copy;
  const names = listOrOne(required).filter(
    (name) => typeof name === "string" && Object.hasOwn(properties, name),
  );
  return { ...rest, ...(names.length > 0 && { required: names }) };
}
