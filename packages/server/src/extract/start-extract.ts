import type { Caller } from "../accounts/callers.ts";
import { ServiceError } from "../api/errors.ts";
import type { RunPlace, RunPlaces } from "../jobs/run-place.ts";
import { uuidV7 } from "@pergamon-dev/kit/uuid";
import type { LanguageModels } from "../storage/models/language-models.ts";
import { startJob } from "../scrape/request/job.ts";
import type { RunServices } from "../scrape/run.ts";
import type { UrlRules } from "../jobs/check-urls.ts";
import { acceptRun } from "../jobs/accept-run.ts";
import { requireCredits, teamConcurrency } from "../jobs/job-service.ts";
import type { PageList } from "../jobs/page-list.ts";
import type { ExtractOptions, ExtractPlans } from "./extract-plans.ts";
import { EXTRACT, type ExtractRequest } from "./extract-request.ts";
import { insertExtract } from "./extract-rows.ts";
import { keyOfPage, type SortedUrls, sortUrls } from "./extract-urls.ts";

export interface ExtractServices {
  readonly places: RunPlaces;
  readonly scraping: RunServices;
  readonly plans: ExtractPlans;
  readonly pagesIn: (place: RunPlace) => PageList;
  readonly rules: UrlRules;
  /** @throws ZodError for a body that is not a request. */
  readonly request: (body: unknown) => ExtractRequest;
  /** Undefined when the operator has set none. */
  readonly models: LanguageModels;
}

/** Who wants what extracted. */
export interface ExtractCall {
  readonly caller: Caller;
  readonly linkBase: string;
  readonly body: object;
  /** Asked for when everything else is known to be right. @throws ServiceError for one that is not a UUID. */
  readonly idempotencyKey: () => string | undefined;
}

export interface StartedExtract {
  readonly id: string;
  /** Undefined where none could be left out. */
  readonly invalidUrls: readonly string[] | undefined;
}

/** What a page costs with values from a model or from rules. */
const CREDITS_PER_PAGE = 5;
const MAX_QUERY_LENGTH = 500;

const NO_AGENT = "The option agent has no effect: pages are read one by one.";
const NO_FORMATS = "The formats of scrapeOptions have no effect: the format of pages is json.";

const MODEL_MISSING =
  "This service has no language model, and only a model follows a prompt without a schema: set LLM_BASE_URL and LLM_MODEL, or send a schema.";
const NO_PAGES = "A prompt without urls needs enableWebSearch: true, because no page is given.";
const NO_RETENTION =
  "Zero data retention is not supported on extract, which keeps its result for 24 hours, and it is forced for your team.";

/**
 * Starts an extraction. When it resolves, all of it is written down; nothing has been fetched yet.
 * @throws ZodError for a body that is not a request; ServiceError, ForbiddenError and ConflictError in the order of the
 * contract of the families, section 1.12.
 */
export async function startExtract(call: ExtractCall, services: ExtractServices): Promise<StartedExtract> {
  const { caller, linkBase, body } = call;
  services.scraping.blockedSites.refuseBody(body);
  const request = services.request(body);
  refuseImpossible(request, call, services);
  const urls = await sortUrls(request, caller, services.rules);
  const options = optionsOf(request, body, urls);
  const [first] = [...urls.pages, ...urls.below];
  if (first === undefined && options.query === undefined)
    throw new ServiceError("BAD_REQUEST", { message: "No valid URLs provided" });
  const { pages } = services.plans.planOf(options);
  // What holds for the first page holds for all: their options are the same.
  startJob(pages.for(first ?? "http://example.com/"), { kind: "extract", caller, linkBase });
  const idempotencyKey = call.idempotencyKey();
  const named = Math.max(1, urls.pages.length + urls.below.length);
  await requireCredits(caller, CREDITS_PER_PAGE * named, services.scraping);
  const id = uuidV7();
  const order = { id, request, options, pages: urls.pages.slice(0, request.limit), idempotencyKey };
  await writeExtract(order, call, services);
  return { id, invalidUrls: request.ignoreInvalidURLs ? urls.invalid : undefined };
}

/** @throws ServiceError for what cannot be done here. */
function refuseImpossible(
  { urls, prompt, schema, enableWebSearch }: ExtractRequest,
  { caller: { team } }: ExtractCall,
  { models }: ExtractServices,
): void {
  if (team.flags.zeroDataRetention === "forced")
    throw new ServiceError("BAD_REQUEST", { message: NO_RETENTION });
  if (schema === undefined && prompt !== undefined && !models.isConfigured)
    throw new ServiceError("MODEL_MISSING", { message: MODEL_MISSING });
  if (urls.length === 0 && !enableWebSearch) throw new ServiceError("BAD_REQUEST", { message: NO_PAGES });
  if (prompt === undefined && enableWebSearch) {
    const message = "enableWebSearch needs a prompt, which is what is searched for.";
    throw new ServiceError("BAD_REQUEST", { message });
  }
}

function optionsOf(request: ExtractRequest, body: object, { below }: SortedUrls): ExtractOptions {
  const { prompt, systemPrompt, schema, enableWebSearch } = request;
  const { limit, ignoreSitemap, includeSubdomains, allowExternalLinks, showSources } = request;
  const { timeout, threatProtection, origin, integration } = request;
  const { scrapeOptions = {} } = body as { readonly scrapeOptions?: object };
  const words = [systemPrompt, prompt].filter((text) => text !== undefined).join("\n\n");
  return {
    asked: {
      schema,
      prompt: words === "" ? undefined : words,
    },
    scrapeOptions,
    below,
    query: enableWebSearch ? prompt?.slice(0, MAX_QUERY_LENGTH) : undefined,
    limit,
    ignoreSitemap,
    includeSubdomains,
    allowExternalLinks,
    showSources,
    timeout,
    threatProtection,
    origin,
    integration,
  };
}

interface WrittenExtract {
  readonly id: string;
  readonly request: ExtractRequest;
  readonly options: ExtractOptions;
  readonly pages: readonly string[];
  readonly idempotencyKey: string | undefined;
}

async function writeExtract(
  order: WrittenExtract,
  call: ExtractCall,
  services: ExtractServices,
): Promise<void> {
  const { id, options, pages, idempotencyKey } = order;
  const { teamId } = call.caller;
  const { places } = services;
  const place = places.lasting;
  const waiting = services.pagesIn(place);
  const part = await waiting.write({ jobId: id, teamId, urls: pages });
  const concurrency = await teamConcurrency(call.caller, services.scraping);
  const accepted = { id, teamId, family: EXTRACT, idempotencyKey };
  await acceptRun({ places, place }, accepted, async (inside) => {
    const finds = options.below.length + (options.query === undefined ? 0 : 1);
    await insertExtract(inside, { runId: id, teamId, finds, found: pages.map(keyOfPage) });
    await waiting.join(inside, part);
    await place.dispatcher.start(inside, {
      id,
      teamId,
      keyId: call.caller.keyId,
      family: EXTRACT,
      options: services.plans.seal(id, options),
      linkBase: call.linkBase,
      total: pages.length,
      teamConcurrency: concurrency,
      webhook: order.request.webhook,
    });
    for (const warning of warningsOf(order)) await place.dispatcher.warn(inside, id, warning);
  });
}

/** What of a request has no effect. */
function warningsOf({ request, options: { scrapeOptions } }: WrittenExtract): readonly string[] {
  const { formats = [] } = scrapeOptions as { readonly formats?: readonly unknown[] };
  return [...(request.agent ? [NO_AGENT] : []), ...(formats.length > 0 ? [NO_FORMATS] : [])];
}
