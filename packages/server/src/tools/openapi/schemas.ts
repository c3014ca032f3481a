import { lookUp, Unusable } from "./document.ts";
import { isJsonObject, type JsonObject, listOf, objectOf } from "@pergamon-dev/kit/json";

/** Real options have fewer nodes. A larger schema is refused before it costs time and memory. */
const MAX_NODES = 5000;
const MAX_DEPTH = 60;
export const MAX_SCHEMA_BYTES = 64 * 1024;

/** Supported keywords, grouped by the kind of their value. Others are dropped. */
const ONE = new Set([
  "items",
  "additionalProperties",
  "not",
  "if",
  "then",
  "else",
  "contains",
  "propertyNames",
]);
const MANY = new Set(["allOf", "anyOf", "oneOf", "prefixItems"]);
const BY_NAME = new Set(["properties", "patternProperties", "dependentSchemas"]);
const AS_IT_IS = new Set(
  `type enum const default title description format pattern required
  minimum maximum multipleOf exclusiveMinimum exclusiveMaximum
  minLength maxLength minItems maxItems uniqueItems minProperties maxProperties
  dependentRequired minContains maxContains`.split(/\s+/),
);

/**
 * Copies schemas of a document into a self-contained one. Referenced schemas move below `$defs`, once each,
 * so that cycles stay cycles. Keywords of older versions are converted to current JSON Schema.
 */
export class SchemaCopier {
  readonly #document: JsonObject;
  readonly #definitions = new Map<string, { readonly name: string; schema: unknown }>();
  #nodes = 0;

  constructor(document: JsonObject) {
    this.#document = document;
  }

  /** @throws Unusable when the schema is too large or too deep, or a reference leads nowhere. */
  copy(schema: unknown, depth = 0): unknown {
    this.#nodes += 1;
    if (this.#nodes > MAX_NODES || depth > MAX_DEPTH) throw new Unusable("its options are too large");
    if (!isJsonObject(schema)) return schema !== false;
    if (typeof schema["$ref"] === "string") return this.#refer(schema["$ref"], schema);
    return inTodaysWords(
      Object.fromEntries(
        Object.entries(schema).flatMap(([key, value]) => this.#copyKeyword(key, value, depth)),
      ),
      schema,
    );
  }

  /** All referenced schemas, by name. */
  definitions(): JsonObject {
    return Object.fromEntries(Array.from(this.#definitions.values(), ({ name, schema }) => [name, schema]));
  }

  #copyKeyword(key: string, value: unknown, depth: number): readonly (readonly [string, unknown])[] {
    if (AS_IT_IS.has(key)) return [[key, value]];
    if (ONE.has(key)) return [[key, this.copy(value, depth + 1)]];
    if (MANY.has(key)) return [[key, listOf(value).map((entry) => this.copy(entry, depth + 1))]];
    if (!BY_NAME.has(key)) return [];
    const entries = Object.entries(objectOf(value));
    return [[key, Object.fromEntries(entries.map(([name, entry]) => [name, this.copy(entry, depth + 1)]))]];
  }

  #refer(reference: string, { description }: JsonObject): JsonObject {
    const known = this.#definitions.get(reference);
    const { name } = known ?? this.#define(reference);
    return { $ref: `#/$defs/${name}`, ...(typeof description === "string" && { description }) };
  }

  #define(reference: string) {
    const definition = { name: `d${this.#definitions.size}`, schema: undefined as unknown };
    // Stored before it is copied, because it may refer to itself.
    this.#definitions.set(reference, definition);
    definition.schema = this.copy(lookUp(reference, this.#document));
    return definition;
  }
}

/** Converts the `nullable` and the boolean exclusive bounds of version 3.0. */
function inTodaysWords(copied: JsonObject, { nullable }: JsonObject): JsonObject {
  const changed: Record<string, unknown> = { ...copied };
  for (const [word, bound] of [
    ["exclusiveMinimum", "minimum"],
    ["exclusiveMaximum", "maximum"],
  ] as const) {
    if (typeof changed[word] !== "boolean") continue;
    if (changed[word] && typeof changed[bound] === "number") {
      changed[word] = changed[bound];
      delete changed[bound];
    } else delete changed[word];
  }
  if (nullable === true && typeof changed["type"] === "string") changed["type"] = [changed["type"], "null"];
  if (nullable === true && Array.isArray(changed["enum"]))
    changed["enum"] = [...(changed["enum"] as unknown[]), null];
  return changed;
}
