import type { EngineQuery, Period, SearchKind } from "./engines/search-engine.ts";
import { operatorsOf } from "./categories.ts";
import type { SearchRequest } from "./search-request.ts";

const DEFAULT_LANGUAGE = "en";
const DEFAULT_COUNTRY = "US";

const SINCE: ReadonlyMap<string, "hour" | "day" | "week" | "month" | "year"> = new Map([
  ["h", "hour"],
  ["d", "day"],
  ["w", "week"],
  ["m", "month"],
  ["y", "year"],
]);

/** What is asked of engines for one source: what the request says, and nothing that it does not. */
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

/** The same with what holds where the request says nothing. */
export function withDefaults(query: EngineQuery): EngineQuery {
  const country = query.location === undefined ? DEFAULT_COUNTRY : undefined;
  return { ...query, language: query.language ?? DEFAULT_LANGUAGE, country: query.country ?? country };
}

/** `qdr:w`, or `cdr:1,cd_min:5/1/2026,cd_max:5/31/2026`; undefined for anything else. */
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

/** Whether the calendar has the day: V8 counts 31 February on into March. */
function isDay(written: string): boolean {
  const time = Date.parse(`${written}T00:00:00Z`);
  return !Number.isNaN(time) && new Date(time).toISOString().startsWith(written);
}

function withoutUndefined<Value extends object>(value: Value): Partial<Value> {
  return Object.fromEntries(Object.entries(value).filter(([, one]) => one !== undefined)) as Partial<Value>;
}
