import { z } from "zod";

import { askEngine, type EngineParts } from "./ask-engine.ts";
import type { EngineOption, EngineQuery, EngineResult, SearchEngine } from "./search-engine.ts";

const ORIGIN = "https://api.tavily.com";
/** Maximum results of one request (reference of the Tavily API). */
const MAX_RESULTS = 20;

const Answer = z.object({
  results: z
    .array(
      z.object({
        url: z.string(),
        title: z.string().default(""),
        content: z.string().nullish(),
        published_date: z.string().nullish(),
      }),
    )
    .default([]),
  images: z
    .array(z.union([z.string(), z.object({ url: z.string(), description: z.string().nullish() })]))
    .default([]),
});

export function tavily(key: string, parts: EngineParts): SearchEngine {
  return {
    name: "tavily",
    lacks,
    async search(query, signal) {
      const url = new URL("/search", parts.origin ?? ORIGIN);
      const headers = { authorization: `Bearer ${key}` };
      const question = { engine: "tavily", url, headers, body: bodyOf(query), answer: Answer };
      const { results, images } = await askEngine(question, parts, signal);
      const found = query.kind === "images" ? images.map(imageOf) : results.map(resultOf);
      return found.slice(0, query.limit);
    },
  };
}

function lacks(query: EngineQuery): readonly EngineOption[] {
  const { kind, language, location, safe, sortsByDate, period, country } = query;
  return [
    ...(lacksCategories(query) ? (["categories"] as const) : []),
    ...(language === undefined || language === "en" ? [] : (["lang"] as const)),
    ...(country !== undefined && kind === "news" ? (["country"] as const) : []),
    ...(location === undefined ? [] : (["location"] as const)),
    ...(safe === undefined ? [] : (["safe"] as const)),
    ...(sortsByDate || (period && "since" in period && period.since === "hour") ? (["tbs"] as const) : []),
  ];
}

function bodyOf(query: EngineQuery): object {
  const { kind, words, limit, excludeDomains, period, country } = query;
  const includeDomains = domainsOf(query);
  return {
    query: words,
    max_results: Math.min(limit, MAX_RESULTS),
    topic: kind === "news" ? "news" : "general",
    ...(kind === "images" && { include_images: true, include_image_descriptions: true }),
    ...(includeDomains.length > 0 && { include_domains: includeDomains }),
    ...(excludeDomains.length > 0 && { exclude_domains: excludeDomains }),
    ...(period && "since" in period && { time_range: period.since === "hour" ? "day" : period.since }),
    ...(period && "from" in period && { start_date: period.from, end_date: period.to }),
    ...(country && kind !== "news" && { country: nameOf(country) }),
  };
}

/** Tavily supports lists of hosts, but no operators. */
function domainsOf({ includeDomains, anyOf }: EngineQuery): readonly string[] {
  return includeDomains.length > 0
    ? includeDomains
    : anyOf.map((operator) => operator.replace(/^site:\.?/, ""));
}

function lacksCategories({ includeDomains, anyOf }: EngineQuery): boolean {
  return (
    anyOf.length > 0 && (includeDomains.length > 0 || anyOf.some((operator) => !operator.startsWith("site:")))
  );
}

/** `DE` → `germany` */
function nameOf(country: string): string | undefined {
  return new Intl.DisplayNames(["en"], { type: "region" }).of(country)?.toLowerCase();
}

type Answered = z.output<typeof Answer>;

function resultOf({ url, title, content, published_date }: Answered["results"][number]): EngineResult {
  return { url, title, description: content ?? "", date: published_date ?? undefined };
}

function imageOf(image: Answered["images"][number]): EngineResult {
  const { url, description } = typeof image === "string" ? { url: image, description: undefined } : image;
  return { url, title: description ?? "", description: "", imageUrl: url };
}
