import { Ajv, type ValidateFunction } from "ajv";
import { LRUCache } from "lru-cache";

import { parseForeignJson } from "./parse-json.ts";

/** What of a value does not fit a schema. */
export interface SchemaFault {
  /** JSON pointer; empty: the value itself. */
  readonly place: string;
  readonly message: string;
}

/** How much is reported of the faults of a value. */
const MAX_FAULTS = 10;
/** Schemas of callers that check one answer after the other. */
const KEPT_SCHEMAS = 50;

const compiled = new LRUCache<string, ValidateFunction>({ max: KEPT_SCHEMAS });

/**
 * Checks a value against a foreign JSON Schema, in a thread: both take as long as their author
 * likes. Without a value only the schema is compiled. @throws Error for what is not JSON Schema.
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
  // Dialects differ in what they call themselves; an unknown name would be refused.
  const { $schema: _dialect, ...rules } = parseForeignJson(schema) as Readonly<Record<string, unknown>>;
  // One of its own for each: what was broken off in the middle leaves one that is of no use.
  return new Ajv({
    strict: false,
    validateFormats: false,
    allErrors: true,
    ownProperties: true,
    // What is inlined again and again grows without end.
    inlineRefs: false,
    addUsedSchema: false,
    logger: false,
  }).compile(rules);
}
