import { ownProperty } from "@pergamon-dev/kit/own-property";

/** Root elements, with their common prefixes → MIME type. */
const ROOTS: Readonly<Record<string, string>> = {
  rss: "application/rss+xml",
  rdf: "application/rdf+xml",
  feed: "application/atom+xml",
  urlset: "application/sitemap+xml",
  sitemapindex: "application/sitemap+xml",
  opml: "text/x-opml",
};

export const JSON_FEED_TYPE = "application/feed+json";

/** Scholarly articles, in the vocabulary of JATS. */
export const ARTICLE_TYPE = "application/jats+xml";

export const FEED_TYPES: readonly string[] = [...new Set(Object.values(ROOTS)), JSON_FEED_TYPE, ARTICLE_TYPE];

/** Document types with declarations of their own may be long. */
const OPENING_BYTES = 16_384;
/** Markup that may precede the root element. A document type may have declarations of its own. */
const PROLOGUE = /\s*(?:<\?[^]*?\?>|<!--[^]*?-->|<![^[>]*(?:\[[^\]]*\]\s*)?>)\s*/y;
const ELEMENT = /\s*<(?:[a-z][\w.-]*:)?([a-z][a-z-]*)(?=[\s>/])[^>]*>?/iy;
/** An element of this name is an article in HTML and in DocBook, too, but there it has other parts. */
const PARTS_OF_ARTICLE: ReadonlySet<string> = new Set(["processing-meta", "front", "body", "back"]);
const JSON_FEED = /^\s*\{[^]*?"version"\s*:\s*"https?:\\?\/\\?\/jsonfeed\.org\\?\/version\\?\/1/;
const RSS_NAMESPACE = /purl\.org\/rss\/|my\.netscape\.com\/rdf/;

/** MIME type of a body whose first bytes identify a feed, a sitemap or an outline of feeds. */
export function feedTypeOf(body: Uint8Array): string | undefined {
  // UTF-16 has a zero byte in each character of these names.
  const opening = Buffer.from(body.subarray(0, OPENING_BYTES))
    .toString("latin1")
    .replace(/^(?:\u00ef\u00bb\u00bf|\u00fe\u00ff|\u00ff\u00fe)/, "")
    .replaceAll("\0", "");
  if (JSON_FEED.test(opening)) return JSON_FEED_TYPE;
  const [root, first] = firstElements(opening);
  // RDF has other uses than feeds.
  if (root === "rdf" && !RSS_NAMESPACE.test(opening)) return undefined;
  if (root === "article") return PARTS_OF_ARTICLE.has(first) ? ARTICLE_TYPE : undefined;
  return ownProperty(ROOTS, root);
}

/** Names of the root and of the element below it, in lower case. */
function firstElements(opening: string): readonly [root: string, first: string] {
  let at = Math.max(0, opening.search(/\S/));
  const next = () => {
    for (PROLOGUE.lastIndex = at; PROLOGUE.test(opening);) at = PROLOGUE.lastIndex;
    ELEMENT.lastIndex = at;
    const name = ELEMENT.exec(opening)?.[1]?.toLowerCase() ?? "";
    at = ELEMENT.lastIndex;
    return name;
  };
  return [next(), next()];
}
