import { z } from "zod";

import { ServiceError } from "../api/errors.ts";
import { DAY, SCRAPE_ID, success, URL } from "../api/example-values.ts";
import { defineShape } from "../api/operation-shape.ts";
import { Success, Time } from "../api/operator-fields.ts";
import { ignoredOptions } from "../api/request.ts";
import { defineOperation, type Operation } from "../api/operation.ts";
import { documentedScrapeRequest } from "../scrape/request/schema.ts";
import { type RunOperationServices, runOperations } from "../jobs/run-operations.ts";
import { activeCrawls } from "./active-crawls.ts";
import { CRAWL } from "./crawl-family.ts";
import { MODEL_MISSING, proposeOptions } from "./crawl-prompt.ts";
import { crawlRequestSchema, DEFAULT_MAX_LIMIT, MAX_PROMPT_LENGTH } from "./crawl-request.ts";
import { type CrawlServices, startCrawl } from "./start-crawl.ts";

export type CrawlOperationServices = CrawlServices & RunOperationServices;

const PATH = "/v2/crawl";
const scrape = documentedScrapeRequest();

const crawlRequest = {
  ...defineShape("CrawlRequest", z.unknown(), { url: "https://example.com", limit: 100 }),
  documented: crawlRequestSchema(scrape, DEFAULT_MAX_LIMIT),
};

const AnyOptions = z.looseObject({});

const crawlAnswer = defineShape(
  "CrawlAnswer",
  z.strictObject({
    success: Success,
    id: z.uuid(),
    url: z.string().describe("Where its state and documents are."),
    promptGeneratedOptions: AnyOptions.optional().describe("What a model made of the prompt."),
    finalCrawlerOptions: AnyOptions.optional().describe("The options that hold, where there was a prompt."),
  }),
  { success, id: SCRAPE_ID, url: `${URL}v2/crawl/${SCRAPE_ID}` },
);

const start = defineOperation({
  line: `POST ${PATH}`,
  tag: "Sites",
  summary: "Scrape the pages of a site",
  endpoint: "crawl",
  rate: "crawl",
  isPaid: true,
  takesIdempotencyKey: true,
  body: crawlRequest,
  answer: crawlAnswer,
  errors: [402, 403, 409],
  async handle(call, services: CrawlOperationServices) {
    const { caller, linkBase, body, signal } = call;
    if (isPrivate(body)) call.keepPrivate();
    const idempotencyKey = () => call.idempotencyKey;
    const started = await startCrawl({ caller, linkBase, body, idempotencyKey, signal }, services);
    call.note({ crawlId: started.id });
    const { id, proposed, options } = started;
    const prompted = proposed && {
      promptGeneratedOptions: { ...proposed },
      finalCrawlerOptions: { ...options },
    };
    return { success: true, id, url: `${linkBase}${PATH}/${id}`, ...prompted };
  },
});

function isPrivate(body: unknown): boolean {
  return (
    typeof body === "object" &&
    body !== null &&
    "zeroDataRetention" in body &&
    body.zeroDataRetention === true
  );
}

const activeList = defineShape(
  "ActiveCrawls",
  z.strictObject({
    success: Success,
    crawls: z.array(
      z.strictObject({
        id: z.uuid(),
        teamId: z.string(),
        url: z.string(),
        status: z.literal("scraping"),
        created_at: Time,
        options: AnyOptions.describe("As accepted, with defaults; of webhooks nothing."),
      }),
    ),
  }),
  {
    success,
    crawls: [
      {
        id: SCRAPE_ID,
        teamId: "default",
        url: URL,
        status: "scraping",
        created_at: DAY,
        options: { limit: 100 },
      },
    ],
  },
);

function listActive(line: "GET /v2/crawl/active" | "GET /v2/crawl/ongoing") {
  return defineOperation({
    line,
    tag: "Sites",
    summary: "Crawls under way",
    endpoint: "crawl",
    rate: "crawlStatus",
    answer: activeList,
    async handle({ caller }, services: CrawlOperationServices) {
      const crawls = await activeCrawls(caller.teamId, services);
      return { success: true, crawls: crawls.map((crawl) => ({ ...crawl, options: { ...crawl.options } })) };
    },
  });
}

const preview = defineOperation({
  line: "POST /v2/crawl/params-preview",
  tag: "Sites",
  summary: "Options of a crawl from words",
  endpoint: "crawl",
  rate: "crawl",
  body: defineShape(
    "CrawlPreviewRequest",
    z.strictObject({
      url: scrape.shape.url,
      prompt: z.string().min(1).max(MAX_PROMPT_LENGTH).describe("What to crawl."),
      origin: scrape.shape.origin,
      integration: scrape.shape.integration,
      ...ignoredOptions,
    }),
    { url: "https://example.com", prompt: "The articles of the blog of this year" },
  ),
  answer: defineShape(
    "CrawlPreview",
    z.strictObject({ success: Success, data: AnyOptions.describe("Fields of `POST /v2/crawl`.") }),
    { success, data: { url: URL, includePaths: ["^/blog/"] } },
  ),
  errors: [503],
  async handle({ caller, body: { url, prompt }, signal }, { models }: CrawlOperationServices) {
    if (!models.isConfigured) throw new ServiceError("MODEL_MISSING", { message: MODEL_MISSING });
    const options = await proposeOptions({ url, prompt, teamId: caller.teamId }, models, signal);
    return { success: true, data: { url, ...options } };
  },
});

export const activeCrawlOperations = [
  listActive("GET /v2/crawl/active"),
  listActive("GET /v2/crawl/ongoing"),
];

export const crawlRoutes = { families: [CRAWL], title: "Crawl", path: PATH, endpoint: "crawl" } as const;

export const crawlOperations: readonly Operation<CrawlOperationServices>[] = [
  start,
  ...activeCrawlOperations,
  preview,
  ...runOperations(crawlRoutes),
];
