import { z } from "zod";

import { askEngine, type EngineParts } from "./ask-engine.ts";
import { withOperators } from "./operators.ts";
import type { EngineQuery, EngineResult, Period, SearchEngine } from "./search-engine.ts";

const ORIGIN = "https://google.serper.dev";
const PATHS = { web: "/search", news: "/news", images: "/images" } as const;
const SINCE = { hour: "h", day: "d", week: "w", month: "m", year: "y" } as const;

const Result = z.object({
  link: z.string(),
  title: z.string().default(""),
  snippet: z.string().nullish(),
  date: z.string().nullish(),
  imageUrl: z.string().nullish(),
  imageWidth: z.number().nullish(),
  imageHeight: z.number().nullish(),
});
const List = z.array(Result).optional();
const Answer = z.object({ organic: List, news: List, images: List });

export function serper(key: string, parts: EngineParts): SearchEngine {
  return {
    name: "serper",
    lacks: ({ safe }) => (safe === undefined ? [] : ["safe"]),
    async search(query, signal) {
      const url = new URL(PATHS[query.kind], parts.origin ?? ORIGIN);
      const headers = { "x-api-key": key };
      const question = { engine: "serper", url, headers, body: bodyOf(query), answer: Answer };
      const { organic, news, images } = await askEngine(question, parts, signal);
      return (organic ?? news ?? images ?? []).map(resultOf).slice(0, query.limit);
    },
  };
}

function bodyOf(query: EngineQuery): object {
  const { limit, country, language, location, period, sortsByDate } = query;
  const tbs = [...(period ? [periodOf(period)] : []), ...(sortsByDate ? ["sbd:1"] : [])].join(",");
  return {
    q: withOperators(query),
    num: limit,
    ...(country && { gl: country.toLowerCase() }),
    ...(language && { hl: language }),
    ...(location && { location }),
    ...(tbs && { tbs }),
  };
}

function periodOf(period: Period): string {
  if ("since" in period) return `qdr:${SINCE[period.since]}`;
  return `cdr:1,cd_min:${american(period.from)},cd_max:${american(period.to)}`;
}

/** `2026-05-31` → `5/31/2026` */
function american(day: string): string {
  const [year, month, date] = day.split("-").map(Number);
  return `${month}/${date}/${year}`;
}

function resultOf({ link, title, snippet, ...result }: z.output<typeof Result>): EngineResult {
  return {
    url: link,
    title,
    description: snippet ?? "",
    date: result.date ?? undefined,
    imageUrl: result.imageUrl ?? undefined,
    imageWidth: result.imageWidth ?? undefined,
    imageHeight: result.imageHeight ?? undefined,
  };
}
