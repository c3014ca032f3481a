import { z } from "zod";

import { askEngine, type EngineParts } from "./ask-engine.ts";
import { withOperators, withParameters } from "./operators.ts";
import type { EngineQuery, EngineResult, SearchEngine } from "./search-engine.ts";

const ORIGIN = "https://www.googleapis.com";
/** Results per page, and in total (reference of the Custom Search JSON API). */
const PAGE_SIZE = 10;
const MAX_RESULTS = 100;
const SINCE = { hour: "d1", day: "d1", week: "w1", month: "m1", year: "y1" } as const;

const Answer = z.object({
  items: z
    .array(
      z.object({
        link: z.string(),
        title: z.string().default(""),
        snippet: z.string().nullish(),
        image: z
          .object({
            contextLink: z.string().nullish(),
            width: z.number().nullish(),
            height: z.number().nullish(),
          })
          .nullish(),
      }),
    )
    .default([]),
});

/** Opens a Programmable Search Engine by its id. */
export function googleCse(
  account: { readonly key: string; readonly engineId: string },
  parts: EngineParts,
): SearchEngine {
  return {
    name: "google-cse",
    lacks: ({ kind, location, period }) => [
      ...(location === undefined ? [] : (["location"] as const)),
      ...(kind === "news" ? (["sources"] as const) : []),
      ...(period && "since" in period && period.since === "hour" ? (["tbs"] as const) : []),
    ],
    async search(query, signal) {
      if (query.kind === "news") return [];
      const found: EngineResult[] = [];
      const wanted = Math.min(query.limit, MAX_RESULTS);
      while (found.length < wanted) {
        const size = Math.min(PAGE_SIZE, wanted - found.length);
        const url = urlOf(
          query,
          { start: found.length + 1, size },
          { ...account, origin: parts.origin ?? ORIGIN },
        );
        const { items } = await askEngine({ engine: "google-cse", url, answer: Answer }, parts, signal);
        found.push(...items.map((item) => resultOf(item, query)));
        if (items.length < size) break;
      }
      return found.slice(0, query.limit);
    },
  };
}

function urlOf(
  query: EngineQuery,
  { start, size }: { readonly start: number; readonly size: number },
  { key, engineId, origin }: { readonly key: string; readonly engineId: string; readonly origin: string },
): URL {
  const { kind, country, language, safe, period, sortsByDate } = query;
  const range = period && "from" in period ? `date:r:${digits(period.from)}:${digits(period.to)}` : undefined;
  return withParameters(new URL("/customsearch/v1", origin), {
    key,
    cx: engineId,
    q: withOperators(query),
    num: size,
    start,
    gl: country?.toLowerCase(),
    hl: language,
    safe: safe === undefined ? undefined : safe ? "active" : "off",
    dateRestrict: period && "since" in period ? SINCE[period.since] : undefined,
    sort: range ?? (sortsByDate ? "date" : undefined),
    searchType: kind === "images" ? "image" : undefined,
  });
}

/** `2026-05-31` → `20260531` */
function digits(day: string): string {
  return day.replaceAll("-", "");
}

function resultOf(
  { link, title, snippet, image }: z.output<typeof Answer>["items"][number],
  { kind }: EngineQuery,
): EngineResult {
  const description = snippet ?? "";
  if (kind !== "images") return { url: link, title, description };
  return {
    url: image?.contextLink ?? link,
    title,
    description,
    imageUrl: link,
    imageWidth: image?.width ?? undefined,
    imageHeight: image?.height ?? undefined,
  };
}
