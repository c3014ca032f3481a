import type { Caller } from "../accounts/callers.ts";
import { mayRead } from "../api/key-restrictions.ts";
import type { EngineOption, EngineQuery, EngineResult, SearchEngine } from "./engines/search-engine.ts";
import type { PageIndex } from "../history/page-index/page-index.ts";
import { categoryOf, isOfDomain } from "./categories.ts";
import type { SearchCategory } from "./request.ts";

/** Factor for the number of pages to read when only some hosts or categories are wanted. */
const SPREAD = 10;
/** Pages of the team among which those of one job are looked for. */
const COMPARED_FOR_A_JOB = 2000;

interface Wanted {
  readonly caller: Caller;
  readonly categories: readonly SearchCategory[];
  /** Ids of scrapes and addresses. Undefined: all pages of the team. */
  readonly only?: ReadonlySet<string> | undefined;
}

/** Whether the caller's key may read texts of pages, and so excerpts. */
export function mayReadExcerpts({ restrictions }: Caller): boolean {
  return mayRead(restrictions, "markdown");
}

/** Searches the stored pages of a team, when there is no search engine. */
export function ownPages(index: PageIndex, { caller, categories, only }: Wanted): SearchEngine {
  return {
    name: "The search of stored pages",
    lacks,
    async search(query, signal) {
      if (query.kind !== "web") return [];
      const isNarrow = [query.includeDomains, query.excludeDomains, categories].some(
        ({ length }) => length > 0,
      );
      const spread = isNarrow ? query.limit * SPREAD : query.limit;
      const limit = only ? COMPARED_FOR_A_JOB : spread;
      const { teamId } = caller;
      const found = await index.search({ teamId, words: query.words, limit }, signal);
      const shown = found
        .filter(({ scrapeId, url }) => !only || only.has(scrapeId) || only.has(url))
        .filter(({ url }) => isWanted(new URL(url), query, categories))
        .slice(0, query.limit);
      if (!mayReadExcerpts(caller)) return shown.map(({ url, title }) => ({ url, title, description: "" }));
      const urls = shown.map(({ url }) => url);
      const copies = await index.copies({ teamId, urls, words: query.words }, signal);
      return shown.map(({ url, title, description }): EngineResult => {
        return { url, title, description: copies.get(url)?.excerpt || description };
      });
    },
  };
}

function isWanted(
  url: URL,
  { includeDomains, excludeDomains }: EngineQuery,
  categories: readonly SearchCategory[],
): boolean {
  const isOf = (domain: string) => isOfDomain(url.hostname, domain);
  return (
    (includeDomains.length === 0 || includeDomains.some(isOf)) &&
    !excludeDomains.some(isOf) &&
    (categories.length === 0 || categoryOf(url, categories) !== undefined)
  );
}

function lacks({
  kind,
  period,
  language,
  country,
  location,
  safe,
  sortsByDate,
}: EngineQuery): readonly EngineOption[] {
  const asked: readonly (readonly [EngineOption, boolean])[] = [
    ["sources", kind !== "web"],
    ["tbs", period !== undefined || sortsByDate],
    ["lang", language !== undefined],
    ["country", country !== undefined],
    ["location", location !== undefined],
    ["safe", safe !== undefined],
  ];
  return asked.filter(([, isAsked]) => isAsked).map(([option]) => option);
}
