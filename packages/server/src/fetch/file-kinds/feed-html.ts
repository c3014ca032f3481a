import { escapeAttribute, escapeText } from "@pergamon-dev/documents/model/html-escape";
import type { Feed, FeedItem } from "../feeds/feed.ts";
import { parseHtml } from "@pergamon-dev/html/parser/parse";
import { selectAll } from "@pergamon-dev/html/selection/selection";
import { serializeHtml } from "@pergamon-dev/html/selection/serialize";

/** Outlines deeper than this are written at this depth. */
const MAX_DEPTH = 10;

/** A feed as a page, with what it says of each item both for readers and, as schema.org microdata, for programs. */
export function feedHtml(feed: Feed, feedUrl: string): string {
  const { title, url, description, language, items, isList } = feed;
  const head = [
    title === undefined ? "" : `<title>${escapeText(title)}</title>`,
    description === undefined ? "" : `<meta name="description" content="${escapeAttribute(description)}">`,
  ];
  const body = [
    title === undefined ? "" : `<h1>${linked(title, url)}</h1>`,
    description === undefined ? "" : `<p>${escapeText(description)}</p>`,
    isList ? listHtml(items, 0) : items.map((item) => articleHtml(item, feedUrl)).join(""),
  ];
  const lang = language === undefined ? "" : ` lang="${escapeAttribute(language)}"`;
  return `<html${lang}><head>${head.join("")}</head><body>${body.join("")}</body></html>`;
}

function articleHtml(item: FeedItem, feedUrl: string): string {
  const { title, url, summaryHtml } = item;
  const heading = title ?? url ?? "";
  return [
    '<article itemscope itemtype="https://schema.org/Article">',
    heading === "" ? "" : `<h2 itemprop="headline">${linked(heading, url)}</h2>`,
    factsHtml(item),
    summaryHtml === undefined ? "" : `<div itemprop="description">${closed(summaryHtml, feedUrl)}</div>`,
    filesHtml(item),
    "</article>",
  ].join("");
}

/** A summary that is cut off within an element, a comment or a script must not swallow the items after it. */
function closed(html: string, feedUrl: string): string {
  if (!html.includes("<")) return html;
  const whole = serializeHtml(selectAll(parseHtml(html)), feedUrl);
  return whole.replace(/^<html><body>/, "").replace(/<\/body><\/html>$/, "");
}

/** When an item appeared, who wrote it, what it is about, in one line. */
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
