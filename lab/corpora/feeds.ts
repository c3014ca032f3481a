import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";

import { decodeBody } from "../../packages/html/src/parser/decode.ts";
import { parseHtml } from "../../packages/html/src/parser/parse.ts";
import { type Feed, readJsonFeed, readXmlFeed } from "../../packages/server/src/fetch/feeds/feed.ts";
import { feedTypeOf, JSON_FEED_TYPE } from "../../packages/server/src/fetch/feeds/feed-type.ts";
import { Score } from "./score.ts";

/** Relative addresses of the feeds resolve against it. */
const SITE = "http://127.0.0.1:8097/";
/** `Expect: not bozo and entries[0]['title'] == 'Example'`, in the comment at the head of each feed. */
const EXPECTED =
  /(?:(feed)|entries\[(\d+)\])\['(title|link|published_parsed|updated_parsed)'\] == (?:u?'((?:[^'\\]|\\.)*)'|u?"((?:[^"\\]|\\.)*)"|\(([\d, ]+)\))/g;
const SENT_TYPE = /^Header:\s+content-type:\s*(.+)$/im;

/** The feeds of feedparser: whether each is read, with all its entries, and what its test expects of it. */
export function scoreFeeds(folder: string, verbose: boolean): Score {
  const score = new Score(verbose);
  const files = readdirSync(join(folder, "tests"), { recursive: true, encoding: "utf8" });
  for (const file of files.filter((name) => /\.(?:xml|json)$/.test(name)).sort())
    scoreFeed(readFileSync(join(folder, "tests", file)), file, score);
  return score;
}

function scoreFeed(body: Uint8Array, file: string, score: Score): void {
  const opening = Buffer.from(body).toString("latin1").replaceAll("\0", "");
  if (!ROOT.test(opening)) return;
  const type = feedTypeOf(body);
  const text = decodeBody(body, SENT_TYPE.exec(opening)?.[1] ?? "");
  const feed = type === JSON_FEED_TYPE ? readJsonFeed(text) : readXmlFeed(text, SITE + file);
  score.note("read as a feed", feed !== undefined && type !== undefined, file);
  if (!feed) return;
  if (type !== JSON_FEED_TYPE) {
    const entries = text.replace(/<!--[^]*?-->|<!\[CDATA\[[^]*?\]\]>/g, "").match(ENTRY)?.length ?? 0;
    score.note("number of entries", feed.items.length === entries, `${file}: ${String(feed.items.length)}`);
  }
  for (const expected of opening.matchAll(EXPECTED)) compare(feed, expected, file, score);
}

const ROOT = /<(?:\w+:)?(?:rss|rdf|feed)[\s>]|jsonfeed\.org/i;
const ENTRY = /<(?:[a-z]\w*:)?(?:item|entry)(?=[\s/>])/gi;

function compare(feed: Feed, expected: RegExpMatchArray, file: string, score: Score): void {
  const [, ofFeed, entry = "0", field = "", single, double, time] = expected;
  const of = ofFeed === undefined ? feed.items[Number(entry)] : feed;
  if (field.endsWith("_parsed")) {
    if (ofFeed !== undefined || time === undefined) return;
    const [year = 0, month = 1, ...rest] = time.split(",").map(Number);
    const wanted = Date.UTC(year, month - 1, ...rest.slice(0, 4));
    const date = feed.items[Number(entry)]?.date ?? "";
    score.note("entry date", Date.parse(date) === wanted, `${file}: ${date}`);
    return;
  }
  const written = unescaped(single ?? double ?? "");
  const isTitle = field === "title";
  const wanted = isTitle ? shown(written) : written;
  const given = isTitle ? (of?.title ?? "") : addressOf(of?.url, file);
  const isRight = given.replace(/\s+/g, " ").trim() === wanted.replace(/\s+/g, " ").trim();
  score.note(`${ofFeed ?? "entry"} ${field}`, isRight, `${file}: ${given} ← ${wanted}`);
}

function addressOf(url: string | undefined, file: string): string {
  return url === undefined ? "" : (URL.parse(url, SITE + file)?.href ?? url);
}

function unescaped(python: string): string {
  return python
    .replace(/\\x([\da-f]{2})|\\u([\da-f]{4})|\\U([\da-f]{8})/gi, (_all, two, four, eight) =>
      String.fromCodePoint(Number.parseInt(two ?? four ?? eight, 16)),
    )
    .replace(/\\([\\'"])/g, "$1")
    .replace(/\\[nrt]/g, " ");
}

/** A title as readers show it; feedparser keeps its markup. */
function shown(markup: string): string {
  if (!/[<&]/.test(markup)) return markup;
  const tree = parseHtml(`<body>${markup.replace(/<(?![a-z/!?])/gi, "&lt;")}`);
  return tree.textContent(0);
}
