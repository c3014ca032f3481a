import type { Ajv, ValidateFunction } from "ajv";

import { ServiceError } from "../../contract/errors.ts";
import { lazy } from "../../kit/lazy.ts";
import { jsonSchemaProblem } from "../../scrape/request/json-schema.ts";
import { openRunWithin, type RunWithin } from "../../tools/requests/run-within.ts";

/** How long schemas that somebody else has written may take. */
const COMPILE_MS = 1000;
const CHECK_MS = 200;
const MAX_SCHEMA_BYTES = 256 * 1024;
/** Of what is wrong with an answer, so much is told. */
const MAX_PROBLEMS = 10;

/** @returns what is wrong with an answer; undefined when it fits. */
export type AnswerCheck = (answer: unknown) => string | undefined;

/**
 * What checks answers against a schema of the caller's. It is compiled with the first answer.
 * @throws ServiceError BAD_REQUEST, also when an answer is checked, for what is no JSON Schema.
 */
export async function openAnswerCheck(schema: unknown): Promise<AnswerCheck> {
  if (schema === undefined) return () => undefined;
  const problem = problemOf(schema);
  if (problem !== undefined) throw refused(problem);
  const { default: Ajv } = await import("ajv");
  const runWithin = lazy(openRunWithin);
  const validator = lazy(() => compile(schema, Ajv.Ajv, runWithin()));
  return (answer) => {
    const validate = validator();
    try {
      const errors = runWithin()(CHECK_MS, () => (validate(answer) ? [] : (validate.errors ?? [])));
      return errors.length === 0 ? undefined : problemsOf(errors);
    } catch {
      return "It takes too long to check it against the schema. Make it simpler.";
    }
  };
}

/** @throws ServiceError BAD_REQUEST for what is no JSON Schema. */
export async function refuseBadSchema(schema: unknown): Promise<void> {
  (await openAnswerCheck(schema))(undefined);
}

function compile(schema: unknown, Validator: typeof Ajv, runWithin: RunWithin): ValidateFunction {
  // Dialects differ in what they call themselves; a name that nobody knows would be refused.
  const { $schema: _dialect, ...rules } = schema as Readonly<Record<string, unknown>>;
  try {
    return runWithin(COMPILE_MS, () =>
      new Validator({
        strict: false,
        validateFormats: false,
        allErrors: true,
        ownProperties: true,
        inlineRefs: false,
        addUsedSchema: false,
        logger: false,
      }).compile(rules),
    );
  } catch (cause) {
    throw refused(cause instanceof Error ? cause.message : String(cause), cause);
  }
}

function problemOf(schema: unknown): string | undefined {
  if (typeof schema !== "object" || schema === null || Array.isArray(schema))
    return "it has to be an object.";
  if (Buffer.byteLength(JSON.stringify(schema)) > MAX_SCHEMA_BYTES)
    return `it is larger than ${MAX_SCHEMA_BYTES} bytes.`;
  return jsonSchemaProblem(schema);
}

function refused(problem: string, cause?: unknown): ServiceError {
  return new ServiceError("BAD_REQUEST", { message: `Invalid JSON schema: ${problem}`, cause });
}

function problemsOf(errors: NonNullable<ValidateFunction["errors"]>): string {
  const told = errors.slice(0, MAX_PROBLEMS).map(({ instancePath, message, params }) => {
    const name = (params as { readonly additionalProperty?: string }).additionalProperty;
    const place = instancePath === "" ? "the answer" : instancePath;
    return `${place} ${message ?? "does not fit"}${name === undefined ? "" : ` (${name})`}`;
  });
  return `The answer does not fit the schema: ${told.join("; ")}.`;
}
