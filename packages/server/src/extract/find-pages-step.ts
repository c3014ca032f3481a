import { toldOf } from "../api/errors.ts";
import type { Caller } from "../accounts/callers.ts";
import { sha256Hex } from "@pergamon-dev/kit/hash";
import { targetUrl } from "../scrape/request/target-url.ts";
import { wordsOfRequest } from "../scrape/formats/json-either-way.ts";
import { codeOf } from "../accounts/work.ts";
import type { SiteMapper } from "../map/run-map.ts";
import type { PageSearch } from "../search/run-search.ts";
import type { PageList } from "../jobs/page-list.ts";
import { MAX_PAGES_BELOW } from "./request.ts";
import { endFind as writeEnd, getExtract } from "./rows.ts";
import { type ExtractStep, timeLeftMs } from "./step.ts";
import { keyOfPage } from "./urls.ts";

export interface FindServices {
  readonly map: SiteMapper;
  readonly search: PageSearch;
}

interface FoundPages {
  readonly urls: readonly string[];
  readonly creditsUsed: number;
  readonly warning?: string | undefined;
}

/** Caller and number of a search for pages. Each URL has one in order, and the web search comes last. */
interface FindOrder {
  readonly number: number;
  readonly caller: Caller;
}

const MAX_FIND_MS = 60_000;
/** Limit of the web search. */
const MAX_RESULTS = 10;
/** Failures that may pass with the next attempt. */
const PASSING = new Set(["OVERLOADED", "billing_unavailable", "UNKNOWN_ERROR"]);

/**
 * Searches for pages once. A failed search becomes a warning, and the other pages still count.
 * @throws failures that may pass with the next attempt, and the signal's reason.
 */
export async function findPages(
  extracting: ExtractStep,
  { number, caller }: FindOrder,
  services: FindServices,
): Promise<FoundPages> {
  const { job, plan, signal } = extracting;
  const { below, query, threatProtection } = plan.options;
  // The id stays the same when a process dies and the search is repeated, so that it is charged once.
  const order = { id: workId(job.id, number), caller, linkBase: job.linkBase };
  const timeout = Math.min(MAX_FIND_MS, timeLeftMs(extracting));
  const common = { timeout: Math.ceil(timeout), ...(threatProtection && { threatProtection }) };
  const url = below[number];
  try {
    if (url !== undefined) {
      const body = { ...common, ...mapBody(extracting, url) };
      const call = { ...order, body, obeysRobots: true };
      const { links, creditsUsed, warning } = await services.map.run(call, signal);
      return { urls: links.map((link) => link.url), creditsUsed, warning };
    }
    const body = { ...common, query, limit: MAX_RESULTS, highlights: false };
    const { byKind, creditsUsed, warning } = await services.search.run({ ...order, body }, signal);
    return { urls: (byKind.get("web") ?? []).map((result) => result.url), creditsUsed, warning };
  } catch (failure) {
    extracting.stop.throwIfAborted();
    // A timeout of the request aborts too, but fails only this search.
    if (!signal.aborted && PASSING.has(codeOf(failure))) throw failure;
    const about =
      url === undefined ? "The search for pages failed" : `Pages below ${url} could not be listed`;
    return { urls: [], creditsUsed: 0, warning: `${about}: ${toldOf(failure)}` };
  }
}

function mapBody({ plan }: ExtractStep, url: string): object {
  const { ignoreSitemap, includeSubdomains, allowExternalLinks, asked, limit } = plan.options;
  const words = wordsOfRequest(asked).trim().slice(0, MAX_WORDS_LENGTH);
  return {
    url,
    limit: Math.min(MAX_PAGES_BELOW, limit),
    sitemap: ignoreSitemap ? "skip" : "include",
    includeSubdomains,
    allowExternalLinks,
    ...(words !== "" && { search: words }),
  };
}

/** Limit of the text that ranks pages, in characters. */
const MAX_WORDS_LENGTH = 1000;

/** UUID made from the search's name. It is the same for each repetition, and unique to the search. */
function workId(jobId: string, number: number): string {
  const digits = sha256Hex(`${jobId} find ${number}`);
  // Copies the time of the job's id.
  return `${jobId.slice(0, 13)}-7${digits.slice(0, 3)}-8${digits.slice(3, 6)}-${digits.slice(6, 18)}`;
}

/** Ends a search for pages. New pages are read, up to the limit. */
export async function endFind(
  { task, store, job, plan }: ExtractStep,
  { urls: found, creditsUsed, warning }: FoundPages,
  pages: PageList,
): Promise<void> {
  const { id: jobId, teamId } = job;
  const extract = await getExtract(store.database, jobId);
  if (!extract) return;
  const fresh = newPages(found, extract.found, plan.options.limit);
  const part = await pages.write({ jobId: jobId, teamId, urls: [...fresh.values()] });
  await store.database.transaction(async (tx) => {
    const ended = await task.end(tx);
    if (!ended) return;
    await writeEnd(tx, jobId, [...extract.found, ...fresh.keys()]);
    await pages.join(tx, part);
    await store.dispatcher.admit(tx, jobId, fresh.size);
    await store.dispatcher.addCredits(tx, jobId, creditsUsed);
    if (warning !== undefined) await store.dispatcher.warn(tx, jobId, warning);
    await store.dispatcher.dispatchNext(tx, ended);
  });
}

/** Pages with unknown keys. */
function newPages(
  found: readonly string[],
  known: readonly string[],
  limit: number,
): ReadonlyMap<string, string> {
  const isKnown = new Set(known);
  const fresh = new Map<string, string>();
  for (const text of found) {
    const target = targetUrl(text, () => true);
    if (!("url" in target) || known.length + fresh.size >= limit) continue;
    const key = keyOfPage(target.url);
    if (!isKnown.has(key) && !fresh.has(key)) fresh.set(key, target.url);
  }
  return fresh;
}
