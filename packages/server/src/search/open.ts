import { searchRequestSchema } from "./request.ts";
import { type PageSearch, runSearch, type SearchServices } from "./run-search.ts";
import { ForeignThread } from "@pergamon-dev/kit/foreign/thread";
import { parseEgressRules } from "../net/guard/egress-rules.ts";
import { openGuard } from "../net/guard/guard.ts";
import { openResolver } from "../net/guard/resolver.ts";
import { ServiceCalls } from "../net/service-call.ts";
import { openSearchEngine, ownHostOf } from "./engines/drivers.ts";
import type { SearchEngine } from "./engines/search-engine.ts";
import { lazy } from "@pergamon-dev/kit/lazy";
import type { scrapeRequestSchema } from "../scrape/request/schema.ts";
import type { Scraping } from "../scrape/open.ts";
import type { ToolsContext } from "../tools/open.ts";
import type { Context } from "../config/context.ts";
import { noted, PARTS } from "../storage/part-health.ts";
import type { History } from "../history/open.ts";
import type { Storage } from "../storage/open.ts";

type SearchContext = Context &
  Storage &
  History &
  Scraping &
  ToolsContext & {
    readonly scrape: () => ReturnType<typeof scrapeRequestSchema>;
    /** Opened later. */
    readonly stores: SearchServices["stores"];
  };

export function openSearch(context: SearchContext): PageSearch {
  const { services, pageIndex, health, tools, scrape, stores } = context;
  const request = lazy(() => searchRequestSchema(scrape()));
  const engines = openEngines(context).map((engine) => watched(engine, health));
  const searchRequest = (body: unknown) => request().parse(body);
  const all = { ...services, searchRequest, engines, pageIndex, stores, tools };
  return { run: (call, isGone) => runSearch(call, all, isGone) };
}

/** The same engine. The health of its service is recorded. */
function watched(engine: SearchEngine, health: Storage["health"]): SearchEngine {
  const part = { part: PARTS.search, target: engine.name };
  return {
    name: engine.name,
    lacks: (query) => engine.lacks(query),
    search: (query, signal) => noted(health, part, () => engine.search(query, signal), signal),
  };
}

/** Only the operator's own engine may be on a private network, at exactly its own address. */
function openEngines({ config, resources }: Context): readonly SearchEngine[] {
  const { engines, key } = config.search;
  if (engines.length === 0) return [];
  const own = engines.flatMap((address) => ownHostOf(address) ?? []);
  const rules = parseEgressRules([...config.network.egressAllow, ...own]);
  const guard = openGuard({ rules, resolver: openResolver({ servers: config.network.dnsServers }) });
  const calls = resources.add(new ServiceCalls(guard), (opened) => opened.close());
  const thread = resources.add(new ForeignThread(), (opened) => opened.close());
  const parts = { call: calls.call.bind(calls), thread };
  return engines.map((address) => openSearchEngine(address, key, parts));
}
