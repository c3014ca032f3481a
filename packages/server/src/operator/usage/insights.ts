import { z } from "zod";

import type { Administration } from "../../accounts/administration.ts";
import { lines } from "../../api/common-shapes.ts";
import {
  DAY,
  feedback as feedbackExample,
  KEY_ID,
  lastPage,
  SCRAPE_ID,
  success,
  TEAM_ID,
} from "../../api/example-values.ts";
import { FeedbackContent } from "../../api/feedback.ts";
import { defineShape } from "../../api/operation-shape.ts";
import {
  Count,
  CursorQuery,
  Id,
  limitOf,
  pageOf,
  Success,
  TeamQuery,
  Time,
} from "../../api/operator-fields.ts";
import { forOperator } from "../../api/operator-operation.ts";
import { defineOperation } from "../../api/operation.ts";
import { Outgoing } from "../../api/outgoing.ts";
import type { Feedback } from "../../history/feedback.ts";
import { pageFrom } from "../../api/page-from.ts";

const Status = () =>
  z.strictObject({
    success: Success,
    uptimeSeconds: Count,
    fetching: Count,
    waiting: Count,
    memoryBytes: Count,
    eventLoopLagMs: Count,
    overloaded: z.string().nullable().describe("Why requests are rejected; null when they are accepted."),
  });

interface InsightServices {
  readonly administration: Administration;
  readonly feedback: Feedback;
  readonly status: () => Omit<z.output<ReturnType<typeof Status>>, "success">;
}

const feedback = defineOperation({
  ...forOperator,
  line: "GET /admin/api/feedback",
  summary: "List the feedback of teams, newest first",
  query: z.object({ team: TeamQuery, limit: limitOf(100, 1000), cursor: CursorQuery }),
  answer: defineShape(
    "FeedbackEntries",
    () =>
      pageOf(
        z.strictObject({
          id: Id,
          teamId: Id,
          keyId: Id.nullable(),
          jobId: Id,
          content: FeedbackContent(),
          createdAt: Time,
        }),
      ),
    {
      ...lastPage,
      data: [
        {
          id: KEY_ID,
          teamId: TEAM_ID,
          keyId: KEY_ID,
          jobId: SCRAPE_ID,
          content: feedbackExample,
          createdAt: DAY,
        },
      ],
    },
  ),
  errors: [400],
  async handle({ query: { team, limit, cursor } }, services: InsightServices) {
    const found = await services.feedback.list({ teamId: team, limit, cursor });
    const show = ({ createdAtMs, ...entry }: (typeof found)[number]) => ({
      ...entry,
      createdAt: new Date(createdAtMs).toISOString(),
    });
    return pageFrom(found, { limit, idOf: ({ id }) => id, show });
  },
});

const audit = defineOperation({
  line: "GET /admin/api/audit",
  access: "operator",
  tag: "Operator",
  summary:
    "Read the audit log as JSON Lines, oldest first. The header x-next-cursor contains the cursor of the next page",
  query: z.object({ team: TeamQuery, limit: limitOf(1000, 10_000), cursor: CursorQuery }),
  answer: lines,
  errors: [400],
  async handle({ query: { team, limit, cursor } }, { administration }: InsightServices) {
    const found = await administration.audit({ teamId: team, afterId: cursor, count: limit });
    const last = found.at(-1);
    return new Outgoing(found.map(({ text }) => `${text}\n`).join(""), {
      type: "application/x-ndjson",
      ...(last && { headers: { "x-next-cursor": last.id } }),
    });
  },
});

const status = defineOperation({
  ...forOperator,
  line: "GET /admin/api/status",
  summary: "Read the state of the service",
  answer: defineShape("Status", Status, {
    success,
    uptimeSeconds: 86_400,
    fetching: 2,
    waiting: 0,
    memoryBytes: 150_000_000,
    eventLoopLagMs: 1,
    overloaded: null,
  }),
  handle: (_call, services: InsightServices) => ({ success: true, ...services.status() }),
});

export const insightOperations = [feedback, audit, status];
