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

/** What a look for pages brought. */
interface FoundPages {
  readonly urls: readonly string[];
  readonly creditsUsed: number;
  readonly warning?: string | undefined;
}

/** For whom pages are looked for, and which look it is: below each URL in order, then by a search. */
interface FindOrder {
  readonly number: number;
  readonly caller: Caller;
}

const MAX_FIND_MS = 60_000;
/** Of a search. */
const MAX_RESULTS = 10;
/** Failures that may be over the next time. */
const PASSING = new Set(["OVERLOADED", "billing_unavailable", "UNKNOWN_ERROR"]);

/**
 * Looks for pages once. A look that fails is reported as a warning: what else is found counts.
 * @throws what may be over the next time, and the signal's reason.
 */
export async function findPages(
  extracting: ExtractStep,
  { number, caller }: FindOrder,
  services: FindServices,
): Promise<FoundPages> {
  const { run, plan, signal } = extracting;
  const { below, query, threatProtection } = plan.options;
  // Repeated after the death of a process, it is charged once.
  const order = { id: workId(run.id, number), caller, linkBase: run.linkBase };
  const timeout = Math.min(MAX_FIND_MS, timeLeftMs(extracting));
  const common = { timeout: Math.ceil(timeout), ...(threatProtection && { threatProtection }) };
  const url = below[number];
  try {
    if (url !== undefined) {
      const body = { ...common, ...mapBody(extracting, url) };
      const { links, creditsUsed, warning } = await services.map.run({ ...order, body }, signal);
      return { urls: links.map((link) => link.url), creditsUsed, warning };
    }
    const body = { ...common, query, limit: MAX_RESULTS, highlights: false };
    const { byKind, creditsUsed, warning } = await services.search.run({ ...order, body }, signal);
    return { urls: (byKind.get("web") ?? []).map((result) => result.url), creditsUsed, warning };
  } catch (failure) {
    extracting.stop.throwIfAborted();
    // A timeout of the request aborts, too, and fails nothing but this look.
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

/** Of the words by which pages are ranked. */
const MAX_WORDS_LENGTH = 1000;

/** The same for each repetition of a look, and for nothing else: a UUID made of its name. */
function workId(runId: string, number: number): string {
  const digits = sha256Hex(`${runId} find ${number}`);
  // It begins as the id of its run does, which tells when it was made.
  return `${runId.slice(0, 13)}-7${digits.slice(0, 3)}-8${digits.slice(3, 6)}-${digits.slice(6, 18)}`;
}

/** Ends a look for pages: those that are new are read, as far as the limit goes. */
export async function endFind(
  { step, place, run, plan }: ExtractStep,
  { urls: found, creditsUsed, warning }: FoundPages,
  pages: PageList,
): Promise<void> {
  const { id: runId, teamId } = run;
  const extract = await getExtract(place.database, runId);
  if (!extract) return;
  const fresh = newPages(found, extract.found, plan.options.limit);
  const part = await pages.write({ jobId: runId, teamId, urls: [...fresh.values()] });
  await place.database.transaction(async (tx) => {
    if (!(await step.end(tx))) return;
    await writeEnd(tx, runId, [...extract.found, ...fresh.keys()]);
    await pages.join(tx, part);
    await place.dispatcher.admit(tx, runId, fresh.size);
    await place.dispatcher.addCredits(tx, runId, creditsUsed);
    if (warning !== undefined) await place.dispatcher.warn(tx, runId, warning);
    await place.dispatcher.proceed(tx, run);
  });
}

/** Pages that are not among the known ones, by their key. */
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
