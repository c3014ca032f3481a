import type { Caller } from "../accounts/callers.ts";
import { effectivePolicy } from "../accounts/threat-policy.ts";
import { credits } from "../api/credits.ts";
import { ServiceError } from "../api/errors.ts";
import { startDeadline } from "@pergamon-dev/kit/deadline";
import { untilAborted } from "@pergamon-dev/kit/single-flight";
import { uuidV7 } from "@pergamon-dev/kit/uuid";
import type { SearchEngine, SearchKind } from "./engines/search-engine.ts";
import { refuseRetention } from "../scrape/request/retention.ts";
import { optionsOfJob } from "../scrape/request/schema.ts";
import { keepWork } from "../scrape/record.ts";
import { keptBody } from "../scrape/request/kept-body.ts";
import type { RunServices } from "../scrape/run.ts";
import { codeOf, type PaidWork } from "../accounts/work.ts";
import type { ExcerptedPage } from "../history/page-index/indexed-pages.ts";
import type { PageIndex } from "../history/page-index/page-index.ts";
import { documentsOf } from "../jobs/job-source.ts";
import type { JobStores } from "../jobs/job-store.ts";
import type { ToolSearch } from "../tools/discovery/search-tools.ts";
import type { ProviderTools } from "../tools/open.ts";
import { allowedResults, findResults, type FoundResult } from "./find-results.ts";
import { mayReadExcerpts, ownPages } from "./own-pages.ts";
import { PageScraper, type ResultPage } from "./scrape-results.ts";
import type { SearchRequest } from "./request.ts";
import type { ErrorCode } from "../api/error-codes.ts";
import type { ScrapeRecord } from "../history/scrape-rows.ts";
import type { WorkEnd } from "../accounts/charges.ts";

export interface SearchServices extends RunServices {
  /** @throws ZodError for an invalid body. */
  readonly searchRequest: (body: unknown) => SearchRequest;
  /** Engines in the order of the attempts. Empty: the search uses stored pages. */
  readonly engines: readonly SearchEngine[];
  readonly pageIndex: PageIndex;
  readonly stores: () => JobStores;
  readonly tools: Pick<ProviderTools, "refuseSearch" | "findForSearch">;
}

interface SearchCall {
  /** Default: a new one. */
  readonly id?: string;
  readonly caller: Caller;
  readonly linkBase: string;
  readonly body: unknown;
  /** Pays for the search. Default: the caller. */
  readonly charges?: RunServices["charges"];
}

/** Searches for pages on behalf of other features. */
export interface PageSearch {
  /** @throws as `runSearch`. */
  run(call: SearchCall, isGone: AbortSignal): Promise<SearchOutcome>;
}

export interface SearchOutcome {
  readonly id: string;
  readonly request: SearchRequest;
  readonly byKind: ReadonlyMap<SearchKind, readonly FoundResult[]>;
  /** Pages of web and news results, by URL. Empty when none were requested. */
  readonly pages: ReadonlyMap<string, ResultPage>;
  /** Undefined when none were requested. */
  readonly tools: readonly object[] | undefined;
  readonly warning: string | undefined;
  readonly creditsUsed: number;
}

const OWN_PAGES_ONLY = "Search covers only pages stored by this instance; set SEARCH_URL to search the web.";
const RESULTS_OF_A_PRICE = 10;

/**
 * Searches for pages, and scrapes them if requested. No work continues after the response.
 * @param isGone aborts when the caller no longer waits for the response.
 * @throws ZodError for an invalid body.
 * @throws ServiceError SEARCH_TIMEOUT, SEARCH_FAILED; ForbiddenError when the caller may not ask for this.
 */
export async function runSearch(
  call: SearchCall,
  all: SearchServices,
  isGone: AbortSignal,
): Promise<SearchOutcome> {
  const services = { ...all, charges: call.charges ?? all.charges };
  const request = services.searchRequest(call.body);
  const work = { ...workOf(call, request), only: await pagesOfSource(request, call.caller, services) };
  services.tools.refuseSearch(toolSearchOf(work));
  const scraper = scraperOf(work, call);
  scraper?.check();
  const timedOut = () => new ServiceError("SEARCH_TIMEOUT");
  const { signal, clear } = startDeadline(request.timeout, timedOut, isGone);
  try {
    const found = await chargedResults(work, services, signal);
    const results = [...(found.byKind.get("web") ?? []), ...(found.byKind.get("news") ?? [])];
    const scraped = await scraper?.scrape(results, services, { deadline: signal, isGone });
    // Pages that were just scraped have passages, too.
    const byKind = await described(found.byKind, work, services, signal);
    isGone.throwIfAborted();
    const creditsUsed = found.creditsUsed + (scraped?.creditsUsed ?? 0);
    return { id: work.id, request, ...found, byKind, pages: scraped?.pages ?? new Map(), creditsUsed };
  } finally {
    clear();
  }
}

/** @throws as `documentsOf`. */
async function pagesOfSource({ source }: SearchRequest, { teamId }: Caller, all: SearchServices) {
  if (!source) return undefined;
  const documents = await documentsOf(source, teamId, { stores: all.stores(), scraping: all });
  return new Set(
    documents.flatMap(({ scrapeId, url }) => [scrapeId, URL.canParse(url) ? new URL(url).href : url]),
  );
}

function toolSearchOf({ request, caller, isPrivate }: SearchWork): ToolSearch {
  const { query, limit, domainTools, sources } = request;
  const byQuery = sources.some(({ type }) => type === "alexandria");
  return { caller, query, limit, isPrivate, byQuery, byDomain: domainTools };
}

function workOf({ id = uuidV7(), caller, body }: SearchCall, request: SearchRequest): SearchWork {
  const isAsked = request.enterprise.some((mode) => mode !== "default");
  refuseRetention({ zeroDataRetention: isAsked }, caller.team);
  const isPrivate = isAsked || caller.team.flags.zeroDataRetention === "forced";
  return { id, kind: "search", caller, startedAtMs: Date.now(), request, body, isPrivate };
}

/** Undefined when no pages are wanted. */
function scraperOf({ id, request, isPrivate }: SearchWork, call: SearchCall): PageScraper | undefined {
  const { scrapeOptions } = request;
  if (!scrapeOptions || scrapeOptions.formats.length === 0) return undefined;
  const { body, caller, linkBase } = call;
  const sent = (body as { readonly scrapeOptions: object }).scrapeOptions;
  const options = optionsOfJob({ ...scrapeOptions, zeroDataRetention: isPrivate });
  return new PageScraper(options, sent, { caller, linkBase, searchId: id });
}

type ChargedResults = Omit<SearchOutcome, "id" | "request" | "pages">;

/** Credits are held before an engine is asked, and charged for the results. A failed search costs nothing. */
async function chargedResults(
  work: SearchWork,
  services: SearchServices,
  signal: AbortSignal,
): Promise<ChargedResults> {
  const { id, startedAtMs, caller, request } = work;
  const amount = priceOf(request.limit * request.sources.length, work);
  const hold = await services.charges.hold({ id, startedAtMs, payer: caller.payer, amount });
  const found = await untilAborted(resultsOf(work, services, signal), signal).catch(
    async (failure: unknown) => {
      const message = failure instanceof Error ? failure.message : undefined;
      const kept = await keepSearch(work, { message }, services);
      const end = endOfSearch(work, { creditsUsed: 0, errorCode: codeOf(failure) }, kept);
      await services.charges.charge(hold, { ...end, failure });
      throw failure;
    },
  );
  const count = [...found.byKind.values()].reduce((sum, { length }) => sum + length, 0);
  const creditsUsed = priceOf(count, work);
  const answer = { ...Object.fromEntries(found.byKind), warning: found.warning };
  const kept = await keepSearch(work, { answer }, services);
  await services.charges.charge(hold, endOfSearch(work, { creditsUsed }, kept));
  return { ...found, creditsUsed };
}

async function keepSearch(
  { id, body, isPrivate }: SearchWork,
  ended: { readonly answer?: object; readonly message?: string | undefined },
  services: SearchServices,
): Promise<Pick<ScrapeRecord, "details" | "answerKey">> {
  return isPrivate ? {} : keepWork({ id, kept: () => keptBody(body), ...ended }, services);
}

async function resultsOf(work: SearchWork, services: SearchServices, signal: AbortSignal) {
  const { request, caller, only } = work;
  const { team } = caller;
  const isOwn = services.engines.length === 0 || only !== undefined;
  const own = () => ownPages(services.pageIndex, { caller, categories: request.categories, only });
  const found = await findResults(request, isOwn ? [own()] : services.engines, services, signal);
  const policy = effectivePolicy(team.threatPolicy, request.threatProtection);
  const byKind = new Map(
    [...found.byKind].map(([kind, list]) => [kind, pagesOf(allowedResults(list, policy, services), request)]),
  );
  const urls = (byKind.get("web") ?? []).map(({ url }) => url);
  const told = await services.tools.findForSearch(toolSearchOf(work), urls);
  const ofOwn = isOwn ? [...(only ? [] : [OWN_PAGES_ONLY]), ...notIndexed(services.pageIndex)] : [];
  const warnings = [...ofOwn, ...found.warnings, ...told.warnings];
  return { byKind, tools: told.tools, warning: warnings.length > 0 ? warnings.join(" ") : undefined };
}

function notIndexed({ unindexedCount }: PageIndex): readonly string[] {
  return unindexedCount === 0
    ? []
    : [`${unindexedCount} stored pages are still being indexed; search again soon.`];
}

/** Removes results that cannot be opened as web pages, if requested. */
function pagesOf(list: readonly FoundResult[], { ignoreInvalidURLs }: SearchRequest): readonly FoundResult[] {
  return list.filter(({ url }) => URL.canParse(url) && (!ignoreInvalidURLs || /^https?:/i.test(url)));
}

/**
 * With `highlights`, replaces descriptions of results by passages of the team's own copies. A page without a
 * copy keeps the engine's description. So do all pages when the copies cannot be read in time.
 */
async function described(
  byKind: SearchOutcome["byKind"],
  { request, caller, isPrivate }: SearchWork,
  { pageIndex, log }: SearchServices,
  signal: AbortSignal,
): Promise<SearchOutcome["byKind"]> {
  const urls = [...(byKind.get("web") ?? []), ...(byKind.get("news") ?? [])].map(({ url }) => url);
  if (!request.highlights || isPrivate || urls.length === 0 || !mayReadExcerpts(caller)) return byKind;
  const order = { teamId: caller.teamId, urls, words: request.query };
  const copies = await pageIndex.copies(order, signal).catch((failure: unknown) => {
    if (!signal.aborted) log.warn({ failure }, "Stored pages could not be searched for highlights.");
    return new Map<string, ExcerptedPage>();
  });
  const better = (result: FoundResult) => ({
    ...result,
    description: copies.get(result.url)?.excerpt || result.description,
  });
  return new Map(
    [...byKind].map(([kind, list]) => [kind, kind === "images" ? list : list.map(better)] as const),
  );
}

function priceOf(count: number, { request }: SearchWork): number {
  const isZdr = request.enterprise.includes("zdr");
  const price = isZdr ? credits.privateSearchResults : credits.searchResults;
  return Math.ceil(count / RESULTS_OF_A_PRICE) * price;
}

interface SearchWork extends PaidWork {
  readonly request: SearchRequest;
  /** As it was sent. */
  readonly body: unknown;
  /** What a source stands for: ids of scrapes and addresses. */
  readonly only?: ReadonlySet<string> | undefined;
  /** Whether nothing about it may be stored or logged, except its cost. */
  readonly isPrivate: boolean;
}

/** End of a search. Its pages are settled separately. */
function endOfSearch(
  { id, kind, caller, startedAtMs, request, isPrivate }: SearchWork,
  { creditsUsed, errorCode }: { readonly creditsUsed: number; readonly errorCode?: ErrorCode },
  kept: Pick<ScrapeRecord, "details" | "answerKey">,
): WorkEnd<ScrapeRecord> {
  const { teamId, keyId } = caller;
  const endedAtMs = Date.now();
  const durationMs = Math.max(0, endedAtMs - startedAtMs);
  const details = { searchId: id, username: request.auditMetadata?.username, creditsUsed, errorCode };
  return {
    credits: creditsUsed,
    audit: request.auditMetadata ? [{ kind: "search", teamId, keyId, details }] : [],
    isAuditAwaited: errorCode === undefined,
    figure: { teamId, keyId, kind, endedAtMs, durationMs, creditsUsed, errorCode, isHit: false, formats: [] },
    record: isPrivate
      ? undefined
      : () => ({
          id,
          kind,
          teamId,
          keyId,
          url: `search:${request.query}`,
          host: "",
          status: errorCode === undefined ? "completed" : "failed",
          errorCode,
          creditsUsed,
          durationMs,
          origin: request.origin,
          createdAtMs: startedAtMs,
          formats: [],
          ...kept,
        }),
  };
}
