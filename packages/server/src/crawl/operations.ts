import { z } from "zod";
import { lazy } from "@pergamon-dev/kit/lazy";

import { lines } from "../api/common-shapes.ts";
import { NotFoundError, ServiceError } from "../api/errors.ts";
import { DAY, SCRAPE_ID, success, EXAMPLE_URL } from "../api/example-values.ts";
import { defineOperation, type Operation } from "../api/operation.ts";
import { defineShape } from "../api/operation-shape.ts";
import { Success, Time } from "../api/operator-fields.ts";
import { Outgoing } from "../api/outgoing.ts";
import { ignoredOptions } from "../api/request.ts";
import type { JobContext, KindContext } from "../jobs/job-kind.ts";
import type { JobRoutes } from "../jobs/job-operations.ts";
import { jobsOfTeam } from "../jobs/job-rows.ts";
import { findJob } from "../jobs/job-status.ts";
import type { MatchPatterns } from "../scrape/page/pattern-matching.ts";
import { toldToTeam } from "../scrape/request/masked-body.ts";
import { documentedScrapeRequest, type scrapeRequestSchema } from "../scrape/request/schema.ts";
import type { LanguageModels } from "../storage/models/language-models.ts";
import { getCrawl } from "./frontier.ts";
import { receiptOf } from "./outcomes.ts";
import { MODEL_MISSING, proposeOptions } from "./prompt.ts";
import { type CrawlOptions, type CrawlPlan, type CrawlRequest, MAX_PROMPT_LENGTH } from "./request.ts";

export interface CrawlContext extends JobContext {
  readonly scrapeSchema: () => ReturnType<typeof scrapeRequestSchema>;
  readonly matchPatterns: MatchPatterns;
  readonly models: LanguageModels;
  readonly maxCrawlLimit: number;
  /** True: every caller may ignore robots.txt. Without keys, only the operators use the service. */
  readonly mayPassRobots: boolean;
}

type Context = KindContext<CrawlContext, CrawlRequest, CrawlOptions, CrawlPlan>;

export const AnyOptions = lazy(() => z.looseObject({}));
const MAX_LISTED = 100;

/** Operations of crawls besides those of all jobs. */
export function crawlOperationsAt({ path, tag = "Sites" }: JobRoutes): readonly Operation<Context>[] {
  const active = { path, tag };
  const listed = [listActive({ ...active, word: "active" }), listActive({ ...active, word: "ongoing" })];
  return path.startsWith("/v1/") ? listed : [...listed, preview, outcomes];
}

const activeList = defineShape(
  "ActiveCrawls",
  () =>
    z.strictObject({
      success: Success,
      crawls: z.array(
        z.strictObject({
          id: z.uuid(),
          teamId: z.string(),
          url: z.string(),
          status: z.literal("scraping"),
          created_at: Time,
          options: AnyOptions().describe("As accepted, with defaults; of webhooks nothing."),
        }),
      ),
    }),
  {
    success,
    crawls: [
      {
        id: SCRAPE_ID,
        teamId: "default",
        url: EXAMPLE_URL,
        status: "scraping",
        created_at: DAY,
        options: { limit: 100 },
      },
    ],
  },
);

interface ActiveRoute extends Pick<JobRoutes, "path"> {
  readonly tag: string;
  readonly word: "active" | "ongoing";
}

/** Lists the active crawls of a team, newest first. */
function listActive({ path, tag, word }: ActiveRoute) {
  return defineOperation({
    line: `GET ${path}/${word}`,
    tag,
    summary: "Crawls under way",
    endpoint: "crawl",
    rate: "crawlStatus",
    answer: activeList,
    async handle({ caller: { teamId } }, { stores, options: sealed }: Context) {
      const question = { teamId, family: "crawl", count: MAX_LISTED };
      const all = await stores.all();
      const jobs = (await Promise.all(all.map(({ database }) => jobsOfTeam(database, question)))).flat();
      const newestFirst = jobs.toSorted((one, other) => other.createdAtMs - one.createdAtMs);
      const crawls = newestFirst.slice(0, MAX_LISTED).map((job) => {
        const { url, ...options } = toldToTeam(sealed.open(job));
        const createdAt = new Date(job.createdAtMs).toISOString();
        return { id: job.id, teamId, url, status: "scraping" as const, created_at: createdAt, options };
      });
      return { success: true, crawls };
    },
  });
}

const preview = defineOperation({
  line: "POST /v2/crawl/params-preview",
  tag: "Sites",
  summary: "Options of a crawl from words",
  description: "A language model proposes the options of a crawl. No crawl is started.",
  endpoint: "crawl",
  rate: "crawl",
  body: defineShape(
    "CrawlPreviewRequest",
    () => {
      const { url, origin, integration } = documentedScrapeRequest().shape;
      const prompt = z.string().min(1).max(MAX_PROMPT_LENGTH).describe("What to crawl.");
      return z.strictObject({ url, prompt, origin, integration, ...ignoredOptions });
    },
    { url: "https://example.com", prompt: "The articles of the blog of this year" },
  ),
  answer: defineShape(
    "CrawlPreview",
    () => z.strictObject({ success: Success, data: AnyOptions().describe("Fields of `POST /v2/crawl`.") }),
    { success, data: { url: EXAMPLE_URL, includePaths: ["^/blog/"] } },
  ),
  errors: [503],
  async handle({ caller: { teamId }, body, signal }, { models }: Context) {
    if (!models.isConfigured) throw new ServiceError("MODEL_MISSING", { message: MODEL_MISSING });
    const options = await proposeOptions({ ...body, teamId }, models, signal);
    return { success: true, data: { url: body.url, ...options } };
  },
});

const MAX_LINES = 10_000;
const wholeNumber = (least: number, most: number) => z.coerce.number().int().min(least).max(most);

/** A receipt for every address that a crawl has seen. */
const outcomes = defineOperation({
  line: "GET /v2/crawl/{id}/outcomes",
  tag: "Sites",
  summary: "What became of every address that a crawl has seen, as lines of JSON",
  endpoint: "crawl",
  rate: "crawlStatus",
  params: { id: { type: "string", format: "uuid", examples: [SCRAPE_ID] } },
  query: z.object({
    after: wholeNumber(-1, Number.MAX_SAFE_INTEGER)
      .default(-1)
      .describe("Where the next page begins, as the last line of the one before says."),
    limit: wholeNumber(1, MAX_LINES).default(MAX_LINES).describe("The most addresses of a page."),
  }),
  answer: {
    ...lines,
    example: `{"type":"summary","seen":2,"outcomes":{"document":1,"external":1},"unlisted":0}\n{"type":"address","url":"${EXAMPLE_URL}","depth":0,"outcome":"document"}\n`,
  },
  errors: [400, 404],
  async handle({ params: { id }, query, caller, linkBase }, { stores }: Context) {
    const { job, store } = await findJob(stores, { id, teamId: caller.teamId, families: ["crawl"] });
    const { database } = store;
    const found = await getCrawl(database, job.id);
    if (!found) throw new NotFoundError("Job expired");
    const page = await receiptOf(database, found, job, query);
    const next = `${linkBase}/v2/crawl/${id}/outcomes?after=${page.next}&limit=${query.limit}`;
    const tail = page.next === undefined ? [] : [JSON.stringify({ type: "next", url: next })];
    const text = [...page.lines, ...tail].map((line) => `${line}\n`).join("");
    return new Outgoing(text, { type: lines.contentType });
  },
});
