import { ForbiddenError, ServiceError } from "../../contract/errors.ts";
import type { EngineResult } from "../../platform/search-engines/search-engine.ts";
import { discover, DiscoverOptions } from "../../tools/discovery/discover.ts";
import { requireProviderTools } from "../../tools/requests/gates.ts";
import type { ToolServices } from "../../tools/run-tools.ts";
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

/** Tools for the words of a search, and for the hosts of what it found; undefined where none are wanted. */
export async function findTools(
  { request }: SearchWork,
  web: readonly EngineResult[],
  tools: ToolServices,
): Promise<readonly object[] | undefined> {
  const { query, limit, domainTools } = request;
  const wantsTools = request.sources.some(({ type }) => type === "alexandria");
  if (!wantsTools && !domainTools) return undefined;
  const level = "tools" as const;
  const ofQuery = wantsTools ? await found({ query, level, limit: Math.min(limit, 50) }, tools) : [];
  const urls = web.slice(0, MAX_URLS).map(({ url }) => url);
  const ofHosts = domainTools && urls.length > 0 ? await found({ urls, level }, tools) : [];
  return [...ofQuery, ...ofHosts];
}

async function found(options: object, tools: ToolServices): Promise<readonly object[]> {
  return (await discover(DiscoverOptions.parse(options), tools.catalogue)).items;
}
