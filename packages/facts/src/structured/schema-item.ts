import { decodeHTML } from "entities";

import { decodeAgain } from "@pergamon-dev/html/selection/escaped-twice";

import { ownProperty } from "@pergamon-dev/kit/own-property";
import { isJsonObject, type JsonObject, listOrOne } from "@pergamon-dev/kit/json";

/** Key for the index of the element that an object was read from. */
export const ELEMENT = Symbol("element");

/** Formats of items, most reliable first. */
export type ItemSource = "json-ld" | "microdata" | "rdfa";

/** Origin of an item, and the targets of its references. */
interface ItemPlace {
  readonly source: ItemSource;
  /** Names of the properties that lead to it from the outermost item. */
  readonly path: readonly string[];
  /** Objects of the page by `@id`. */
  readonly byId: ReadonlyMap<string, JsonObject>;
}

/** A schema.org item of the page. References are resolved when a property is read. */
export class SchemaItem {
  readonly source: ItemSource;
  readonly path: readonly string[];
  readonly types: readonly string[];
  readonly object: JsonObject;
  readonly #place: ItemPlace;

  constructor(object: JsonObject, place: ItemPlace) {
    this.object = object;
    this.source = place.source;
    this.path = place.path;
    this.#place = place;
    this.types = listOrOne(ownProperty(object, "@type")).map((type) => localName(String(type)));
  }

  /** The element that it was read from; -1 for items that are not in the markup. */
  get element(): number {
    const element = (this.object as { readonly [ELEMENT]?: number })[ELEMENT];
    return element ?? -1;
  }

  /** The raw values of a property. */
  values(name: string): readonly unknown[] {
    return listOrOne(ownProperty(this.object, name));
  }

  /** The items in a property. */
  items(name: string): readonly SchemaItem[] {
    return this.values(name)
      .filter(isJsonObject)
      .map((object) => new SchemaItem(this.#resolve(object), this.#place));
  }

  /** The first text among these properties, in order; for an item, its name. */
  text(...names: readonly string[]): string | undefined {
    for (const name of names) {
      for (const value of this.values(name)) {
        const text = isJsonObject(value) ? this.#nameOf(value) : plainText(value);
        if (text !== undefined) return text;
      }
    }
    return undefined;
  }

  #nameOf(object: JsonObject): string | undefined {
    const item = this.#resolve(object);
    const names = ["name", "@value", "value", "url", "contentUrl", "@id"];
    return names
      .map((name) => plainText(listOrOne(ownProperty(item, name))[0]))
      .find((text) => text !== undefined);
  }

  #resolve(object: JsonObject): JsonObject {
    const id = ownProperty(object, "@id");
    return typeof id === "string" ? (this.#place.byId.get(id) ?? object) : object;
  }
}

/** A type or property name without its vocabulary prefix. */
export function localName(name: string): string {
  return name.slice(Math.max(name.lastIndexOf("/"), name.lastIndexOf("#"), name.lastIndexOf(":")) + 1);
}

/** In characters. Longer texts are cut; a description may have several pages. */
const MAX_LENGTH = 20_000;

/** A text or number as one line without markup; undefined for empty or other values. */
export function plainText(value: unknown): string | undefined {
  if (typeof value !== "string" && typeof value !== "number") return undefined;
  const text = decodeText(String(value).slice(0, MAX_LENGTH)).replace(/\s+/g, " ").trim();
  return text === "" ? undefined : text;
}

/** JSON-LD often has HTML in place of text, sometimes escaped twice. */
function decodeText(text: string): string {
  const plain = text.includes("<") ? text.replace(/<[a-zA-Z/!][^<>]{0,500}>/g, " ") : text;
  if (!plain.includes("&")) return plain;
  return decodeAgain(decodeHTML(plain));
}
