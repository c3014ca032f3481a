import { isJsonObject } from "../../kit/json.ts";
import { parseForeignJson } from "../../kit/foreign/parse-json.ts";
import { SchemaItem } from "../structured/schema-item.ts";
import { dropIncomplete, emptyValue } from "./schema/drop-incomplete.ts";
import type { JsonWish } from "./extract-json.ts";
import { fill } from "./fill.ts";
import { scopeOfItem } from "./item-scope.ts";
import { asksForNothing, readSchema } from "./schema/read-schema.ts";
import { schemaOfPrompt } from "./schema-of-prompt.ts";

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

/** Values of a file of JSON for a schema, or for what a prompt names; without both, the data as they are. */
export function extractFromData(data: object, { schema, prompt }: JsonWish, url: string): unknown {
  const named = prompt === undefined ? undefined : schemaOfPrompt(prompt);
  if (asksForNothing(schema)) return (named && bySchema(data, named, url)) ?? data;
  return bySchema(data, schema, url);
}

function bySchema(data: object, schema: unknown, url: string): unknown {
  const wanted = readSchema(schema);
  const object = isJsonObject(data) ? data : { items: data };
  const item = new SchemaItem(object, { source: "json-ld", path: [], byId: new Map() });
  const { value } = fill(wanted, "", { scope: scopeOfItem(item, 1), baseUrl: url, around: [] });
  return value === undefined ? emptyValue(wanted) : dropIncomplete(wanted, value);
}
