import { ForbiddenError, ServiceError } from "../api/errors.ts";
import type { EngineResult } from "./engines/search-engine.ts";
import { knows } from "../tools/catalogue/catalogue.ts";
import { hostOf } from "../tools/catalogue/domains.ts";
import { discover, DiscoverOptions } from "../tools/discovery/discover.ts";
import { withoutTerms } from "../tools/discovery/domain-tools.ts";
import { requireProviderTools } from "../tools/requests/gates.ts";
import type { ToolServices } from "../tools/run-tools.ts";
import type { SearchWork } from "./end-of-search.ts";

/** Clients recognise these sentences, and look for web pages alone then. */
const NOT_ENABLED = "This endpoint is not enabled for this team.";
const NOT_PRIVATE = "Provider discovery requires access and does not support zero data retention.";

/** Results whose hosts tools are looked for. */
const MAX_URLS = 100;

/** @throws ForbiddenError when the search asks for tools, and the team may not use any. */
export function refuseTools({ request, caller: { team }, isPrivate }: SearchWork, tools: ToolServices): void {
  if (!request.domainTools && !request.sources.some(({ type }) => type === "alexandria")) return;
  if (isPrivate) throw new ForbiddenError(NOT_PRIVATE);
  try {
    requireProviderTools(team, tools.isOnByDefault);
  } catch (failure) {
    throw failure instanceof ServiceError ? new ForbiddenError(NOT_ENABLED) : failure;
  }
}

/**
 * Tools for the words of a search, and for the hosts of what it found; undefined where none are wanted. Those for hosts
 * need accepted terms.
 */
export async function findTools(
  { request, caller }: SearchWork,
  web: readonly EngineResult[],
  { catalogue, terms }: ToolServices,
): Promise<{ readonly tools: readonly object[] | undefined; readonly warnings: readonly string[] }> {
  const { query, limit, domainTools } = request;
  const wantsTools = request.sources.some(({ type }) => type === "alexandria");
  if (!wantsTools && !domainTools) return { tools: undefined, warnings: [] };
  const level = "tools" as const;
  const found = async (options: object) => (await discover(DiscoverOptions.parse(options), catalogue)).items;
  const ofQuery = wantsTools ? await found({ query, level, limit: Math.min(limit, 50) }) : [];
  const urls = web.slice(0, MAX_URLS).map(({ url }) => url);
  if (!domainTools || urls.length === 0) return { tools: ofQuery, warnings: [] };
  const hosts = urls.flatMap((url) => hostOf(url) ?? []);
  const known = catalogue.providers.filter((provider) => hosts.some((host) => knows(provider, host)));
  const closed = await withoutTerms(caller, known, terms);
  const providers = known.map(({ id }) => id).filter((id) => !closed.ids.has(id));
  const ofHosts = providers.length > 0 ? await found({ urls, level, providers }) : [];
  return { tools: [...ofQuery, ...ofHosts], warnings: closed.warnings };
}
