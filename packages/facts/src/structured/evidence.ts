import { lazy } from "@pergamon-dev/kit/lazy";
import { type HtmlTree, tagId, TEXT } from "@pergamon-dev/html/parser/tree";
import { type Pair, readPairs } from "./pairs.ts";
import { readSetOffLabels } from "./set-off-labels.ts";
import { ELEMENT, type ItemSource, localName, SchemaItem } from "./schema-item.ts";
import { ownProperty } from "@pergamon-dev/kit/own-property";
import { type JsonObject, listOrOne } from "@pergamon-dev/kit/json";
import { visitObjects } from "./visit-objects.ts";
import { parseLooseJson } from "./loose-json.ts";
import { AttributeNames } from "@pergamon-dev/html/parser/attribute-names";
import { textOf } from "./text-of.ts";
import { readLiteral } from "./literal.ts";
import { endOfQuoted, unquoted } from "./literal-scan.ts";

/** Total characters of the page's scripts; the rest is not read. */
const MAX_CHARACTERS = 8_000_000;
const SHORTEST = 30;
const MAX_LITERALS = 400;
/** Failed attempts read a range again. This limits the total, as a multiple of the script's length. */
const MAX_READINGS = 3;
const MAX_ATTRIBUTES = 200;

/** State without prices does not describe products. */
const TELLING = /price|amount|offers/i;

/** Attribute names of a markup dialect, such as microdata or RDFa. */
interface Dialect {
  readonly scope: string;
  readonly type: string;
  readonly property: string;
}

const markupDialects = {
  microdata: { scope: "itemscope", type: "itemtype", property: "itemprop" },
  rdfa: { scope: "typeof", type: "typeof", property: "property" },
} as const satisfies Readonly<Record<string, Dialect>>;

/** Pages with more items or properties are hostile. */
const MAX_ITEMS = 5000;
const MAX_PROPERTIES = 50_000;
const MAX_VALUE_LENGTH = 5000;

/** By element: attributes that hold the value instead of the text. The first one present counts. */
const VALUE_ATTRIBUTES: ReadonlyMap<number, readonly string[]> = new Map(
  Object.entries({
    meta: ["content"],
    a: ["content", "href"],
    area: ["content", "href"],
    link: ["content", "href"],
    img: ["content", "src", "data-src"],
    source: ["content", "src"],
    video: ["content", "src"],
    audio: ["content", "src"],
    iframe: ["content", "src"],
    object: ["content", "data"],
    data: ["content", "value"],
    meter: ["content", "value"],
    time: ["content", "datetime"],
  }).map(([name, attributes]) => [tagId(name), attributes] as const),
);

interface OpenItem {
  readonly end: number;
  readonly object: Record<string, unknown[]>;
}

/** The top-level items of a dialect, in document order, in the shape of JSON-LD. */
function readMarkupItems(tree: HtmlTree, dialect: Dialect): readonly JsonObject[] {
  const names = new AttributeNames(`${dialect.scope} ${dialect.property}`);
  const roots: JsonObject[] = [];
  const open: OpenItem[] = [];
  let properties = 0;
  let items = 0;
  for (let node = 1; node < tree.size && properties < MAX_PROPERTIES && items < MAX_ITEMS; node++) {
    if (tree.tag[node] === TEXT || !tree.mayHave(node, names)) continue;
    while ((open.at(-1)?.end ?? Infinity) <= node) open.pop();
    const owner = open.at(-1)?.object;
    const property = tree.attribute(node, dialect.property);
    const isScope = tree.attribute(node, dialect.scope) !== undefined;
    const object = isScope ? itemOf(tree.attribute(node, dialect.type) ?? "", node) : undefined;
    if (property !== undefined && owner) {
      properties++;
      add(owner, property, object ?? valueOf(tree, node));
    } else if (object) roots.push(object);
    if (!object) continue;
    items++;
    open.push({ end: tree.end[node] ?? 0, object });
  }
  return roots;
}

function itemOf(types: string, element: number): Record<string, unknown[]> {
  const object = Object.create(null) as Record<string, unknown[]>;
  Object.assign(object, { [ELEMENT]: element });
  object["@type"] = types.trim().split(/\s+/).map(localName);
  return object;
}

function add(owner: Record<string, unknown[]>, properties: string, value: unknown): void {
  if (value === "") return;
  for (const property of properties.trim().split(/\s+/).slice(0, 9)) {
    const name = localName(property);
    const values = ownProperty(owner, name);
    if (values) values.push(value);
    else Object.assign(owner, { [name]: [value] });
  }
}

function valueOf(tree: HtmlTree, node: number): string {
  const attributes = VALUE_ATTRIBUTES.get(tree.tag[node] ?? 0) ?? ["content"];
  const value = attributes.map((name) => tree.attribute(node, name)).find((one) => one !== undefined);
  return (value ?? textOf(tree, node, MAX_VALUE_LENGTH)).trim();
}

/** Machine-readable content of a page. Each part is computed on first use and cached. */
export interface Evidence {
  readonly tree: HtmlTree;
  /** The original HTML. */
  source(): string;
  /** Items of schema.org: JSON-LD, microdata, RDFa. */
  items(): readonly SchemaItem[];
  /** Data of the page's scripts, only from those that mention prices. */
  states(): readonly unknown[];
  /** Visible labels with their values. */
  pairs(): readonly Pair[];
  /** Labels without a colon, with what stands beside them: less sure than pairs. */
  setOffLabels(): readonly Pair[];
  /** The value of the first of these names that the page's head has, such as `og:title`. */
  meta(...names: readonly string[]): string | undefined;
}

/** Metadata of the page's head, by name. */
type Metadata = Readonly<Record<string, string | readonly string[]>>;

interface EvidenceSource {
  readonly tree: HtmlTree;
  source(): string;
  metadata(): Metadata;
}

export function gatherEvidence({ tree, source, metadata }: EvidenceSource): Evidence {
  const byName = lazy(() => indexNames(metadata()));
  return {
    tree,
    source,
    items: lazy(() => readSchemaItems(tree)),
    states: lazy(() => readScriptValues(tree)),
    pairs: lazy(() => readPairs(tree)),
    setOffLabels: lazy(() => readSetOffLabels(tree)),
    meta(...names) {
      for (const name of names) if (byName().has(name)) return byName().get(name);
      return undefined;
    },
  };
}

/** Metadata names are case-insensitive. */
function indexNames(metadata: Metadata): ReadonlyMap<string, string> {
  const byName = new Map<string, string>();
  for (const [name, value] of Object.entries(metadata)) {
    const first = (typeof value === "string" ? value : value[0])?.trim();
    if (first !== undefined && first !== "" && !byName.has(name.toLowerCase())) {
      byName.set(name.toLowerCase(), first);
    }
  }
  return byName;
}

const SCRIPT = tagId("script");
/** Pages with more scripts of this type are hostile. */
const MAX_SCRIPTS = 200;

/** Values of the JSON-LD scripts, in document order. */
function readJsonLd(tree: HtmlTree): readonly unknown[] {
  const roots: unknown[] = [];
  let left = MAX_SCRIPTS;
  for (
    let node = tree.tag.indexOf(SCRIPT);
    node >= 0 && left > 0;
    node = tree.tag.indexOf(SCRIPT, node + 1)
  ) {
    if (!/ld\+json/i.test(tree.attribute(node, "type") ?? "")) continue;
    left--;
    roots.push(parseLooseJson(tree.textContent(node)));
  }
  return roots;
}

/** Maximum number and depth of visited objects. Deeper descriptions do not matter. */
const LIMITS = { most: 50_000, deepest: 40 };

type ReadRoots = (tree: HtmlTree) => readonly unknown[];

/** One line per format, most reliable first. */
const SOURCES: Readonly<Record<ItemSource, ReadRoots>> = {
  "json-ld": readJsonLd,
  microdata: (tree) => readMarkupItems(tree, markupDialects.microdata),
  rdfa: (tree) => readMarkupItems(tree, markupDialects.rdfa),
};

/** All schema.org items of the page, outer ones before inner ones. */
function readSchemaItems(tree: HtmlTree): readonly SchemaItem[] {
  return (Object.keys(SOURCES) as ItemSource[]).flatMap((source) => itemsOf(SOURCES[source](tree), source));
}

function itemsOf(roots: readonly unknown[], source: ItemSource): readonly SchemaItem[] {
  const found: (readonly [JsonObject, readonly string[]])[] = [];
  const byId = new Map<string, JsonObject>();
  visitObjects(roots, LIMITS, (object, path) => {
    if (listOrOne(ownProperty(object, "@type")).length === 0) return;
    found.push([object, path]);
    const id = ownProperty(object, "@id");
    if (typeof id === "string" && Object.keys(object).length > 2 && !byId.has(id)) byId.set(id, object);
  });
  return found.map(([object, path]) => new SchemaItem(object, { source, path, byId }));
}

/**
 * Values for the page's scripts, in document order: JSON scripts, literals in assignments and arguments,
 * JSON in quotes and in attributes. Only where a price is mentioned.
 */
function readScriptValues(tree: HtmlTree): readonly unknown[] {
  const values: unknown[] = [];
  const flight: string[] = [];
  let left = MAX_CHARACTERS;
  for (let node = tree.tag.indexOf(SCRIPT); node >= 0; node = tree.tag.indexOf(SCRIPT, node + 1)) {
    const type = tree.attribute(node, "type") ?? "";
    if (/ld\+json/i.test(type) || tree.attribute(node, "src") !== undefined) continue;
    const text = tree.textContent(node);
    if (text.length < SHORTEST || text.length > left || !TELLING.test(text)) continue;
    left -= text.length;
    if (/json/i.test(type)) values.push(parseLooseJson(text));
    else values.push(...literalsIn(text, flight));
  }
  values.push(...flightValues(flight.join("")), ...attributeValues(tree));
  return values.filter((value) => typeof value === "object" && value !== null);
}

/** Literals in assignments and arguments. Pieces of a React stream are added to `flight`. */
function literalsIn(script: string, flight: string[]): readonly unknown[] {
  const found: unknown[] = [];
  const opening = /[[{]|JSON\.parse\(\s{0,9}["'`]/g;
  let left = script.length * MAX_READINGS;
  for (let match = opening.exec(script); match && found.length < MAX_LITERALS; match = opening.exec(script)) {
    const from = match.index;
    if (match[0].length > 1) {
      const end = endOfQuoted(script, opening.lastIndex - 1);
      if (end > 0) found.push(parseLooseJson(decoded(unquoted(script.slice(opening.lastIndex - 1, end)))));
      opening.lastIndex = Math.max(end, opening.lastIndex);
      continue;
    }
    if (!isValuePlace(script, from)) continue;
    const { value, end } = readLiteral(script, from);
    left -= end - from;
    if (left < 0) break;
    if (value === undefined || end - from < SHORTEST) continue;
    opening.lastIndex = end;
    if (isFlightPiece(value)) flight.push(value[1]);
    else found.push(value);
  }
  return found;
}

/** True if the bracket stands where a value may: after `=`, `(`, `:` or a comma. */
function isValuePlace(script: string, at: number): boolean {
  let before = at - 1;
  const first = Math.max(0, at - 20);
  while (before > first && /\s/.test(script.charAt(before))) before--;
  return "=(:,".includes(script.charAt(before)) && script.charAt(before) !== "";
}

function isFlightPiece(value: unknown): value is [number, string] {
  return Array.isArray(value) && value.length === 2 && value[0] === 1 && typeof value[1] === "string";
}

/** Values in the React Server Components stream: each line has an id, a colon and JSON. */
function flightValues(stream: string): readonly unknown[] {
  return stream.split("\n").flatMap((line) => {
    const start = /^[0-9a-f]{1,6}:(?=[[{])/.exec(line)?.[0].length;
    return start === undefined || !TELLING.test(line) ? [] : [parseLooseJson(line.slice(start))];
  });
}

/** JSON in attributes of elements, such as product forms. */
function attributeValues(tree: HtmlTree): readonly unknown[] {
  const values: unknown[] = [];
  for (let node = 1; node < tree.size && values.length < MAX_ATTRIBUTES; node++) {
    if (tree.tag[node] === TEXT) continue;
    for (const [name, value] of tree.attributes(node)) {
      if (value.length < SHORTEST || !/^\s{0,9}[[{]/.test(value) || name === "style") continue;
      if (TELLING.test(value)) values.push(parseLooseJson(value));
    }
  }
  return values;
}

function decoded(text: string): string {
  if (!/^%7B|^%5B/i.test(text)) return text;
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
