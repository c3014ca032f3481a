/** The part of JSON Schema that the service's own descriptions use. */
export interface JsonSchema {
  readonly type?: string | readonly string[];
  readonly enum?: readonly unknown[];
  readonly const?: unknown;
  readonly anyOf?: readonly JsonSchema[];
  readonly oneOf?: readonly JsonSchema[];
  readonly properties?: Readonly<Record<string, JsonSchema>>;
  readonly required?: readonly string[];
  readonly items?: JsonSchema;
  readonly additionalProperties?: boolean | JsonSchema;
  readonly default?: unknown;
  readonly description?: string;
  readonly examples?: readonly unknown[];
  readonly minimum?: number;
  readonly maximum?: number;
}

/** One of several shapes that an entry of a list can have, identified by its `type`. */
export interface Variant {
  readonly name: string;
  /** Options next to the type; undefined: it is only a name. */
  readonly options: JsonSchema | undefined;
  readonly canBeName: boolean;
}

/** Shapes that the schema allows; itself when there is only one. */
export function shapesOf({ anyOf, oneOf, ...schema }: JsonSchema): readonly JsonSchema[] {
  return anyOf ?? oneOf ?? [schema];
}

/** Variants of a list's entries, in the order of the schema; none if the entries have no variants. */
export function variantsOf({ items = {} }: JsonSchema): readonly Variant[] {
  const shapes = shapesOf(items);
  const names = shapes.flatMap((shape) => (shape.enum ?? []).filter((name) => typeof name === "string"));
  const objects = new Map(shapes.flatMap((shape) => typedObject(shape)));
  if (names.length === 0 && objects.size === 0) return [];
  return [...new Set([...names, ...objects.keys()])].map((name) => ({
    name,
    options: objects.get(name),
    canBeName: names.includes(name),
  }));
}

function typedObject(shape: JsonSchema): readonly (readonly [string, JsonSchema])[] {
  const { type, ...properties } = shape.properties ?? {};
  if (typeof type?.const !== "string") return [];
  const required = shape.required?.filter((name) => name !== "type") ?? [];
  const { description = "" } = shape;
  return [[type.const, { type: "object", properties, required, description }]];
}

const NOT_WORDS = /([a-z\d])([A-Z])/g;
/** Words that are written otherwise than words are. */
const ABBREVIATIONS: readonly (readonly [RegExp, string])[] = [
  [/\btls\b/gi, "TLS"],
  [/\bpii\b/gi, "PII"],
  [/\burl(s?)\b/gi, "URL$1"],
  [/\bip(s?)\b/gi, "IP$1"],
  [/\bhtml\b/gi, "HTML"],
  [/\brobots txt\b/gi, "robots.txt"],
];

/** `onlyMainContent` → `Only main content`; what is written in capitals stays so. */
export function wordsOf(name: string): string {
  const words = name.replace(NOT_WORDS, (_, end: string, start: string) => `${end} ${start.toLowerCase()}`);
  return ABBREVIATIONS.reduce(
    (text, [pattern, word]) => text.replace(pattern, word),
    words.charAt(0).toUpperCase() + words.slice(1),
  );
}
