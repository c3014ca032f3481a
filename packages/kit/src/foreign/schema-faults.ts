import { Ajv, type ValidateFunction } from "ajv";
import { LRUCache } from "lru-cache";

import { parseForeignJson } from "./parse-json.ts";

/** A violation of a schema. */
export interface SchemaFault {
  /** JSON pointer; empty for the value itself. */
  readonly place: string;
  readonly message: string;
}

/** Maximum number of reported faults per value. */
const MAX_FAULTS = 10;
/** Compiled schemas to keep for callers that check many answers. */
const KEPT_SCHEMAS = 50;

const compiled = new LRUCache<string, ValidateFunction>({ max: KEPT_SCHEMAS });

/**
 * Checks a value against a foreign JSON Schema, in a thread, because compiling and checking take as long as
 * the author likes. Without a value, only the schema is compiled. @throws Error for an invalid JSON Schema.
 */
export function schemaFaults(schema: string, value: unknown): readonly SchemaFault[] {
  const validate = compiled.get(schema) ?? compile(schema);
  compiled.set(schema, validate);
  if (value === undefined || validate(value)) return [];
  return (validate.errors ?? []).slice(0, MAX_FAULTS).map(({ instancePath, message, params }) => {
    const name = (params as { readonly additionalProperty?: string }).additionalProperty;
    const named = name === undefined ? "" : ` (${name})`;
    return { place: instancePath, message: `${message ?? "does not fit"}${named}` };
  });
}

function compile(schema: string): ValidateFunction {
  // Dialects have different identifiers, and an unknown one would be refused.
  const { $schema: _dialect, ...rules } = parseForeignJson(schema) as Readonly<Record<string, unknown>>;
  // Each schema gets its own instance, because an interrupted compilation leaves an instance unusable.
  return new Ajv({
    strict: false,
    validateFormats: false,
    allErrors: true,
    ownProperties: true,
    // Recursive inlining grows without end.
    inlineRefs: false,
    addUsedSchema: false,
    logger: false,
  }).compile(rules);
}
