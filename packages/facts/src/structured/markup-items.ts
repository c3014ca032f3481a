import { ownProperty } from "@pergamon-dev/kit/own-property";
import { AttributeNames } from "@pergamon-dev/html/parser/attribute-names";
import { type HtmlTree, TEXT, tagId } from "@pergamon-dev/html/parser/tree";
import type { JsonObject } from "@pergamon-dev/kit/json";
import { ELEMENT, localName } from "./schema-item.ts";
import { textOf } from "./text-of.ts";

/** The attributes by which a way of marking up says what it says. */
interface Dialect {
  readonly scope: string;
  readonly type: string;
  readonly property: string;
}

export const markupDialects = {
  microdata: { scope: "itemscope", type: "itemtype", property: "itemprop" },
  rdfa: { scope: "typeof", type: "typeof", property: "property" },
} as const satisfies Readonly<Record<string, Dialect>>;

/** More items or properties are hostile. */
const MAX_ITEMS = 5000;
const MAX_PROPERTIES = 50_000;
const MAX_VALUE_LENGTH = 5000;

/** Where the value of a property stands, by element, where it is not the text: the first attribute that there is. */
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

/** The outermost items of a page that are marked up in this dialect, in document order, in the shape of JSON-LD. */
export function readMarkupItems(tree: HtmlTree, dialect: Dialect): readonly JsonObject[] {
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
