import { parseForeignJson } from "../kit/foreign/parse-json.ts";
import { ownProperty } from "../kit/own-property.ts";
import { type Feed, type FeedItem, isoDate } from "./feed.ts";
import { escapeXml } from "./xml-element.ts";

type JsonObject = Readonly<Record<string, unknown>>;

/** Reads a JSON Feed (versions 1 and 1.1) of up to 1 MB. Undefined when the text is larger, or not one. */
export function readJsonFeed(text: string): Feed | undefined {
  const feed = parsed(text);
  const items = feed?.["items"];
  if (!feed || !Array.isArray(items)) return undefined;
  return {
    title: textIn(feed, "title"),
    url: textIn(feed, "home_page_url"),
    description: textIn(feed, "description"),
    language: textIn(feed, "language"),
    items: items.filter(isObject).map(itemOf),
    isList: false,
  };
}

function parsed(text: string): JsonObject | undefined {
  try {
    const value = parseForeignJson(text);
    return isObject(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

function itemOf(item: JsonObject): FeedItem {
  const plain = textIn(item, "content_text") ?? textIn(item, "summary");
  return {
    title: textIn(item, "title"),
    url: textIn(item, "url") ?? textIn(item, "external_url"),
    date: isoDate(textIn(item, "date_published") ?? textIn(item, "date_modified")),
    authors: [...objectsIn(item, "authors"), ...objectsIn(item, "author")].flatMap(
      (one) => textIn(one, "name") ?? [],
    ),
    topics: listIn(item, "tags").filter((tag): tag is string => typeof tag === "string"),
    summaryHtml: textIn(item, "content_html") ?? (plain === undefined ? undefined : escapeXml(plain)),
    files: [textIn(item, "image"), ...objectsIn(item, "attachments").map((one) => textIn(one, "url"))].filter(
      (url): url is string => url !== undefined,
    ),
  };
}

function isObject(value: unknown): value is JsonObject {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function textIn(object: JsonObject, key: string): string | undefined {
  const value = ownProperty(object, key);
  return typeof value === "string" && value.trim() !== "" ? value.trim() : undefined;
}

function listIn(object: JsonObject, key: string): readonly unknown[] {
  const value = ownProperty(object, key);
  if (Array.isArray(value)) return value;
  return value === undefined ? [] : [value];
}

function objectsIn(object: JsonObject, key: string): readonly JsonObject[] {
  return listIn(object, key).filter(isObject);
}
