import { ownProperty } from "@pergamon-dev/kit/own-property";
import { isJsonObject, type JsonObject, listOrOne } from "@pergamon-dev/kit/json";

/** Longer chains of references are given up. */
const MAX_REFERENCES = 16;

/** A schema node with references resolved and `allOf` merged. */
export function resolveNode(node: unknown, root: unknown): JsonObject {
  const target = followReferences(node, root);
  const parts = listOrOne(ownProperty(target, "allOf")).slice(0, MAX_REFERENCES);
  if (parts.length === 0) return target;
  const resolved = parts.map((part) => followReferences(part, root));
  return [...resolved, target].reduce(merge, {});
}

function followReferences(node: unknown, root: unknown): JsonObject {
  let at = node;
  for (let left = MAX_REFERENCES; left > 0 && isJsonObject(at); left--) {
    const reference = ownProperty(at, "$ref");
    if (typeof reference !== "string") return at;
    const { $ref: _followed, ...beside } = at;
    const target = atPointer(root, reference);
    at = isJsonObject(target) ? { ...target, ...beside } : beside;
  }
  return isJsonObject(at) ? withoutReference(at) : {};
}

function withoutReference({ $ref: _endless, ...rest }: JsonObject): JsonObject {
  return rest;
}

/** Resolves a JSON Pointer in the same document. */
function atPointer(root: unknown, reference: string): unknown {
  if (!reference.startsWith("#")) return undefined;
  const steps = reference.slice(1).split("/").slice(1);
  return steps.reduce<unknown>((at, step) => {
    const name = decoded(step).replaceAll("~1", "/").replaceAll("~0", "~");
    return typeof at === "object" && at !== null ? ownProperty(at as JsonObject, name) : undefined;
  }, root);
}

function decoded(step: string): string {
  try {
    return decodeURIComponent(step);
  } catch {
    return step;
  }
}

function merge(one: JsonObject, other: JsonObject): JsonObject {
  const properties = { ...objectAt(one, "properties"), ...objectAt(other, "properties") };
  const required = [...listOrOne(ownProperty(one, "required")), ...listOrOne(ownProperty(other, "required"))];
  return {
    ...one,
    ...other,
    ...(Object.keys(properties).length > 0 && { properties }),
    ...(required.length > 0 && { required }),
  };
}

/** The object under this name; empty if there is none. */
export function objectAt(node: JsonObject, name: string): JsonObject {
  const value = ownProperty(node, name);
  return isJsonObject(value) ? value : {};
}
