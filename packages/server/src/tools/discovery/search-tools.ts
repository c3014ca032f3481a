import type { Caller } from "../../accounts/callers.ts";
import { ForbiddenError, ServiceError } from "../../api/errors.ts";
import { knows } from "../catalogue/catalogue.ts";
import { hostOf } from "../catalogue/domains.ts";
import { requireProviderTools } from "../requests/gates.ts";
import type { ToolServices } from "../run-tools.ts";
import { discover, DiscoverOptions } from "./discover.ts";
import { withoutTerms } from "./domain-tools.ts";

/** What a search wants of provider tools. */
export interface ToolSearch {
  readonly caller: Caller;
  readonly query: string;
  readonly limit: number;
  /** Whether nothing may be kept of it. */
  readonly isPrivate: boolean;
  /** Whether tools for the words of the search are wanted. */
  readonly byQuery: boolean;
  /** Whether tools for the hosts of its results are wanted. */
  readonly byDomain: boolean;
}

/** Clients recognise these sentences, and look for web pages alone then. */
const NOT_ENABLED = "This endpoint is not enabled for this team.";
const NOT_PRIVATE = "Provider discovery requires access and does not support zero data retention.";

/** Results whose hosts tools are looked for. */
const MAX_URLS = 100;

/** @throws ForbiddenError when the search asks for tools, and the team may not use any. */
export function refuseSearch(
  { byQuery, byDomain, isPrivate, caller: { team } }: ToolSearch,
  tools: ToolServices,
): void {
  if (!byQuery && !byDomain) return;
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
 * @param found URLs of results.
 */
export async function findForSearch(
  { caller, query, limit, byQuery, byDomain }: ToolSearch,
  found: readonly string[],
  { catalogue, terms }: Pick<ToolServices, "catalogue" | "terms">,
): Promise<{ readonly tools: readonly object[] | undefined; readonly warnings: readonly string[] }> {
  if (!byQuery && !byDomain) return { tools: undefined, warnings: [] };
  const level = "tools" as const;
  const look = async (options: object) => (await discover(DiscoverOptions.parse(options), catalogue)).items;
  const ofQuery = byQuery ? await look({ query, level, limit: Math.min(limit, 50) }) : [];
  const urls = found.slice(0, MAX_URLS);
  if (!byDomain || urls.length === 0) return { tools: ofQuery, warnings: [] };
  const hosts = urls.flatMap((url) => hostOf(url) ?? []);
  const known = catalogue.providers.filter((provider) => hosts.some((host) => knows(provider, host)));
  const closed = await withoutTerms(caller, known, terms);
  const providers = known.map(({ id }) => id).filter((id) => !closed.ids.has(id));
  const ofHosts = providers.length > 0 ? await look({ urls, level, providers }) : [];
  return { tools: [...ofQuery, ...ofHosts], warnings: closed.warnings };
}
