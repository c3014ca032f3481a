import type { Protocol } from "devtools-protocol";

import { ownProperty } from "@pergamon-dev/kit/own-property";
import { seedHosts } from "./seed-hosts.ts";

/** A request that a page is about to make. */
interface JudgedRequest {
  readonly url: string;
  readonly type: Protocol.Network.ResourceType;
  /** The page that was asked for. */
  readonly pageUrl: string;
}

/** Tells requests for advertisements and trackers from those that a page lives on. */
export interface AdBlocker {
  blocks(request: JudgedRequest): boolean;
  /** Filters in use. */
  readonly filters: number;
  /**
   * Every request that it blocks fits one of these, in the syntax of the DevTools protocol; undefined: any may. A
   * request that is looked at costs a message to and fro, so it pays to look at few.
   */
  readonly urlPatterns: readonly string[] | undefined;
}

/** Names of the filter engine for the kinds of the DevTools protocol. What is not named is not a kind of its own there. */
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

/** Scripts of these kinds ask for what the page shows. From its own site they are never taken away on a match alone. */
const PAGE_DATA: ReadonlySet<Protocol.Network.ResourceType> = new Set(["XHR", "Fetch", "Document"]);

/** What only some paths of a host serve: filter and URL pattern. */
const SEED_RULES = [
  ["||connect.facebook.net^*/fbevents.js", "*://connect.facebook.net/*/fbevents.js*"],
  ["||facebook.com/tr^$third-party", "*facebook.com/tr*"],
  ["||google.com/ads^$third-party", "*google.com/ads/*"],
  ["||google.com/pagead^$third-party", "*google.com/pagead/*"],
  ["||bing.com/action^$third-party", "*bing.com/action/*"],
] as const;

/** Filters of this project. */
export const seedFilters = [
  ...seedHosts.map((host) => `||${host}^$third-party`),
  ...SEED_RULES.map(([filter]) => filter),
].join("\n");

/** They take too much, such as a host in the query of another; the filters decide. */
const seedPatterns = [
  ...seedHosts.map((host) => `*://*${host}/*`),
  ...SEED_RULES.map(([, pattern]) => pattern),
];

/**
 * Makes a blocker of our filters and of filter lists in the common syntax. Lines that are not filters of requests count
 * for nothing. NOTE: a list of 80,000 filters takes a good part of a second.
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
