import { z } from "zod";

import { askEngine, type EngineParts } from "./ask-engine.ts";
import { withOperators, withParameters } from "./operators.ts";
import type { EngineQuery, EngineResult, SearchEngine } from "./search-engine.ts";

const CATEGORIES = { web: "general", news: "news", images: "images" } as const;
/** A page has some ten results or more. */
const MAX_PAGES = 10;

const Text = z.string().nullish();
const Answer = z.object({
  results: z.array(
    z.object({
      url: z.string(),
      title: z.string().default(""),
      content: Text,
      publishedDate: Text,
      img_src: Text,
      thumbnail: Text,
      resolution: Text,
    }),
  ),
});
type Result = z.output<typeof Answer>["results"][number];

/** An instance of SearXNG whose settings allow JSON (documentation of its search interface). */
export function searxng(base: URL, parts: EngineParts): SearchEngine {
  return {
    name: "searxng",
    lacks: ({ location, period, sortsByDate }) => [
      ...(location === undefined ? [] : (["location"] as const)),
      ...(sortsByDate || (period && sinceOf({ period }) === undefined) ? (["tbs"] as const) : []),
    ],
    async search(query, signal) {
      const found = new Map<string, EngineResult>();
      for (let page = 1; page <= MAX_PAGES && found.size < query.limit; page += 1) {
        const question = { engine: "searxng", url: urlOf(base, query, page), answer: Answer };
        const { results } = await askEngine(question, parts, signal);
        const before = found.size;
        for (const result of results) if (!found.has(result.url)) found.set(result.url, resultOf(result));
        if (found.size === before) break;
      }
      return [...found.values()].slice(0, query.limit);
    },
  };
}

function urlOf(base: URL, query: EngineQuery, page: number): URL {
  const { kind, language, country, safe } = query;
  const url = new URL(base);
  url.pathname = `${url.pathname.replace(/\/$/, "")}/search`;
  return withParameters(url, {
    q: withOperators(query),
    format: "json",
    categories: CATEGORIES[kind],
    language: language === undefined ? undefined : [language, ...(country ? [country] : [])].join("-"),
    time_range: sinceOf(query),
    safesearch: safe === undefined ? undefined : safe ? 2 : 0,
    pageno: page,
  });
}

/** SearXNG has no time range of an hour. */
function sinceOf({ period }: Pick<EngineQuery, "period">): string | undefined {
  return period && "since" in period && period.since !== "hour" ? period.since : undefined;
}

function resultOf({
  url,
  title,
  content,
  publishedDate,
  img_src,
  thumbnail,
  resolution,
}: Result): EngineResult {
  const [, width, height] = /(\d+)\s*[x×]\s*(\d+)/.exec(resolution ?? "") ?? [];
  return {
    url,
    title,
    description: content ?? "",
    date: publishedDate ?? undefined,
    imageUrl: img_src ?? thumbnail ?? undefined,
    imageWidth: width === undefined ? undefined : Number(width),
    imageHeight: height === undefined ? undefined : Number(height),
  };
}
