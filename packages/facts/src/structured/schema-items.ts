import type { HtmlTree } from "@pergamon-dev/html/parser/tree";
import { ownProperty } from "@pergamon-dev/kit/own-property";
import { readJsonLd } from "./json-ld.ts";
import { type JsonObject, listOrOne } from "@pergamon-dev/kit/json";
import { visitObjects } from "./visit-objects.ts";
import { markupDialects, readMarkupItems } from "./markup-items.ts";
import { type ItemSource, SchemaItem } from "./schema-item.ts";

/** Objects that are looked at, and how deep they lie; what is described any deeper does not matter. */
const LIMITS = { most: 50_000, deepest: 40 };

type ReadRoots = (tree: HtmlTree) => readonly unknown[];

/** One line per way of describing things, the most reliable first. */
const SOURCES: Readonly<Record<ItemSource, ReadRoots>> = {
  "json-ld": readJsonLd,
  microdata: (tree) => readMarkupItems(tree, markupDialects.microdata),
  rdfa: (tree) => readMarkupItems(tree, markupDialects.rdfa),
};

/** All items that the page describes in the words of schema.org, outer ones before inner ones. */
export function readSchemaItems(tree: HtmlTree): readonly SchemaItem[] {
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
