import { HOSTILE_TEXTS } from "./hostile-values.ts";
import type { Random } from "./random.ts";

/** The parts of JSON Schema that request schemas are described with. */
export interface JsonSchema {
  readonly type?: string | readonly string[];
  readonly const?: unknown;
  readonly enum?: readonly unknown[];
  readonly anyOf?: readonly JsonSchema[];
  readonly oneOf?: readonly JsonSchema[];
  readonly properties?: Readonly<Record<string, JsonSchema>>;
  readonly required?: readonly string[];
  readonly additionalProperties?: JsonSchema | boolean;
  readonly items?: JsonSchema;
  readonly maxItems?: number;
  readonly minLength?: number;
  readonly maxLength?: number;
  readonly pattern?: string;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly examples?: readonly unknown[];
}

const MAX_ITEMS = 4;
/** Of those that may be left out: with many at once most requests would fail for the same few of them. */
const USUAL_MEMBERS = 3;
const WORDS = [
  "h1",
  "article p",
  ".ad",
  "#main",
  "main",
  "https://a.test/",
  "en",
  "x",
  "Größe",
  "Enter",
  "1 + 1",
];

/** A value that the schema describes, at random. Rules that it cannot express may be broken all the same. */
export function valueOf(schema: JsonSchema, random: Random): unknown {
  const choices = schema.anyOf ?? schema.oneOf;
  if (choices) return valueOf(random.pick(choices), random);
  if (schema.const !== undefined) return schema.const;
  if (schema.enum) return random.pick(schema.enum);
  const type = typeof schema.type === "object" ? random.pick(schema.type) : schema.type;
  return own(makers, type ?? "")?.(schema, random) ?? random.pick([null, true, {}, [], "x", 1]);
}

type Maker = (schema: JsonSchema, random: Random) => unknown;

const makers: Readonly<Record<string, Maker>> = {
  object: objectOf,
  array: ({ items = {}, maxItems = MAX_ITEMS }, random) =>
    Array.from({ length: random.below(Math.min(maxItems, MAX_ITEMS) + 1) }, () => valueOf(items, random)),
  string: textOf,
  boolean: (_schema, random) => random.isOneOf(2),
  integer: numberOf,
  number: numberOf,
};

function own(table: Readonly<Record<string, Maker>>, name: string): Maker | undefined {
  return Object.hasOwn(table, name) ? table[name] : undefined;
}

/** With what is required, and a few of the rest. */
function objectOf(schema: JsonSchema, random: Random): object {
  const { properties = {}, required = [], additionalProperties } = schema;
  const names = Object.keys(properties);
  const usual = Math.min(names.length / 2, USUAL_MEMBERS);
  const wanted = names.filter((name) => required.includes(name) || random.below(names.length) < usual);
  const entries = wanted.map((name) => [name, valueOf(properties[name] ?? {}, random)] as const);
  const isRecord = names.length === 0 && typeof additionalProperties === "object";
  const others = isRecord
    ? Array.from({ length: random.below(3) }, () => entryOf(additionalProperties, random))
    : [];
  return Object.fromEntries([...entries, ...others]);
}

function entryOf(schema: JsonSchema, random: Random): readonly [string, unknown] {
  return [random.pick(["x-a", "Accept", "Cookie", "User-Agent", ...HOSTILE_TEXTS]), valueOf(schema, random)];
}

function textOf({ examples, pattern, minLength = 0, maxLength = 1000 }: JsonSchema, random: Random): unknown {
  if (examples && !random.isOneOf(4)) return random.pick(examples);
  const fits = (text: string) =>
    text.length >= minLength &&
    text.length <= maxLength &&
    (pattern === undefined || new RegExp(pattern, "u").test(text));
  const text = random.pick(random.isOneOf(3) ? HOSTILE_TEXTS : WORDS);
  return fits(text) ? text : (examples?.[0] ?? "x");
}

/** Often one of its bounds. */
function numberOf({ minimum = 0, maximum = 1000, type }: JsonSchema, random: Random): number {
  if (random.isOneOf(3)) return random.pick([minimum, maximum]);
  const value = minimum + random.share() * (Math.min(maximum, minimum + 5000) - minimum);
  return type === "integer" ? Math.floor(value) : value;
}
