import { isBlockedByLists } from "../accounts/threat-policy.ts";
import type { ThreatPolicy } from "../api/threat-policy.ts";
import { type Address, foundAddress } from "@pergamon-dev/kit/address";
import { ServiceError } from "../api/errors.ts";
import type { Log } from "@pergamon-dev/kit/log/log";
import {
  type EngineOption,
  type EngineQuery,
  type EngineResult,
  type Period,
  type SearchEngine,
  SearchEngineError,
  type SearchKind,
} from "./engines/search-engine.ts";
import type { BlockedSites } from "../scrape/request/blocked-sites.ts";
import type { SearchRequest } from "./request.ts";
import { operatorsOf } from "./categories.ts";

/** A result whose addresses do not exceed the length limit. */
export interface FoundResult extends EngineResult {
  readonly url: Address;
}

/** Results by source, and warnings about unsupported options. */
interface FoundResults {
  readonly byKind: ReadonlyMap<SearchKind, readonly FoundResult[]>;
  readonly warnings: readonly string[];
}

interface FindServices {
  readonly blockedSites: BlockedSites;
  readonly log: Pick<Log, "warn">;
}

/** Joins option names in warnings. */
const listed = new Intl.ListFormat("en", { type: "conjunction" });

/**
 * Asks the engines in order, until one answers for all sources.
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

/** Removes results that must not be shown. */
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

/** Responses of engines are not trusted. */
function hasAddress(result: EngineResult): result is FoundResult {
  const { url, imageUrl = "" } = result;
  return foundAddress(url) !== undefined && foundAddress(imageUrl) !== undefined;
}

function kindsOf({ sources }: SearchRequest): readonly SearchKind[] {
  const asked = new Set(sources.map(({ type }) => type));
  return (["web", "news", "images"] as const).filter((kind) => asked.has(kind));
}

const DEFAULT_LANGUAGE = "en";
const DEFAULT_COUNTRY = "US";

const SINCE: ReadonlyMap<string, "hour" | "day" | "week" | "month" | "year"> = new Map([
  ["h", "hour"],
  ["d", "day"],
  ["w", "week"],
  ["m", "month"],
  ["y", "year"],
]);

/** Query of one source for engines. It contains only the options of the request. */
export function engineQueryOf(request: SearchRequest, kind: SearchKind): EngineQuery {
  const source = request.sources.find(({ type }) => type === kind);
  const own = source && "tbs" in source ? source : {};
  const { tbs, lang, country, location } = { ...request, ...withoutUndefined(own) };
  return {
    kind,
    words: request.query,
    limit: request.limit,
    includeDomains: request.includeDomains,
    excludeDomains: request.excludeDomains,
    anyOf: operatorsOf(request.categories),
    period: periodOf(tbs ?? ""),
    language: lang?.toLowerCase(),
    country: country?.toUpperCase(),
    location,
    safe: request.safe,
    sortsByDate: /(?:^|,)sbd:1(?:,|$)/.test(tbs ?? ""),
  };
}

/** The query with defaults for options that the request does not set. */
export function withDefaults(query: EngineQuery): EngineQuery {
  const country = query.location === undefined ? DEFAULT_COUNTRY : undefined;
  return { ...query, language: query.language ?? DEFAULT_LANGUAGE, country: query.country ?? country };
}

/** Parses `qdr:w`, or `cdr:1,cd_min:5/1/2026,cd_max:5/31/2026`. Undefined for anything else. */
function periodOf(tbs: string): Period | undefined {
  const since = SINCE.get(/(?:^|,)qdr:([hdwmy])(?:,|$)/.exec(tbs)?.[1] ?? "");
  if (since) return { since };
  const [from, to] = [dayAfter("cd_min", tbs), dayAfter("cd_max", tbs)];
  return from !== undefined && to !== undefined ? { from, to } : undefined;
}

function dayAfter(name: string, tbs: string): string | undefined {
  const [, month, day, year] = new RegExp(`${name}:(\\d{1,2})/(\\d{1,2})/(\\d{4})`).exec(tbs) ?? [];
  if (month === undefined || day === undefined || year === undefined) return undefined;
  const written = `${year}-${month.padStart(2, "0")}-${day.padStart(2, "0")}`;
  return isDay(written) ? written : undefined;
}

/** Whether the day exists in the calendar. V8 accepts 31 February and continues into March. */
function isDay(written: string): boolean {
  const time = Date.parse(`${written}T00:00:00Z`);
  return !Number.isNaN(time) && new Date(time).toISOString().startsWith(written);
}

function withoutUndefined<Value extends object>(value: Value): Partial<Value> {
  return Object.fromEntries(Object.entries(value).filter(([, one]) => one !== undefined)) as Partial<Value>;
}
