import { isJsonObject, type JsonObject } from "@pergamon-dev/kit/json";
import { parseForeignJson } from "@pergamon-dev/kit/foreign/parse-json";
import { dropIncomplete, emptyValue } from "./schema/drop-incomplete.ts";
import { membersNamed, valuesByName } from "./data-values.ts";
import type { JsonRequest } from "./extract-json.ts";
import { extracted, type Extracted } from "./extracted.ts";
import { asksForNothing, readSchema } from "./schema/read-schema.ts";
import { schemaOfPrompt } from "./schema-of-prompt.ts";
import { labelKey } from "./words.ts";

/** A file of JSON, parsed; undefined when it is not valid, has no objects, or is larger than what is parsed at once. */
export function dataOf(text: string | undefined): object | undefined {
  if (text === undefined) return undefined;
  try {
    const data = parseForeignJson(text);
    return typeof data === "object" && data !== null ? data : undefined;
  } catch {
    return undefined;
  }
}

/**
 * Values of a file of JSON for a schema, or what a prompt names, objects and lists whole; without both, the data as they
 * are.
 */
export function extractFromData(data: object, { schema, prompt }: JsonRequest, url: string): Extracted {
  if (!asksForNothing(schema)) return bySchema(data, schema, url);
  const members = prompt === undefined ? {} : membersNamed(data, prompt);
  const named = prompt === undefined ? undefined : schemaOfPrompt(prompt);
  const found = named && bySchema(data, named, url).value;
  const value = { ...otherThan(members, found), ...members };
  return extracted(Object.keys(value).length > 0 ? value : data, []);
}

/** Values under names that are not among the members, however they are written. */
function otherThan(members: JsonObject, found: unknown): JsonObject {
  const known = new Set(Object.keys(members).map(labelKey));
  const entries = Object.entries(isJsonObject(found) ? found : {});
  return Object.fromEntries(entries.filter(([name]) => !known.has(labelKey(name))));
}

function bySchema(data: object, schema: unknown, url: string): Extracted {
  const wanted = readSchema(schema);
  const isWrapped = wanted.kind === "object" && Array.isArray(data);
  const { value, leftOut } = valuesByName(wanted, isWrapped ? { items: data } : data, url);
  return extracted(value === undefined ? emptyValue(wanted) : dropIncomplete(wanted, value), leftOut);
}
