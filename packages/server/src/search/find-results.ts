import { isBlockedByLists } from "../accounts/threat-policy.ts";
import { type ThreatPolicy } from "../api/threat-policy.ts";
import { type Address, foundAddress } from "@pergamon-dev/kit/address";
import { ServiceError } from "../api/errors.ts";
import type { Log } from "@pergamon-dev/kit/log/log";
import {
  type EngineOption,
  type EngineResult,
  type SearchEngine,
  SearchEngineError,
  type SearchKind,
} from "./engines/search-engine.ts";
import type { BlockedSites } from "../scrape/request/blocked-sites.ts";
import { engineQueryOf, withDefaults } from "./engine-query.ts";
import type { SearchRequest } from "./search-request.ts";

/** A result whose addresses are no longer than addresses are. */
export interface FoundResult extends EngineResult {
  readonly url: Address;
}

/** What was found, by source, and what could not be looked for as it was wanted. */
export interface FoundResults {
  readonly byKind: ReadonlyMap<SearchKind, readonly FoundResult[]>;
  readonly warnings: readonly string[];
}

interface FindServices {
  readonly blockedSites: BlockedSites;
  readonly log: Pick<Log, "warn">;
}

/** Options under the names of the interface, each once. */
const listed = new Intl.ListFormat("en", { type: "conjunction" });

/**
 * Asks the engines in their order, until one answers for all sources.
 * @throws ServiceError SEARCH_FAILED when none does; the signal's reason once it is aborted.
 */
export async function findResults(
  request: SearchRequest,
  engines: readonly SearchEngine[],
  services: FindServices,
  signal: AbortSignal,
): Promise<FoundResults> {
  const failures: string[] = [];
  for (const engine of engines) {
    try {
      return await askAll(request, engine, signal);
    } catch (failure) {
      signal.throwIfAborted();
      if (!(failure instanceof SearchEngineError)) throw failure;
      services.log.warn({ engine: engine.name }, failure.message);
      failures.push(failure.message);
    }
  }
  throw new ServiceError("SEARCH_FAILED", { message: `No search engine answered. ${failures.join(" ")}` });
}

/** Results without those that may not be shown. */
export function allowedResults(
  results: readonly FoundResult[],
  policy: ThreatPolicy | undefined,
  { blockedSites }: FindServices,
): readonly FoundResult[] {
  return results.filter(({ url }) => !blockedSites.has(url) && !(policy && isBlockedByLists(policy, url)));
}

async function askAll(
  request: SearchRequest,
  engine: SearchEngine,
  signal: AbortSignal,
): Promise<FoundResults> {
  const kinds = kindsOf(request);
  const queries = kinds.map((kind) => engineQueryOf(request, kind));
  const found = await Promise.all(queries.map((query) => engine.search(withDefaults(query), signal)));
  const lacking = new Set<EngineOption>(queries.flatMap((query) => engine.lacks(query)));
  return {
    byKind: new Map(kinds.map((kind, index) => [kind, (found[index] ?? []).filter(hasAddress)])),
    warnings: lacking.size === 0 ? [] : [`${engine.name} cannot follow ${listed.format(lacking)}.`],
  };
}

/** Engines may say anything. */
function hasAddress(result: EngineResult): result is FoundResult {
  const { url, imageUrl = "" } = result;
  return foundAddress(url) !== undefined && foundAddress(imageUrl) !== undefined;
}

function kindsOf({ sources }: SearchRequest): readonly SearchKind[] {
  const asked = new Set(sources.map(({ type }) => type));
  return (["web", "news", "images"] as const).filter((kind) => asked.has(kind));
}
