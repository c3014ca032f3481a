import { parseForeignJson } from "@pergamon-dev/kit/foreign/parse-json";
import { ownProperty } from "@pergamon-dev/kit/own-property";
import { resolveUrl } from "@pergamon-dev/html/selection/base-url";
import {
  childrenOf,
  childText,
  escapeXml,
  linkOf,
  linkOfItem,
  markupOf,
  textOf,
  titleOf,
  type XmlElement,
  XmlReader,
} from "./xml.ts";

/** A feed, sitemap or list of feeds, in any format. Texts are plain unless their names say HTML. */
export interface Feed {
  readonly title?: string | undefined;
  /** Page that the feed is about, as written in the feed. */
  readonly url?: string | undefined;
  readonly description?: string | undefined;
  readonly language?: string | undefined;
  readonly items: readonly FeedItem[];
  /** True for sitemaps, whose entries have only an address and a date. They become lines, not texts. */
  readonly isList: boolean;
}

export interface FeedItem {
  readonly title?: string | undefined;
  /** As written in the feed. */
  readonly url?: string | undefined;
  /** ISO 8601 if the date is readable, else as written in the feed. */
  readonly date?: string | undefined;
  readonly authors?: readonly string[];
  readonly topics?: readonly string[];
  readonly summaryHtml?: string | undefined;
  /** What addresses in the summary resolve against, unless it is the feed. */
  readonly base?: string | undefined;
  /** Pictures, sounds and other files that belong to the item. */
  readonly files?: readonly string[];
  /** Items below this one, in an outline. */
  readonly items?: readonly FeedItem[];
}

/** How a format writes its items. The key is the name of the root element. */
interface XmlFormat {
  readonly item: string;
  readonly isList: boolean;
  readonly read: (element: XmlElement) => FeedItem;
}

const FORMATS: Readonly<Record<string, XmlFormat>> = {
  rss: { item: "item", isList: false, read: rssItem },
  rdf: { item: "item", isList: false, read: rssItem },
  feed: { item: "entry", isList: false, read: atomEntry },
  urlset: { item: "url", isList: true, read: sitemapEntry },
  sitemapindex: { item: "sitemap", isList: true, read: sitemapEntry },
  opml: { item: "body", isList: true, read: outline },
};

/**
 * Reads RSS 0.9 to 2.0, Atom, sitemaps and OPML. Undefined when the text is none of them.
 * @param url - of the feed, against which `xml:base` resolves
 */
export function readXmlFeed(text: string, url = ""): Feed | undefined {
  const found: { name: string; element: FeedItem }[] = [];
  const reader = new XmlReader({
    url,
    items: new Set(Object.values(FORMATS).map(({ item }) => item)),
    onItem(element) {
      for (const [name, format] of Object.entries(FORMATS))
        if (format.item === element.name) found.push({ name, element: format.read(element) });
    },
  });
  reader.write(text);
  const root = reader.end();
  const name = root?.name.replace(/^.*:/, "") ?? "";
  const format = ownProperty(FORMATS, name);
  if (!root || !format) return undefined;
  const items = found.filter((one) => one.name === name).map(({ element }) => element);
  const about = childrenOf(root, "channel", "head")[0] ?? root;
  return {
    title: titleIn(about, name !== "feed", "title", "dc:title"),
    url:
      name === "feed"
        ? addressIn(childrenOf(root, "link")[0], linkOf(root))
        : (childText(about, "link") ?? linkOf(about)),
    description: childText(about, "description", "subtitle", "tagline", "itunes:summary"),
    language: childText(about, "language", "dc:language") ?? root.attributes["xml:lang"],
    items: name === "opml" ? items.flatMap((body) => body.items ?? []) : items,
    isList: format.isList,
  };
}

function rssItem(element: XmlElement): FeedItem {
  const texts = childrenOf(element, "content:encoded", "description", "itunes:summary");
  const html = childText(element, "content:encoded") ?? childText(element, "description", "itunes:summary");
  const [link] = childrenOf(element, "link");
  return {
    title: titleIn(element, true, "title", "dc:title", "media:title", "itunes:title"),
    url: addressIn(link, linkOfItem(element)),
    date: isoDate(
      childText(
        element,
        "pubdate",
        "dc:date",
        "dcterms:issued",
        "dcterms:created",
        "dcterms:modified",
        "updated",
      ),
    ),
    base: texts.find((one) => textOf(one) === html)?.base,
    authors: textsOf(element, "author", "dc:creator", "itunes:author"),
    topics: textsOf(element, "category", "dc:subject"),
    summaryHtml: html,
    files: filesOf(element),
  };
}

function atomEntry(element: XmlElement): FeedItem {
  const texts = [...childrenOf(element, "content"), ...childrenOf(element, "summary", "media:group")];
  const body = texts.find((one) => textOf(one) !== "");
  return {
    title: titleIn(element, false, "title", "dc:title"),
    url: addressIn(childrenOf(element, "link")[0], linkOf(element)),
    base: body?.base,
    date: isoDate(childText(element, "published", "issued", "updated", "created", "modified")),
    authors: childrenOf(element, "author").flatMap((author) => childText(author, "name", "email") ?? []),
    topics: childrenOf(element, "category").flatMap(
      ({ attributes }) => attributes["label"] ?? attributes["term"] ?? [],
    ),
    summaryHtml: body && htmlOf(body),
    files: filesOf(element),
  };
}

function sitemapEntry(element: XmlElement): FeedItem {
  const [news] = childrenOf(element, "news:news");
  const [video] = childrenOf(element, "video:video");
  return {
    title: childText(news, "news:title") ?? childText(video, "video:title"),
    url: childText(element, "loc"),
    date: isoDate(childText(element, "lastmod") ?? childText(news, "news:publication_date")),
    files: childrenOf(element, "image:image").flatMap((image) => childText(image, "image:loc") ?? []),
  };
}

/** Outlines within an outline, or within the body of an OPML file. */
function outline(element: XmlElement): FeedItem {
  const { text, title, xmlUrl, htmlUrl, url, created } = element.attributes;
  const address = htmlUrl ?? url ?? xmlUrl;
  return {
    title: text ?? title,
    url: address,
    date: isoDate(created),
    files: xmlUrl !== undefined && xmlUrl !== address ? [xmlUrl] : [],
    items: childrenOf(element, "outline").map(outline),
  };
}

function filesOf(element: XmlElement): string[] {
  const enclosures = childrenOf(element, "enclosure").map(({ attributes }) => attributes["url"]);
  const linked = childrenOf(element, "link").filter(({ attributes }) => attributes["rel"] === "enclosure");
  const media = childrenOf(element, "media:group", "media:content").flatMap((one) => [
    one.attributes["url"],
    ...childrenOf(one, "media:content").map(({ attributes }) => attributes["url"]),
  ]);
  const all = [...enclosures, ...linked.map(({ attributes }) => attributes["href"]), ...media];
  return [...new Set(all.filter((url): url is string => url !== undefined && url !== ""))];
}

function textsOf(element: XmlElement, ...names: readonly string[]): string[] {
  return [...new Set(childrenOf(element, ...names).map(textOf))].filter((text) => text !== "");
}

/** A text construct of Atom as HTML. */
function htmlOf(element: XmlElement): string {
  const { type = "text" } = element.attributes;
  if (type === "xhtml") return markupOf(element);
  return /html/i.test(type) ? textOf(element) : escapeXml(textOf(element));
}

/** Text of the first title that has any. The names are in order of preference. */
function titleIn(element: XmlElement, isMarkup: boolean, ...names: readonly string[]): string | undefined {
  const titles = names.flatMap((name) => childrenOf(element, name).map((title) => titleOf(title, isMarkup)));
  return titles.find((text) => text !== "");
}

/** An address as it is written, or absolute where `xml:base` says what it resolves against. */
function addressIn(element: XmlElement | undefined, written: string | undefined): string | undefined {
  if (written === undefined || element?.base === undefined) return written;
  return resolveUrl(written, element.base) ?? written;
}

type JsonObject = Readonly<Record<string, unknown>>;

/** Reads a JSON Feed (versions 1 and 1.1) of up to 1 MB. Undefined when the text is larger, or no feed. */
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

/** `Tue, 24 Nov 2026 05:00:00 +0100` (RFC 822). The weekday, the seconds and the zone may be missing. */
const RFC_822 =
  /^(?:[a-z]{3,9},?\s+)?(?<day>\d{1,2}\s+[a-z]{3,9}\s+\d{2,4})(?<time>\s+\d{1,2}:\d\d(?::\d\d)?)?(?<zone>\s*(?:[+-]\d\d:?\d\d|[a-z]{1,5}))?$/i;
const ISO_8601 = /^(?<day>\d{4}-\d\d-\d\d)T\d\d:\d\d(?::\d\d(?:\.\d+)?)?(?:Z|[+-]\d\d:?\d\d)$/i;

/** Converts a date of a feed (RFC 822, ISO 8601) to ISO 8601. An unreadable date is returned unchanged. */
export function isoDate(text: string | undefined): string | undefined {
  const written = text?.trim();
  if (!written) return written;
  const iso = ISO_8601.exec(written);
  if (iso) return isDay(iso.groups?.["day"] ?? "") ? (isoTime(written) ?? written) : written;
  const { day, time, zone } = RFC_822.exec(written)?.groups ?? {};
  if (day === undefined) return written;
  if (time === undefined) return isoTime(`${day} UTC`)?.slice(0, "2026-11-24".length) ?? written;
  return isoTime(`${day} ${time} ${zone ?? "UTC"}`) ?? written;
}

function isoTime(written: string): string | undefined {
  const time = Date.parse(written);
  return Number.isNaN(time) ? undefined : new Date(time).toISOString().replace(".000Z", "Z");
}

/** Whether the day exists in the calendar. V8 accepts 31 February and continues into March. */
function isDay(day: string): boolean {
  return isoTime(`${day}T00:00:00Z`)?.startsWith(day) === true;
}
