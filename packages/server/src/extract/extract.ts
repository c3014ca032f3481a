import { ServiceError } from "../api/errors.ts";
import type { Caller } from "../accounts/callers.ts";
import type { UrlRules } from "../jobs/check-urls.ts";
import type { NextTask, Task } from "../jobs/job-handler.ts";
import { defineJobKind, type JobContext, listedPage, type PlacedContext } from "../jobs/job-kind.ts";
import { giveUpPage, makePage } from "../jobs/make-page.ts";
import { entriesOf } from "../jobs/job-source.ts";
import { urlOfEntry } from "../jobs/page-list.ts";
import { failPage, type PageTask } from "../jobs/page-rows.ts";
import type { Again } from "../jobs/queue/task-queue.ts";
import type { scrapeRequestSchema } from "../scrape/request/schema.ts";
import type { LanguageModels } from "../storage/models/language-models.ts";
import { announce, deprecation, extractAnswer, extractOperationsAt, extractRequest } from "./operations.ts";
import { type ExtractOptions, type ExtractPlan, planExtract } from "./plan.ts";
import { EXTRACT, type ExtractRequest, extractRequestSchema } from "./request.ts";
import { beginFind, beginMerge, getExtract, insertExtract } from "./rows.ts";
import { type ExtractStep, timeLeftMs } from "./step.ts";
import { keyOfPage, type SortedUrls, sortUrls } from "./urls.ts";
import { endFind, findPages, type FindServices } from "./find-pages-step.ts";
import { mergePages, resultIn } from "./merge-step.ts";

interface ExtractContext extends JobContext, FindServices {
  readonly scrapeSchema: () => ReturnType<typeof scrapeRequestSchema>;
  readonly models: LanguageModels;
  readonly urlRules: UrlRules;
}

type Placed = PlacedContext<ExtractContext, ExtractRequest, ExtractOptions, ExtractPlan>;

/** Price of a page whose values come from a model or from rules. */
const CREDITS_PER_PAGE = 5;
const MAX_QUERY_LENGTH = 500;
/** Payload of the last task. The payloads of pages are their keys. */
const MERGE = "merge";
/** Prefix of the payloads that look for pages. The number of the search follows. */
const FIND = "find ";
const NOTHING_FOUND = { urls: [], creditsUsed: 0 } as const;
const LATE = {
  code: "SCRAPE_TIMEOUT",
  message: "The timeout of the extraction was over before the page was read.",
};
const NO_AGENT = "The option agent has no effect: pages are read one by one.";
const NO_FORMATS = "The formats of scrapeOptions have no effect: the format of pages is json.";
const MODEL_MISSING =
  "This service has no language model, and only a model follows a prompt without a schema: set LLM_BASE_URL and LLM_MODEL, or send a schema.";
const NO_PAGES = "A prompt without urls needs enableWebSearch: true, because no page is given.";
const NO_RETENTION =
  "Zero data retention is not supported on extract, which keeps its result, and it is forced for your team.";

/** Extracts values for a schema: finds and reads pages, and merges their values. */
export const extract = defineJobKind({
  name: EXTRACT,
  title: "Extract",
  path: "/v2/extract",
  endpoint: "extract",
  rate: "agent",
  summary: "Take values for a schema from pages",
  body: extractRequest,
  answer: extractAnswer,
  errors: [402, 403, 404, 409, 503],
  hasDocuments: false,
  tables: [{ name: "extracts", keptUntil: "expired" }],
  announce,

  request: ({ scrapeSchema }: ExtractContext) => extractRequestSchema(scrapeSchema()),

  plan: planExtract,

  async accept({ caller, body: sent }, context) {
    const body = sent as object;
    context.scraping.blockedSites.refuseBody(body);
    const request = context.request(body);
    refuseImpossible(request, caller, context);
    const { source, limit } = request;
    const sourceOptions = { teamId: caller.teamId, options: optionsOfPages(body) };
    const urls = source
      ? { pages: await entriesOf(source, sourceOptions, context), below: [], invalid: [] }
      : await sortUrls(request, caller, context.urlRules);
    const options = optionsOf(request, body, urls);
    const [first] = [...urls.pages, ...urls.below];
    if (first === undefined && options.query === undefined)
      throw new ServiceError("BAD_REQUEST", { message: "No valid URLs provided" });
    return {
      options,
      credits: source ? 0 : CREDITS_PER_PAGE * Math.max(1, urls.pages.length + urls.below.length),
      page: planExtract(options).pages.for(urlOfEntry(first ?? "http://example.com/")),
      list: { urls: urls.pages.slice(0, limit) },
      webhook: request.webhook,
      warnings: [...warningsOf(request, options), ...(source ? pagesBeyond(urls.pages.length, limit) : [])],
      /** Undefined when the request does not allow leaving out URLs. */
      invalidUrls: request.ignoreInvalidURLs ? urls.invalid : undefined,
    };
  },

  reply: ({ invalidUrls }) => ({ urlTrace: [], invalidURLs: invalidUrls, ...deprecation }),

  async start(tx, { id: jobId, teamId }, { options, list }) {
    const finds = options.below.length + (options.query === undefined ? 0 : 1);
    await insertExtract(tx, {
      jobId,
      teamId,
      finds,
      found: list.urls.map((entry) => keyOfPage(urlOfEntry(entry))),
    });
  },

  async next(tx, job, count, { pages }): Promise<readonly NextTask[]> {
    const listed = await pages.next(tx, job.id, count);
    if (listed.length > 0) return listed;
    const found = await getExtract(tx, job.id);
    if (found?.stage !== "pages") return [];
    if (found.nextFind < found.finds) {
      await beginFind(tx, job.id);
      return [{ payload: `${FIND}${found.nextFind}` }];
    }
    if (job.inFlight > 0) return [];
    await beginMerge(tx, job.id);
    return [{ payload: MERGE }];
  },

  async run(task, context) {
    const extracting = openTask(task, context);
    if (task.payload === MERGE) await mergePages(extracting, context.records);
    else if (task.payload.startsWith(FIND)) await find(extracting, context);
    else return readPage(extracting, context);
    return undefined;
  },

  async fail(task, reason, context) {
    const { store, pages } = context;
    const extracting = openTask(task, context);
    if (task.payload === MERGE) {
      await store.database.transaction(async (tx) => {
        const message = `What the pages say could not be joined: ${reason}`;
        if (await task.end(tx)) await store.dispatcher.fail(tx, task.job.id, message);
      });
    } else if (task.payload.startsWith(FIND)) {
      const warning = `Pages could not be looked for in three attempts. The last one: ${reason}`;
      await endFind(extracting, { ...NOTHING_FOUND, warning }, pages);
    } else {
      const page = await pageOf(extracting, context);
      if (page) await giveUpPage(page, reason);
    }
  },

  /** Webhooks receive the result. */
  async result(tx, job, { options }) {
    const { id: extractId, state, completed: totalUrlsScraped } = job;
    if (state !== "completed") return undefined;
    const found = await getExtract(tx, extractId);
    const { data, sources, citations } = (found && resultIn(found)) ?? {};
    const shown = options.of(job).options.showSources && { sources, citations };
    return JSON.stringify({ success: true, data, extractId, totalUrlsScraped, ...shown });
  },

  operations: extractOperationsAt,
});

function openTask(task: Task, { store, options }: Placed): ExtractStep {
  const opened = { task, store, job: task.job, plan: options.of(task.job), stop: task.signal };
  const leftMs = timeLeftMs(opened);
  if (!Number.isFinite(leftMs)) return { ...opened, signal: task.signal };
  const isOver = AbortSignal.timeout(Math.max(1, leftMs));
  return { ...opened, signal: AbortSignal.any([task.signal, isOver]) };
}

async function find(extracting: ExtractStep, context: Placed): Promise<void> {
  const { task, job } = extracting;
  const caller = await context.callers.ofWork(job);
  const number = Number(task.payload.slice(FIND.length));
  const isWanted = caller && timeLeftMs(extracting) > 0;
  const found = isWanted ? await findPages(extracting, { number, caller }, context) : NOTHING_FOUND;
  await endFind(extracting, found, context.pages);
}

async function readPage(extracting: ExtractStep, context: Placed): Promise<Again | undefined> {
  const page = await pageOf(extracting, context);
  if (!page) return undefined;
  if (timeLeftMs(extracting) > 0) return makePage(page, context);
  await failPage(page, LATE);
  return undefined;
}

/** Undefined when the page was deleted with its job. */
async function pageOf(
  { task: whole, plan, signal }: ExtractStep,
  context: Placed,
): Promise<PageTask | undefined> {
  const task = { ...whole, signal };
  const page = await listedPage(task, context, () => ({ kind: "extract", options: plan.pages }));
  return (
    page && {
      ...page,
      async write(...[tx, ...rest]) {
        await page.write?.(tx, ...rest);
        // The merge follows the last page.
        await context.store.dispatcher.admit(tx, task.job.id, 0);
      },
    }
  );
}

/** @throws ServiceError for options that this service cannot fulfil. */
function refuseImpossible(
  { urls, source, prompt, schema, enableWebSearch }: ExtractRequest,
  { team }: Caller,
  { models }: Pick<ExtractContext, "models">,
): void {
  if (team.flags.zeroDataRetention === "forced")
    throw new ServiceError("BAD_REQUEST", { message: NO_RETENTION });
  if (schema === undefined && prompt !== undefined && !models.isConfigured)
    throw new ServiceError("MODEL_MISSING", { message: MODEL_MISSING });
  if (urls.length === 0 && !source && !enableWebSearch)
    throw new ServiceError("BAD_REQUEST", { message: NO_PAGES });
  if (prompt === undefined && enableWebSearch) {
    const message = "enableWebSearch needs a prompt, which is what is searched for.";
    throw new ServiceError("BAD_REQUEST", { message });
  }
}

function optionsOf(request: ExtractRequest, body: object, { below }: SortedUrls): ExtractOptions {
  const { prompt, systemPrompt, schema, enableWebSearch } = request;
  const { limit, ignoreSitemap, includeSubdomains, allowExternalLinks, showSources } = request;
  const { timeout, threatProtection, origin, integration } = request;
  const words = [systemPrompt, prompt].filter((text) => text !== undefined).join("\n\n");
  return {
    asked: {
      schema,
      prompt: words === "" ? undefined : words,
    },
    scrapeOptions: optionsOfPages(body),
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

function optionsOfPages(body: object): object {
  const { scrapeOptions = {} } = body as { readonly scrapeOptions?: object };
  return scrapeOptions;
}

function pagesBeyond(count: number, limit: number): readonly string[] {
  return count > limit ? [`The job of source has ${count} documents, of which ${limit} are read.`] : [];
}

function warningsOf({ agent }: ExtractRequest, { scrapeOptions }: ExtractOptions): readonly string[] {
  const { formats = [] } = scrapeOptions as { readonly formats?: readonly unknown[] };
  return [...(agent ? [NO_AGENT] : []), ...(formats.length > 0 ? [NO_FORMATS] : [])];
}
