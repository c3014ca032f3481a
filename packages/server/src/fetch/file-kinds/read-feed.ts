import { escapeAttribute, escapeText } from "@pergamon-dev/documents/model/html-escape";
import { articleHtml } from "../feeds/article.ts";
import { ARTICLE_TYPE, JSON_FEED_TYPE } from "../feeds/feed-type.ts";
import { type Feed, type FeedItem, readJsonFeed, readXmlFeed } from "../feeds/feed.ts";
import { lazy } from "@pergamon-dev/kit/lazy";
import { baseUrlOf } from "@pergamon-dev/html/selection/base-url";
import { extractMetadata } from "@pergamon-dev/html/selection/metadata";
import { decodeBody } from "@pergamon-dev/html/parser/decode";
import { parseHtml } from "@pergamon-dev/html/parser/parse";
import { selectAll, type Selection } from "@pergamon-dev/html/selection/selection";
import { serializeHtml } from "@pergamon-dev/html/selection/serialize";
import { applyExcludeTags, applyIncludeTags } from "@pergamon-dev/html/selection/tags";
import { toMarkdown } from "@pergamon-dev/html/markdown/convert";
import { removeBase64Images } from "@pergamon-dev/html/markdown/images";
import type { FileParts, FileSource, ReadOptions, ReadTools } from "./kind.ts";
import { codeBlock } from "./text.ts";

/** Reads the items of a feed, or an article, as a page. A file that only claims to be a feed becomes a block of code. */
export function readFeed(
  { body, contentType, mimeType, url, options }: FileSource,
  { stage }: ReadTools,
): Partial<FileParts> {
  const text = stage("decode", () => decodeBody(body, contentType));
  const language = mimeType === JSON_FEED_TYPE ? "json" : "xml";
  const found = lazy(() => {
    if (mimeType === ARTICLE_TYPE) return articleHtml(text());
    const read = language === "json" ? readJsonFeed(text()) : readXmlFeed(text(), url);
    return read && pageOf(read, url);
  });
  const tree = stage("parse", () => parseHtml(found() ?? `<pre>${escapeText(text())}</pre>`));
  const wanted = lazy(() => selectWanted(selectAll(tree()), options));
  const baseUrl = lazy(() => baseUrlOf(tree(), url));
  return {
    tree,
    wanted,
    baseUrl,
    markdown() {
      if (found() === undefined) return codeBlock(text(), language);
      const markdown = toMarkdown(wanted(), baseUrl());
      return options.removeBase64Images ? removeBase64Images(markdown) : markdown;
    },
    html: () => serializeHtml(wanted(), baseUrl()),
    rawHtml: text,
    metadata: () => extractMetadata(tree(), url),
  };
}

/** A feed as a whole is main content. */
function selectWanted(whole: Selection, { includeTags, excludeTags }: ReadOptions): Selection {
  return applyExcludeTags(applyIncludeTags(whole, includeTags), excludeTags);
}

/** Deeper outlines are written at this depth. */
const MAX_DEPTH = 10;

/** A feed as a page. Its items are readable, and also schema.org microdata for programs. */
function pageOf(feed: Feed, feedUrl: string): string {
  const { title, url, description, language, items, isList } = feed;
  const head = [
    title === undefined ? "" : `<title>${escapeText(title)}</title>`,
    description === undefined ? "" : `<meta name="description" content="${escapeAttribute(description)}">`,
  ];
  const body = [
    title === undefined ? "" : `<h1>${linked(title, url)}</h1>`,
    description === undefined ? "" : `<p>${escapeText(description)}</p>`,
    isList ? listHtml(items, 0) : items.map((item) => itemHtml(item, feedUrl)).join(""),
  ];
  const lang = language === undefined ? "" : ` lang="${escapeAttribute(language)}"`;
  return `<html${lang}><head>${head.join("")}</head><body>${body.join("")}</body></html>`;
}

function itemHtml(item: FeedItem, feedUrl: string): string {
  const { title, url, summaryHtml, base } = item;
  const heading = title ?? url ?? "";
  return [
    '<article itemscope itemtype="https://schema.org/Article">',
    heading === "" ? "" : `<h2 itemprop="headline">${linked(heading, url)}</h2>`,
    factsHtml(item),
    summaryHtml === undefined
      ? ""
      : `<div itemprop="description">${closed(summaryHtml, base ?? feedUrl)}</div>`,
    filesHtml(item),
    "</article>",
  ].join("");
}

/**
 * Closes elements, comments and scripts of a truncated summary, so that it does not swallow the next items.
 */
function closed(html: string, feedUrl: string): string {
  if (!html.includes("<")) return html;
  const whole = serializeHtml(selectAll(parseHtml(html)), feedUrl);
  return whole.replace(/^<html><body>/, "").replace(/<\/body><\/html>$/, "");
}

/** Date, authors and topics of an item, in one line. */
function factsHtml({ date, authors = [], topics = [] }: FeedItem): string {
  const facts = [
    date === undefined ? "" : timeHtml(date),
    authors.map((author) => `<span itemprop="author">${escapeText(author)}</span>`).join(", "),
    topics.map((topic) => `<span itemprop="keywords">${escapeText(topic)}</span>`).join(", "),
  ].filter((fact) => fact !== "");
  return facts.length > 0 ? `<p>${facts.join(" · ")}</p>` : "";
}

function timeHtml(date: string): string {
  return `<time itemprop="datePublished" datetime="${escapeAttribute(date)}">${escapeText(date)}</time>`;
}

function filesHtml({ files = [] }: FeedItem): string {
  return files.map((file) => `<p>${linked(file, file)}</p>`).join("");
}

function listHtml(items: readonly FeedItem[], depth: number): string {
  if (items.length === 0) return "";
  const lines = items.map((item) => {
    const { title, url, date, files = [], items: below = [] } = item;
    const heading = linked(title ?? url ?? "", url);
    const facts = [
      heading,
      ...(date === undefined ? [] : [timeHtml(date)]),
      ...files.map((file) => linked(file, file)),
    ];
    const inner = depth < MAX_DEPTH ? listHtml(below, depth + 1) : "";
    const flat = depth < MAX_DEPTH ? "" : below.map((one) => listHtml([one], depth)).join("");
    return `<li>${facts.join(" ")}${inner}${flat}</li>`;
  });
  return `<ul>${lines.join("")}</ul>`;
}

function linked(text: string, url: string | undefined): string {
  return url === undefined ? escapeText(text) : `<a href="${escapeAttribute(url)}">${escapeText(text)}</a>`;
}
