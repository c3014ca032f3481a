import { tellOfChange } from "../../accounts/audit-actor.ts";
import { ConflictError } from "../../api/errors.ts";
import { lastPage, SCRAPE_ID, success, EXAMPLE_URL } from "../../api/example-values.ts";
import { defineShape } from "../../api/operation-shape.ts";
import { forOperator } from "../../api/operator-operation.ts";
import { type ListedPage, readCauses, readPages, searchJobs } from "../job-pages.ts";
import type { JobStores } from "../job-store.ts";
import type { ReceiverReport, WebhookService } from "../webhooks/service.ts";
import { defineOperation } from "../../api/operation.ts";
import { maskBody, maskUrl } from "../../scrape/request/masked-body.ts";
import type { Records } from "../../history/records.ts";
import { jobHeat } from "./heat.ts";
import {
  iso,
  JobAnswer,
  jobExample,
  JobCancelledAnswer,
  jobIdPart,
  jobNamed,
  type JobPage,
  JobPageQuery,
  JobPagesAnswer,
  JobQuery,
  JobsAnswer,
  openJobNamed,
  showJob,
} from "./show-job.ts";

export interface JobServices {
  readonly stores: JobStores;
  readonly webhooks: WebhookService;
  /** Records of pages are written a moment after their documents, so they are flushed before reading. */
  readonly records: Pick<Records, "flush">;
}

const list = defineOperation({
  ...forOperator,
  line: "GET /admin/api/jobs",
  summary: "List the batches, crawls and other jobs of all teams, newest first",
  query: JobQuery,
  answer: defineShape("OperatorJobs", JobsAnswer, { ...lastPage, data: [jobExample] }),
  errors: [400],
  async handle({ query: { team: teamId, kind: family, ...filter } }, services: JobServices) {
    const { stores, records } = services;
    await records.flush();
    const { data, cursor } = await searchJobs(stores, { teamId, family, ...filter });
    return { success: true, data: await Promise.all(data.map(showJob)), cursor };
  },
});

const read = defineOperation({
  ...forOperator,
  line: "GET /admin/api/jobs/{id}",
  summary: "Read a job: its progress, why pages failed, and the state of its webhook",
  params: { id: jobIdPart },
  answer: defineShape("OperatorJob", JobAnswer, {
    success,
    data: {
      job: jobExample,
      outcomes: [{ outcome: "document", count: 11 }],
      causes: [{ code: "SCRAPE_TIMEOUT", count: 1, message: "The scrape operation timed out." }],
      request: { body: { formats: ["markdown"] }, masked: [] },
      receiver: {
        origin: "https://hooks.example.com",
        counts: { waiting: 0, handed: 0, delivered: 14, dead: 0 },
        failuresInARow: 0,
        pausedUntil: null,
        lastStatus: 200,
        lastError: null,
      },
    },
  }),
  errors: [404],
  async handle({ params: { id } }, { stores, webhooks, records }: JobServices) {
    await records.flush();
    const found = await jobNamed(id, stores);
    const { store } = found;
    const job = await showJob(found);
    if (!store.isPersistent)
      return { success: true, data: { job, outcomes: [], causes: [], request: null, receiver: null } };
    const causes = await readCauses(store.database, job.id);
    const outcomes = Object.entries(await store.dispatcher.outcomes(store.database, found.job));
    const request = await store.dispatcher.requestOf(store.database, found.job);
    const receiver = await webhooks.receiverOf(job.id);
    const data: JobAnswer["data"] = {
      job,
      outcomes: outcomes
        .map(([outcome, count]) => ({ outcome, count }))
        .toSorted((one, other) => other.count - one.count),
      causes: causes.map(({ code = null, ...cause }) => ({ code, ...cause })),
      request: request === undefined ? null : (maskBody(request) as JobAnswer["data"]["request"]),
      receiver: receiver ? showReceiver(receiver, store.clock.now()) : null,
    };
    return { success: true, data };
  },
});

const pages = defineOperation({
  ...forOperator,
  line: "GET /admin/api/jobs/{id}/pages",
  summary:
    "List the pages of a job with their states: documents, failures, blocked by robots.txt, and still to do",
  params: { id: jobIdPart },
  query: JobPageQuery,
  answer: defineShape("OperatorJobPages", JobPagesAnswer, {
    ...lastPage,
    data: [
      {
        url: EXAMPLE_URL,
        state: "done",
        requestId: SCRAPE_ID,
        statusCode: 200,
        code: null,
        error: null,
      },
    ],
  }),
  errors: [400, 403, 404],
  async handle({ params: { id }, query: { state: group, ...page } }, { stores, records }: JobServices) {
    await records.flush();
    const found = await openJobNamed(id, stores);
    const { data, cursor } = await readPages(found, { group, ...page });
    return { success: true, data: data.map(showPage), cursor };
  },
});

const cancel = defineOperation({
  ...forOperator,
  line: "DELETE /admin/api/jobs/{id}",
  audit: "job.cancelled",
  summary: "Cancel a job. Pages in progress are abandoned, documents are kept",
  params: { id: jobIdPart },
  answer: defineShape("OperatorJobCancelled", JobCancelledAnswer, {
    success,
    data: { ...jobExample, state: "cancelled" },
  }),
  errors: [404, 409],
  async handle({ params: { id } }, { stores }: JobServices) {
    const { job, store } = await jobNamed(id, stores);
    tellOfChange({ teamId: job.teamId, name: job.family });
    await store.database.transaction((tx) => store.dispatcher.cancel(tx, job.id));
    const found = await jobNamed(id, stores);
    if (found.job.state !== "cancelled") throw new ConflictError(`The job is ${found.job.state} already.`);
    return { success: true, data: await showJob(found) };
  },
});

/** Operations on jobs of all teams: progress, pages and cancelling. */
export const jobOperations = [list, read, pages, jobHeat, cancel];

function showReceiver(receiver: ReceiverReport, nowMs: number): JobAnswer["data"]["receiver"] {
  const { origin, counts, failures, pausedUntilMs, lastStatus, lastError } = receiver;
  const pausedUntil = pausedUntilMs > nowMs ? iso(pausedUntilMs) : null;
  return { origin, counts, failuresInARow: failures, pausedUntil, lastStatus, lastError };
}

function showPage(page: ListedPage): JobPage {
  const { url, state, scrapeId, statusCode, code, message } = page;
  return {
    url: url === undefined ? null : maskUrl(url),
    state,
    requestId: scrapeId ?? null,
    statusCode: statusCode ?? null,
    code: code ?? null,
    error: message === undefined || message === "" ? null : message,
  };
}
