import { FEED_TYPES, feedTypeOf } from "../feeds/feed-type.ts";
import { defineKind } from "./kind.ts";
import { readerIn } from "./reader-in.ts";

/**
 * RSS, Atom, JSON Feed, sitemaps and OPML, whose items become a page of links, dates and texts, and articles in
 * JATS (contract, section 3.16e). A file that only claims to be one becomes a block of code.
 */
export const feed = defineKind({
  name: "feed",
  recognisedBy: { types: FEED_TYPES, typeWithin: feedTypeOf, isBinary: false },
  inBrowser: "shown",
  read: readerIn(async () => (await import("./read-feed.ts")).readFeed),
});
