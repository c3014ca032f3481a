import type { EngineResult } from "./engines/search-engine.ts";
import type { ScrapeData } from "../scrape/answer/schema.ts";
import { categoryOf } from "./categories.ts";
import type { SearchOutcome } from "./run-search.ts";

export interface SearchAnswer {
  readonly data: ReturnType<typeof searchData>;
  readonly warning: string | undefined;
  readonly id: string;
  readonly creditsUsed: number;
}

export function searchAnswerOf(outcome: SearchOutcome): SearchAnswer {
  const { warning, id, creditsUsed } = outcome;
  return { data: searchData(outcome), warning, id, creditsUsed };
}

/** Results of a search as in the response, with a list for each requested source. */
export function searchData(outcome: SearchOutcome) {
  const { byKind, tools } = outcome;
  const [web, news, images] = [byKind.get("web"), byKind.get("news"), byKind.get("images")];
  return {
    ...(web && { web: web.map((result, index) => webResult(result, index, outcome)) }),
    ...(news && { news: news.map((result, index) => newsResult(result, index, outcome)) }),
    ...(images && { images: images.flatMap(imageResult) }),
    ...(tools && { tools: tools.map((tool) => ({ ...tool })) }),
  };
}

function webResult(result: EngineResult, index: number, outcome: SearchOutcome) {
  const { url, title, description } = result;
  return { ...pageOf(result, outcome), url, title, description, ...placeOf(result, index, outcome) };
}

function newsResult(result: EngineResult, index: number, outcome: SearchOutcome) {
  const { url, title, description: snippet, date, imageUrl } = result;
  return {
    ...pageOf(result, outcome),
    url,
    title,
    snippet,
    ...(date !== undefined && { date }),
    ...(imageUrl !== undefined && { imageUrl }),
    ...placeOf(result, index, outcome),
  };
}

function imageResult({ url, title, imageUrl, imageWidth, imageHeight }: EngineResult, index: number) {
  if (imageUrl === undefined) return [];
  const size = {
    ...(imageWidth !== undefined && { imageWidth }),
    ...(imageHeight !== undefined && { imageHeight }),
  };
  return [{ title, imageUrl, ...size, url, position: index + 1 }];
}

interface PageMetadata {
  readonly metadata?: ScrapeData["metadata"] | { readonly sourceURL: string; readonly error: string };
}

/** Fields of the page, when pages were requested. */
function pageOf(
  { url }: EngineResult,
  { pages }: SearchOutcome,
): Omit<Partial<ScrapeData>, "metadata" | "images"> & PageMetadata {
  const page = pages.get(url);
  if (!page) return {};
  return "data" in page ? page.data : { metadata: page.metadata };
}

function placeOf({ url }: EngineResult, index: number, { request }: SearchOutcome) {
  const category = categoryOf(new URL(url), request.categories);
  return { position: index + 1, ...(category !== undefined && { category }) };
}
