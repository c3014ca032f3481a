import { ServiceError } from "../api/errors.ts";
import { ForeignJsonError } from "@pergamon-dev/kit/foreign/parse-json";
import type { ForeignThread } from "@pergamon-dev/kit/foreign/thread";
import { jsonSchemaProblem } from "../scrape/request/json-schema.ts";

const MAX_SCHEMA_BYTES = 256 * 1024;

/** @returns the problem of an answer. Undefined when it matches the schema. */
export type AnswerCheck = (answer: unknown, signal: AbortSignal) => Promise<string | undefined>;

/** Reads callers' schemas in a thread, because they and their patterns may take long. */
type SchemaThread = Pick<ForeignThread, "faults">;

/** A function that checks answers against a caller's schema. The schema passed `refuseBadSchema` before. */
export function openAnswerCheck(schema: unknown, thread: SchemaThread): AnswerCheck {
  if (schema === undefined) return () => Promise.resolve(undefined);
  const text = JSON.stringify(schema);
  return async (answer, signal) => {
    try {
      const faults = await thread.faults(text, answer, signal);
      if (faults.length === 0) return undefined;
      const told = faults.map(({ place, message }) => `${place || "the answer"} ${message}`);
      return `The answer does not fit the schema: ${told.join("; ")}.`;
    } catch (failure) {
      if (!(failure instanceof ForeignJsonError)) throw failure;
      return "It takes too long to check it against the schema. Make it simpler.";
    }
  };
}

/** @throws ServiceError BAD_REQUEST for a schema that is not JSON Schema. */
export async function refuseBadSchema(schema: unknown, thread: SchemaThread): Promise<void> {
  const problem = problemOf(schema);
  if (problem !== undefined) throw refused(problem);
  try {
    await thread.faults(JSON.stringify(schema));
  } catch (failure) {
    if (!(failure instanceof ForeignJsonError)) throw failure;
    throw refused(failure.message, failure);
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
