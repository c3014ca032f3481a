import type { Caller } from "../../accounts/callers.ts";
import { ForbiddenError, ServiceError } from "../../api/errors.ts";
import { knows } from "../catalogue/catalogue.ts";
import { hostOf } from "../catalogue/domains.ts";
import { requireProviderTools } from "../requests/gates.ts";
import type { ToolServices } from "../run-tools.ts";
import { discover, DiscoverOptions } from "./discover.ts";
import { withoutTerms } from "./domain-tools.ts";

export interface ToolSearch {
  readonly caller: Caller;
  readonly query: string;
  readonly limit: number;
  /** True when nothing about the search may be stored. */
  readonly isPrivate: boolean;
  /** Whether to find tools for the words of the search. */
  readonly byQuery: boolean;
  /** Whether to find tools for the hosts of the results. */
  readonly byDomain: boolean;
}

/** Clients recognise these sentences and then search web pages only. */
const NOT_ENABLED = "This endpoint is not enabled for this team.";
const NOT_PRIVATE = "Provider discovery requires access and does not support zero data retention.";

/** Maximum results whose hosts are searched for tools. */
const MAX_URLS = 100;

/** @throws ForbiddenError when the search asks for tools that the team may not use. */
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
 * Tools for the words of a search and for the hosts of its results; undefined when the search asks for none.
 * Tools for hosts need accepted terms.
 * @param found URLs of the results.
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
