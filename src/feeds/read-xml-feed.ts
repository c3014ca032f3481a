import { ownProperty } from "../kit/own-property.ts";
import { type Feed, type FeedItem, isoDate } from "./feed.ts";
import {
  childrenOf,
  childText,
  escapeXml,
  markupOf,
  readXml,
  textOf,
  type XmlElement,
} from "./xml-element.ts";

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

/** Reads RSS 0.9 to 2.0, Atom, sitemaps and OPML. Undefined when the text is none of them. */
export function readXmlFeed(text: string): Feed | undefined {
  const found: { name: string; element: FeedItem }[] = [];
  const names = new Set(Object.values(FORMATS).map(({ item }) => item));
  const root = readXml(text, names, (element) => {
    for (const [name, format] of Object.entries(FORMATS))
      if (format.item === element.name) found.push({ name, element: format.read(element) });
  });
  const name = root?.name.replace(/^.*:/, "") ?? "";
  const format = ownProperty(FORMATS, name);
  if (!root || !format) return undefined;
  const items = found.filter((one) => one.name === name).map(({ element }) => element);
  const about = childrenOf(root, "channel", "head")[0] ?? root;
  return {
    title: childText(about, "title"),
    url: name === "feed" ? linkOf(root) : childText(about, "link"),
    description: childText(about, "description", "subtitle", "itunes:summary"),
    language: childText(about, "language", "dc:language") ?? root.attributes["xml:lang"],
    items: name === "opml" ? items.flatMap((body) => body.items ?? []) : items,
    isList: format.isList,
  };
}

function rssItem(element: XmlElement): FeedItem {
  const [guid] = childrenOf(element, "guid");
  const permalink = guid && guid.attributes["isPermaLink"] !== "false" ? textOf(guid) : undefined;
  const html = childText(element, "content:encoded") ?? childText(element, "description", "itunes:summary");
  return {
    title: childText(element, "title", "media:title", "itunes:title"),
    url: childText(element, "link") ?? (/^https?:/i.test(permalink ?? "") ? permalink : undefined),
    date: isoDate(childText(element, "pubdate", "dc:date", "dcterms:created", "dcterms:modified")),
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
    title: childrenOf(element, "title").map(plainTextOf)[0],
    url: linkOf(element),
    date: isoDate(childText(element, "published", "updated", "issued", "modified")),
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

/** The outlines within an outline, or within the body of an OPML file. */
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

/** Links of Atom lead to the page where their relation is "alternate", which is the default. */
function linkOf(element: XmlElement): string | undefined {
  const links = childrenOf(element, "link").map(({ attributes }) => attributes);
  const own =
    links.find(({ rel = "alternate" }) => rel === "alternate") ?? links.find(({ rel }) => rel === "self");
  return own?.["href"];
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

function plainTextOf(element: XmlElement): string {
  return /html/i.test(element.attributes["type"] ?? "")
    ? textOf(element).replace(/<[^>]*>/g, "")
    : textOf(element);
}
