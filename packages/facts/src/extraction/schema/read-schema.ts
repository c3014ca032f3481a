import { ownProperty } from "@pergamon-dev/kit/own-property";
import { isJsonObject, type JsonObject, listOrOne } from "@pergamon-dev/kit/json";
import { objectAt, resolveNode } from "./schema-nodes.ts";
import type { Hint, ScalarShape, ScalarType, ValueShape } from "./value-shape.ts";

/** Maximum schema nodes, with references counted at each use. Later nodes are ignored. */
const MAX_NODES = 2000;
const MAX_DEPTH = 10;
export const MAX_LIST_ITEMS = 1000;
const MAX_CHOICES = 1000;

const SCALARS: ReadonlySet<string> = new Set<ScalarType>(["string", "number", "integer", "boolean"]);

/** Reads a JSON Schema. It terminates quickly for any input and never throws. */
export function readSchema(schema: unknown): ValueShape {
  return new Reader(schema).read(schema, 0);
}

class Reader {
  readonly #root: unknown;
  #left = MAX_NODES;

  constructor(root: unknown) {
    this.#root = root;
  }

  read(node: unknown, depth: number): ValueShape {
    this.#left--;
    const { node: form, isNullable } = this.#decide(resolveNode(node, this.#root));
    const about = { description: textAt(form, "description"), isNullable, hint: hintIn(form) };
    const types = typesOf(form);
    if (depth >= MAX_DEPTH || this.#left <= 0) return { ...scalarOf(form, []), ...about };
    if (types.includes("object") || (types.length === 0 && "properties" in form)) {
      return { ...this.#objectOf(form, depth), ...about };
    }
    if (types.includes("array") || (types.length === 0 && "items" in form)) {
      return { ...this.#listOrOne(form, depth), ...about };
    }
    return { ...scalarOf(form, types), ...about };
  }

  #objectOf(node: JsonObject, depth: number) {
    const required = new Set(listOrOne(ownProperty(node, "required")));
    const named = Object.entries(objectAt(node, "properties"));
    const properties = [];
    for (const [name, inner] of named) {
      if (this.#left <= 0) break;
      properties.push({ name, isRequired: required.has(name), wanted: this.read(inner, depth + 1) });
    }
    return { kind: "object" as const, properties, isOpen: named.length === 0 };
  }

  #listOrOne(node: JsonObject, depth: number) {
    const [items] = [
      ...listOrOne(ownProperty(node, "items")),
      ...listOrOne(ownProperty(node, "prefixItems")),
    ];
    const most = Math.min(numberAt(node, "maxItems", MAX_LIST_ITEMS), MAX_LIST_ITEMS);
    const fewest = Math.max(0, numberAt(node, "minItems", 0));
    return { kind: "list" as const, items: this.read(items ?? {}, depth + 1), fewest, most };
  }

  /** The most specific of several forms, and whether null is one of them. */
  #decide(node: JsonObject): { readonly node: JsonObject; readonly isNullable: boolean } {
    const forms = [...listOrOne(ownProperty(node, "anyOf")), ...listOrOne(ownProperty(node, "oneOf"))].slice(
      0,
      32,
    );
    const isNullable =
      ownProperty(node, "nullable") === true || listOrOne(ownProperty(node, "type")).includes("null");
    if (forms.length === 0) return { node, isNullable };
    const resolved = forms.map((form) => resolveNode(form, this.#root));
    const real = resolved.filter((form) => ownProperty(form, "type") !== "null");
    const constants = real.map((form) => ownProperty(form, "const"));
    const { anyOf: _any, oneOf: _one, ...rest } = node;
    const isChoice = constants.length > 0 && constants.every((constant) => constant !== undefined);
    const form = isChoice ? { enum: constants } : (real.find(isTelling) ?? real[0] ?? {});
    return { node: { ...form, ...rest }, isNullable: isNullable || real.length < resolved.length };
  }
}

function isTelling(form: JsonObject): boolean {
  return "properties" in form || "items" in form;
}

function typesOf(node: JsonObject): readonly string[] {
  return listOrOne(ownProperty(node, "type")).filter((type): type is string => typeof type === "string");
}

function scalarOf(node: JsonObject, types: readonly string[]): ScalarShape {
  const choices = "const" in node ? [ownProperty(node, "const")] : ownProperty(node, "enum");
  return {
    kind: "scalar",
    description: "",
    isNullable: false,
    types: types.filter((type): type is ScalarType => SCALARS.has(type)),
    format: textAt(node, "format") || undefined,
    choices: Array.isArray(choices) ? choices.slice(0, MAX_CHOICES) : undefined,
    pattern: safePattern(ownProperty(node, "pattern")),
    least: numberAt(node, "minimum", numberAt(node, "exclusiveMinimum", -Infinity)),
    greatest: numberAt(node, "maximum", numberAt(node, "exclusiveMaximum", Infinity)),
    shortest: numberAt(node, "minLength", 0),
    longest: numberAt(node, "maxLength", Infinity),
  };
}

function hintIn(node: JsonObject): Hint | undefined {
  const at = (name: string) => {
    const value = ownProperty(node, name);
    return typeof value === "string" && value !== "" ? value : undefined;
  };
  const selector = at("x-selector-all") ?? at("x-selector");
  const [attribute, pattern] = [at("x-attribute")?.toLowerCase(), at("x-pattern")];
  return [selector, attribute, pattern].some((one) => one !== undefined)
    ? { selector, attribute, pattern }
    : undefined;
}

function textAt(node: JsonObject, name: string): string {
  const value = ownProperty(node, name);
  return typeof value === "string" ? value.slice(0, 1000) : "";
}

function numberAt(node: JsonObject, name: string, otherwise: number): number {
  const value = ownProperty(node, name);
  return typeof value === "number" && Number.isFinite(value) ? value : otherwise;
}

/** True if the schema asks for nothing specific. */
export function asksForNothing(schema: unknown): boolean {
  return !isJsonObject(schema) || Object.keys(schema).every((name) => SAYS_NOTHING.has(name));
}

/** Clients send only these keywords for schemas that they cannot convert. */
const SAYS_NOTHING: ReadonlySet<string> = new Set([
  "$schema",
  "$id",
  "$comment",
  "title",
  "additionalProperties",
]);

const MAX_LENGTH = 200;
/** Each unbounded repetition may multiply the run time by the text's length. */
const MAX_UNBOUNDED = 2;

/**
 * The schema's pattern, if it cannot backtrack exponentially: no repeated groups, no back-references, no
 * lookaround, and few unbounded repetitions. Undefined for other patterns, which are not checked.
 */
function safePattern(pattern: unknown): RegExp | undefined {
  if (typeof pattern !== "string" || pattern.length > MAX_LENGTH) return undefined;
  const plain = pattern.replace(/\\[^1-9k]/g, "x").replace(/\[[^\]]*\]/g, "x");
  const isNested = /\)\s*(?:[*+?]|\{)|\\[1-9k]|\(\?[=!<]/.test(plain);
  const unbounded = plain.match(/[*+]|\{\d*,\}/g)?.length ?? 0;
  const bounds = (plain.match(/\d+(?=\})/g) ?? []).map(Number);
  if (isNested || unbounded > MAX_UNBOUNDED || bounds.some((bound) => bound > 99)) return undefined;
  try {
    return new RegExp(pattern, "u");
  } catch {
    return undefined;
  }
}
