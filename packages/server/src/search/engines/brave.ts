import { z } from "zod";

import { askEngine, type EngineParts } from "./ask-engine.ts";
import { withOperators, withParameters } from "./operators.ts";
import type { EngineQuery, EngineResult, SearchEngine, SearchKind } from "./search-engine.ts";

const ORIGIN = "https://api.search.brave.com";

/** Results per page, and maximum number of pages (reference of the Brave Search API). */
const PAGES: Readonly<Record<SearchKind, { readonly size: number; readonly count: number }>> = {
  web: { size: 20, count: 10 },
  news: { size: 50, count: 10 },
  images: { size: 100, count: 1 },
};

const FRESHNESS = { hour: "pd", day: "pd", week: "pw", month: "pm", year: "py" } as const;

const Result = z.object({
  url: z.string(),
  title: z.string().default(""),
  description: z.string().nullish(),
  page_age: z.string().nullish(),
  age: z.string().nullish(),
  thumbnail: z.object({ src: z.string().nullish() }).nullish(),
  properties: z
    .object({ url: z.string().nullish(), width: z.number().nullish(), height: z.number().nullish() })
    .nullish(),
});
const Answer = z.object({
  web: z.object({ results: z.array(Result) }).optional(),
  results: z.array(Result).optional(),
});

export function brave(key: string, parts: EngineParts): SearchEngine {
  return {
    name: "brave",
    lacks: ({ location, sortsByDate, period }) => [
      ...(location === undefined ? [] : (["location"] as const)),
      ...(sortsByDate || (period && "since" in period && period.since === "hour") ? (["tbs"] as const) : []),
    ],
    async search(query, signal) {
      const { size, count } = PAGES[query.kind];
      const found: EngineResult[] = [];
      for (let page = 0; page < count && found.length < query.limit; page += 1) {
        const url = urlOf(query, page, parts.origin ?? ORIGIN);
        const headers = { "x-subscription-token": key };
        const { web, results } = await askEngine(
          { engine: "brave", url, headers, answer: Answer },
          parts,
          signal,
        );
        const listed = web?.results ?? results ?? [];
        found.push(...listed.map(resultOf));
        if (listed.length < Math.min(size, query.limit)) break;
      }
      return found.slice(0, query.limit);
    },
  };
}

function urlOf(query: EngineQuery, page: number, origin: string): URL {
  const { kind, limit, language, country, safe, period } = query;
  return withParameters(new URL(`/res/v1/${kind}/search`, origin), {
    q: withOperators(query),
    count: Math.min(limit, PAGES[kind].size),
    offset: page === 0 ? undefined : page,
    country,
    search_lang: language,
    safesearch: safe === undefined ? undefined : safe ? "strict" : "off",
    freshness: period && ("since" in period ? FRESHNESS[period.since] : `${period.from}to${period.to}`),
  });
}

function resultOf({
  url,
  title,
  description,
  page_age,
  age,
  thumbnail,
  properties,
}: z.output<typeof Result>): EngineResult {
  return {
    url,
    title,
    description: description ?? "",
    date: page_age ?? age ?? undefined,
    imageUrl: properties?.url ?? thumbnail?.src ?? undefined,
    imageWidth: properties?.width ?? undefined,
    imageHeight: properties?.height ?? undefined,
  };
}
