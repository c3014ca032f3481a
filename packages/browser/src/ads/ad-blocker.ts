import type { Protocol } from "devtools-protocol";

import { ownProperty } from "@pergamon-dev/kit/own-property";
import { seedHosts } from "./seed-hosts.ts";

/** A request that a page is about to send. */
interface JudgedRequest {
  readonly url: string;
  readonly type: Protocol.Network.ResourceType;
  /** URL of the main document. */
  readonly pageUrl: string;
}

/** Tells requests for advertisements and trackers from those that a page needs. */
export interface AdBlocker {
  blocks(request: JudgedRequest): boolean;
  /** Number of filters in use. */
  readonly filters: number;
  /**
   * Every blocked request matches one of these patterns, in the syntax of the DevTools protocol; undefined
   * when any request may be blocked. Each request that is checked costs a message each way, so few patterns
   * pay off.
   */
  readonly urlPatterns: readonly string[] | undefined;
}

/**
 * Resource types of the DevTools protocol → names of the filter engine. The engine has no separate kind for
 * the others.
 */
const ENGINE_TYPES = {
  Document: "sub_frame",
  Stylesheet: "stylesheet",
  Image: "image",
  Media: "media",
  Font: "font",
  Script: "script",
  XHR: "xhr",
  Fetch: "fetch",
  Ping: "ping",
  WebSocket: "websocket",
} as const satisfies Partial<Record<Protocol.Network.ResourceType, string>>;

/** Requests of these kinds fetch page content. From the page's own site, they are never blocked. */
const PAGE_DATA: ReadonlySet<Protocol.Network.ResourceType> = new Set(["XHR", "Fetch", "Document"]);

/** Filters and URL patterns for hosts of which only some paths are blocked. */
const SEED_RULES = [
  ["||connect.facebook.net^*/fbevents.js", "*://connect.facebook.net/*/fbevents.js*"],
  ["||facebook.com/tr^$third-party", "*facebook.com/tr*"],
  ["||google.com/ads^$third-party", "*google.com/ads/*"],
  ["||google.com/pagead^$third-party", "*google.com/pagead/*"],
  ["||bing.com/action^$third-party", "*bing.com/action/*"],
] as const;

export const seedFilters = [
  ...seedHosts.map((host) => `||${host}^$third-party`),
  ...SEED_RULES.map(([filter]) => filter),
].join("\n");

/** These patterns match too much, such as a host in the query of another URL. The filters decide. */
const seedPatterns = [
  ...seedHosts.map((host) => `*://*${host}/*`),
  ...SEED_RULES.map(([, pattern]) => pattern),
];

/**
 * Builds a blocker from our filters and from filter lists in the common syntax. Lines that are not request
 * filters are ignored. NOTE: a list of 80,000 filters takes a good part of a second.
 */
export async function makeAdBlocker(lists: readonly string[] = []): Promise<AdBlocker> {
  const { FiltersEngine, Request } = await import("@ghostery/adblocker");
  const engine = FiltersEngine.parse([seedFilters, ...lists].join("\n"), { loadCosmeticFilters: false });
  const filters = engine.getFilters().networkFilters.length;
  return {
    filters,
    urlPatterns: lists.length > 0 ? undefined : seedPatterns,
    blocks({ url, type, pageUrl }) {
      const engineType = ownProperty(ENGINE_TYPES, type) ?? "other";
      const request = Request.fromRawDetails({ url, sourceUrl: pageUrl, type: engineType });
      if (request.isFirstParty && PAGE_DATA.has(type)) return false;
      return engine.match(request).match;
    },
  };
}
