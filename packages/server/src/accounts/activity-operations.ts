import { z } from "zod";

import type { JobKind } from "../jobs/job-kind.ts";
import type { Limits } from "./limits.ts";
import { DAY, SCRAPE_ID, success, EXAMPLE_URL } from "../api/example-values.ts";
import { defineShape } from "../api/operation-shape.ts";
import { Count, Success, Time } from "../api/operator-fields.ts";
import { defineOperation } from "../api/operation.ts";
import type { Records } from "../history/records.ts";

/** No request line is longer, so the operation accepts a cursor of any length. */
const MAX_CURSOR_LENGTH = 16_384;

interface ActivityServices {
  readonly records: Records;
  readonly limits: Limits;
  /** Maximum pages fetched at once for all teams together. */
  readonly scrapeConcurrency: number;
}

const queueStatus = defineOperation({
  line: "GET /v2/team/queue-status",
  tag: "Account",
  summary: "Read the number of pages being fetched and waiting",
  answer: defineShape(
    "QueueStatus",
    () =>
      z.strictObject({
        success: Success,
        jobsInQueue: Count,
        activeJobsInQueue: Count,
        waitingJobsInQueue: Count,
        maxConcurrency: Count,
        mostRecentSuccess: Time.nullable(),
      }),
    {
      success,
      jobsInQueue: 3,
      activeJobsInQueue: 2,
      waitingJobsInQueue: 1,
      maxConcurrency: 2,
      mostRecentSuccess: DAY,
    },
  ),
  async handle({ caller }, { records, limits, scrapeConcurrency }: ActivityServices) {
    const mostRecentMs = await records.mostRecentSuccess(caller.teamId);
    const { running, waiting, limit = scrapeConcurrency } = await limits.load(caller.team);
    return {
      success: true,
      jobsInQueue: running + waiting,
      activeJobsInQueue: running,
      waitingJobsInQueue: waiting,
      maxConcurrency: limit,
      mostRecentSuccess: mostRecentMs === undefined ? null : new Date(mostRecentMs).toISOString(),
    };
  },
});

/** Names of endpoints besides jobs. The last two have no requests on this service. */
const ENDPOINTS = ["scrape", "search", "parse", "map", "browser", "interact", "llmstxt", "deep_research"];

const activityOf = (kinds: readonly JobKind[]) =>
  defineOperation({
    line: "GET /v2/team/activity",
    tag: "Account",
    summary: "List the latest requests of the team",
    query: z.object({
      endpoint: z
        .enum([...ENDPOINTS, ...kinds.filter(({ isRequested }) => isRequested).map(({ name }) => name)])
        .optional(),
      limit: z.coerce.number().int().min(1).max(100).default(50),
      cursor: z.string().max(MAX_CURSOR_LENGTH).optional(),
    }),
    answer: defineShape(
      "Activity",
      () =>
        z.strictObject({
          success: Success,
          data: z.array(
            z.strictObject({
              id: z.uuid(),
              endpoint: z.string(),
              api_version: z.string(),
              created_at: Time,
              target: z.string(),
            }),
          ),
          cursor: z.string().nullable(),
          has_more: z.boolean(),
        }),
      {
        success,
        data: [
          { id: SCRAPE_ID, endpoint: "scrape", api_version: "v2", created_at: DAY, target: EXAMPLE_URL },
        ],
        cursor: null,
        has_more: false,
      },
    ),
    errors: [400],
    async handle({ query, caller }, { records }: ActivityServices) {
      const found = await records.list(caller.teamId, query);
      return { success: true, data: found.data, cursor: found.cursor, has_more: found.cursor !== null };
    },
  });

const concurrency = defineOperation({
  line: "GET /v2/concurrency-check",
  tag: "Account",
  summary: "Read the concurrency in use",
  answer: defineShape(
    "Concurrency",
    () => z.strictObject({ success: Success, concurrency: Count, maxConcurrency: Count }),
    { success, concurrency: 2, maxConcurrency: 10 },
  ),
  async handle({ caller }, { limits, scrapeConcurrency }: ActivityServices) {
    const { running, limit = scrapeConcurrency } = await limits.load(caller.team);
    return { success: true, concurrency: running, maxConcurrency: limit };
  },
});

/** The official clients read a team's current activity here (contract, section 6.1). */
export const currentActivity = [queueStatus, concurrency];
export const accountActivity = (kinds: readonly JobKind[]) => [...currentActivity, activityOf(kinds)];
