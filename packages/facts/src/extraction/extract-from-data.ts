import { isJsonObject, type JsonObject } from "@pergamon-dev/kit/json";
import { parseForeignJson } from "@pergamon-dev/kit/foreign/parse-json";
import { dropIncomplete, emptyValue } from "./schema/drop-incomplete.ts";
import type { JsonRequest } from "./extract-json.ts";
import { extracted, type Extracted, joinPaths } from "./extracted.ts";
import { hintedPart } from "./hints.ts";
import { asksForNothing, readSchema } from "./schema/read-schema.ts";
import { schemaOfPrompt } from "./schema-of-prompt.ts";
import { labelKey, labelWords } from "./words.ts";
import { ownProperty } from "@pergamon-dev/kit/own-property";
import { SchemaItem } from "../structured/schema-item.ts";
import { fill } from "./fill.ts";
import { withoutOrigins } from "./found.ts";
import { scopeOfItem } from "./item-scope.ts";
import { askedFor } from "./property-names.ts";
import { readScalar } from "./read-scalar.ts";
import type { ListShape, ObjectShape, ScalarShape, ValueShape } from "./schema/value-shape.ts";

/** Parses a JSON file; undefined if it is invalid, has no objects, or exceeds the parse limit. */
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
 * Values of a JSON file for a schema, or the members that a prompt names, with whole objects and lists;
 * without both, the data unchanged.
 */
export function extractFromData(data: object, { schema, prompt }: JsonRequest, url: string): Extracted {
  if (!asksForNothing(schema)) return bySchema(data, schema, url);
  const members = prompt === undefined ? {} : membersNamed(data, prompt);
  const named = prompt === undefined ? undefined : schemaOfPrompt(prompt);
  const found = named && bySchema(data, named, url).value;
  const value = { ...otherThan(members, found), ...members };
  return extracted(Object.keys(value).length > 0 ? value : data, []);
}

/** Values whose names, in any spelling, are not among the members. */
function otherThan(members: JsonObject, found: unknown): JsonObject {
  const known = new Set(Object.keys(members).map(labelKey));
  const entries = Object.entries(isJsonObject(found) ? found : {});
  return Object.fromEntries(entries.filter(([name]) => !known.has(labelKey(name))));
}

function bySchema(data: object, schema: unknown, url: string): Extracted {
  const wanted = readSchema(schema);
  const isWrapped = wanted.kind === "object" && Array.isArray(data);
  const { value, leftOut } = valuesByName(wanted, isWrapped ? { items: data } : data, url);
  const found = extracted(value === undefined ? emptyValue(wanted) : dropIncomplete(wanted, value), leftOut);
  return hintedPart(wanted) === "none" ? found : { ...found, warnings: [NO_ELEMENTS] };
}

const NO_ELEMENTS =
  "The hints of the schema have no effect on JSON, in which properties are found by their names.";

/** Maximum nesting in which names of a prompt are looked for. */
const MAX_PROMPT_DEPTH = 4;
const NOTHING: Extracted = { value: undefined, leftOut: [] };

/** Position of a value, and the base URL for URLs in it. */
interface Place {
  readonly name: string;
  readonly around: readonly string[];
  readonly url: string;
}

/**
 * Values for a schema at any depth: objects, lists and single values. Exact property names win over similar
 * ones.
 */
function valuesByName(wanted: ValueShape, data: unknown, url: string): Extracted {
  const { value, leftOut } = valueOf(wanted, data, { name: "", around: [], url });
  return extracted(value, leftOut);
}

function valueOf(wanted: ValueShape, data: unknown, place: Place): Extracted {
  if (data === undefined || data === null) return NOTHING;
  if (wanted.kind === "object") return objectOf(wanted, data, place);
  return wanted.kind === "list" ? listOf(wanted, data, place) : scalarOf(wanted, data, place);
}

function objectOf(
  { properties, isOpen }: ObjectShape,
  data: unknown,
  { name, around, url }: Place,
): Extracted {
  if (!isJsonObject(data)) return { value: undefined, leftOut: [""] };
  if (isOpen) return { value: data, leftOut: [] };
  const inner = name === "" ? around : [...around, name];
  const scope = scopeOfItem(new SchemaItem(data, { source: "json-ld", path: [], byId: new Map() }), 1);
  const found = properties.map((property) => {
    const member = memberOf(data, property.name);
    const own = valueOf(property.wanted, member, { name: property.name, around: inner, url });
    if (own.value !== undefined) return { ...own, name: property.name };
    const filled = fill(property.wanted, property.name, { scope, baseUrl: url, around: inner }).value;
    const like = withoutOrigins(filled).value;
    const isMeant =
      like !== undefined && (member === undefined || member === null || isValueOf(member, like));
    return isMeant ? { value: like, leftOut: [], name: property.name } : { ...own, name: property.name };
  });
  const entries = found.flatMap((one) => (one.value === undefined ? [] : [[one.name, one.value] as const]));
  return {
    value: entries.length > 0 ? Object.fromEntries(entries) : undefined,
    leftOut: found.flatMap((one) => one.leftOut.map((path) => joinPaths(one.name, path))),
  };
}

function listOf({ items, most }: ListShape, data: unknown, place: Place): Extracted {
  if (!Array.isArray(data)) return { value: undefined, leftOut: [""] };
  const within = items.kind === "object" ? { ...place, name: "", around: [] } : place;
  const found = data.slice(0, most).map((item: unknown) => valueOf(items, item, within));
  return {
    value: found.flatMap(({ value }) => (value === undefined ? [] : [value])),
    leftOut: found.flatMap(({ leftOut }) => leftOut.map((path) => joinPaths("[]", path))),
  };
}

function scalarOf(wanted: ScalarShape, data: unknown, { name, around, url }: Place): Extracted {
  const isAny = wanted.types.length === 0 && wanted.choices === undefined;
  if (isAny) return { value: data, leftOut: [] };
  const { concept } = askedFor(name, wanted.description, around);
  const value = typeof data === "object" ? undefined : readScalar(data, { wanted, concept, baseUrl: url });
  return { value, leftOut: value === undefined && data !== "" ? [""] : [] };
}

/**
 * True if an object in the place of a single value contains that value, as a mayor object contains a name.
 */
function isValueOf(member: unknown, value: unknown): boolean {
  return isJsonObject(member) && Object.values(member).includes(value);
}

/** By exact name, else by folded name. */
function memberOf(data: JsonObject, name: string): unknown {
  const exact = ownProperty(data, name);
  if (exact !== undefined) return exact;
  const key = labelKey(name);
  const other = Object.keys(data).find((one) => labelKey(one) === key);
  return other === undefined ? undefined : ownProperty(data, other);
}

/**
 * Members of the data that a prompt names, with whole objects and lists. Of members with the same name, the
 * outermost.
 */
function membersNamed(data: object, prompt: string): JsonObject {
  const words = ` ${labelWordsOfText(prompt).join(" ")} `;
  const isNamed = (name: string) => labelKey(name) !== "" && words.includes(` ${labelKey(name)} `);
  const named: (readonly [string, unknown])[] = [];
  let level: readonly JsonObject[] = isJsonObject(data) ? [data] : [];
  for (let depth = 0; depth < MAX_PROMPT_DEPTH && level.length > 0; depth++) {
    const members = level.flatMap((object) => Object.entries(object));
    named.push(...members.filter(([name]) => isNamed(name)));
    level = members.flatMap(([name, value]) => (isJsonObject(value) && !isNamed(name) ? [value] : []));
  }
  // Reversed, so that the first (outermost) of equal names wins.
  return Object.fromEntries(named.toReversed());
}

/** All words of a text, folded like labels. */
function labelWordsOfText(text: string): string[] {
  return (text.match(/[\p{L}\p{N}]+/gu) ?? []).flatMap((word) => labelWords(word));
}
