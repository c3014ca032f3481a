import { z } from "zod";

import { limits } from "../../api/limits.ts";
import * as formats from "../formats/all.ts";
import type { Format, FormatRequest } from "../formats/format.ts";
import { jsonSchemaProblem } from "./json-schema.ts";

type BuiltFormats = typeof formats;

export type FormatName = keyof BuiltFormats;

export function formatNamed(name: FormatName): Format {
  return formats[name];
}

/** Format requests by their type, for all formats that a request may name. */
type FormatRequests = Readonly<Record<string, FormatRequest>>;

export const formatRequests: FormatRequests = formats;

/** One element of `formats`, normalised to an object with a `type`. */
type RequestedFormat = { [Name in FormatName]: z.output<BuiltFormats[Name]["options"]> }[FormatName];

/** Schema of `formats` for a request that may name these formats. */
export function formatList(requests: FormatRequests) {
  const bare = bareFormats(requests);
  const element = z.union([
    z.enum([...bare.keys()]).transform((type) => bare.get(type)),
    ...Object.values(requests).map(({ options }) => options),
  ]) as z.ZodType as z.ZodType<RequestedFormat>;
  return z
    .array(element)
    .max(limits.formats)
    .superRefine((list, context) => {
      for (const message of problemsOf(list, requests)) context.addIssue({ code: "custom", message });
    })
    .default([{ type: "markdown" }]);
}

/** Formats that a string may name, because all options have defaults: type → object with the defaults. */
export function bareFormats(requests: FormatRequests): ReadonlyMap<string, object> {
  const parsed = Object.entries(requests).map(
    ([type, { options }]) => [type, options.safeParse({ type }).data] as const,
  );
  return new Map(parsed.flatMap(([type, data]) => (data ? [[type, data]] : [])));
}

/** Problems of the list as a whole: first broken rules, then JSON Schemas that cannot be used. */
function problemsOf(list: readonly RequestedFormat[], requests: FormatRequests): readonly string[] {
  const types = list.map(({ type }) => type);
  const rules = [...new Set(types)].flatMap((type) => requests[type]?.listRule ?? []);
  const broken = rules.filter((rule) => !rule.isKept(types)).map(({ message }) => message);
  const schemas = list.flatMap((format) => ("schema" in format ? [format.schema] : []));
  return [...broken, ...schemas.flatMap((schema) => jsonSchemaProblem(schema) ?? [])];
}
