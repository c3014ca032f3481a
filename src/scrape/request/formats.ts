import { z } from "zod";

import { limits } from "../../contract/limits.ts";
import * as formats from "../formats/all.ts";
import { plannedFormats } from "../formats/planned.ts";

type FormatTable = typeof formats;

/** Name of a format that is built. */
export type FormatName = keyof FormatTable;

const objects = [...Object.values(formats).map((format) => format.options), ...Object.values(plannedFormats)];

/** Names that stand alone, because the options have defaults. */
const bareNames = [...Object.keys(formats), ...Object.keys(plannedFormats)].filter((type) =>
  objects.some((options) => options.safeParse({ type }).success),
);

/** The formats that a request may name without options, as objects with their defaults. */
const bareFormats = new Map(
  bareNames.map((type) => [type, objects.map((o) => o.safeParse({ type })).find((r) => r.success)?.data]),
);

/** One element of `formats`, normalised to an object with a `type`. */
type RequestedFormat =
  | z.output<(typeof plannedFormats)[keyof typeof plannedFormats]>
  | { [Name in FormatName]: z.output<FormatTable[Name]["options"]> }[FormatName];

const RequestedFormat = z.union([
  z.enum(bareNames).transform((type) => bareFormats.get(type) as RequestedFormat),
  ...objects,
]) as z.ZodType<RequestedFormat>;

/** Rules over the whole list, with their literal messages (contract, section 1.2). */
const listRules: readonly { message: string; isBroken: (types: readonly string[]) => boolean }[] = [
  {
    message: "You may only specify one screenshot format",
    isBroken: (types) => types.filter((type) => type === "screenshot").length > 1,
  },
  {
    message: "The changeTracking format requires the markdown format to be specified as well",
    isBroken: (types) => types.includes("changeTracking") && !types.includes("markdown"),
  },
  {
    message: "The rawBase64 format cannot be combined with other formats",
    isBroken: (types) => types.includes("rawBase64") && types.length > 1,
  },
];

/** The `formats` of a request. */
export const Formats = z
  .array(RequestedFormat)
  .max(limits.formats)
  .superRefine((list, context) => {
    const types = list.map((format) => format.type);
    for (const { message, isBroken } of listRules) {
      if (isBroken(types)) context.addIssue({ code: "custom", message });
    }
    for (const format of list) {
      const problem = "schema" in format ? schemaProblem(format.schema) : undefined;
      if (problem) context.addIssue({ code: "custom", message: problem });
    }
  })
  .default([{ type: "markdown" }]);

/** Deeper schemas are refused: no model follows them, and walking them would cost the stack. */
const MAXIMUM_SCHEMA_DEPTH = 64;

/** Why a JSON Schema cannot be used, if so (contract, section 1.2). */
function schemaProblem(schema: unknown, depth = 0): string | undefined {
  if (schema === undefined || schema === null) return undefined;
  if (depth === 0 && typeof schema !== "object") return "Invalid input: expected a JSON Schema object";
  if (typeof schema !== "object") return undefined;
  if (depth > MAXIMUM_SCHEMA_DEPTH) return `Schema is nested deeper than ${MAXIMUM_SCHEMA_DEPTH} levels`;
  if (isOpenObject(schema as Record<string, unknown>)) {
    return "Schema contains invalid structure for OpenAI: object type with no 'properties' defined but 'additionalProperties: true'. Name the properties, or leave additionalProperties out.";
  }
  for (const value of Object.values(schema)) {
    const problem = schemaProblem(value, depth + 1);
    if (problem) return problem;
  }
  return undefined;
}

function isOpenObject(node: Readonly<Record<string, unknown>>): boolean {
  return (
    node["type"] === "object" &&
    node["additionalProperties"] === true &&
    !node["properties"] &&
    !node["patternProperties"]
  );
}
