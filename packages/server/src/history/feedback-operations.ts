import { z } from "zod";

import type { Caller } from "../accounts/callers.ts";
import { NotFoundError } from "../api/errors.ts";
import { feedback as example, SCRAPE_ID, success } from "../api/example-values.ts";
import { FeedbackRequest, SearchFeedbackRequest } from "../api/feedback.ts";
import { defineShape } from "../api/operation-shape.ts";
import { Count, Success } from "../api/operator-fields.ts";
import { isUuid, uuidV7 } from "@pergamon-dev/kit/uuid";
import { defineOperation } from "../api/operation.ts";
import type { Feedback } from "./feedback.ts";
import type { Records } from "./records.ts";

interface FeedbackServices {
  readonly feedback: Feedback;
  readonly records: Records;
}

/** Feedback of a team on its own job (contract, section 6.1). The operator reads it and refunds by hand. */
export const giveFeedback = defineOperation({
  line: "POST /v2/feedback",
  tag: "Account",
  summary: "Rate a job of the team",
  description: "Rates a scrape, search or map of the last 30 days. Refunds are up to the operator.",
  body: defineShape("FeedbackRequest", FeedbackRequest, { ...example, jobId: SCRAPE_ID }),
  answer: defineShape(
    "FeedbackKept",
    () =>
      z.strictObject({
        success: Success,
        feedbackId: z.uuid(),
        creditsRefunded: Count.describe("Always 0: the operator decides about refunds."),
        alreadySubmitted: Success.exactOptional().describe(
          "True when the team had already rated the job. The first rating is kept.",
        ),
      }),
    { success, feedbackId: "019a1feb-b000-7000-8000-000000000003", creditsRefunded: 0 },
  ),
  errors: [404],
  async handle({ body, caller }, { feedback, records }: FeedbackServices) {
    const { origin: _origin, integration: _integration, ...said } = body;
    const { jobId, content } = said.endpoint === "alexandria" ? ofNoJob(said) : ofJob(said);
    if (content.endpoint !== "alexandria") await requireJob(jobId, content.endpoint, { records, caller });
    const { id, isNew } = await feedback.add({ teamId: caller.teamId, keyId: caller.keyId, jobId, content });
    return {
      success: true,
      feedbackId: id,
      creditsRefunded: 0,
      ...(!isNew && { alreadySubmitted: true as const }),
    };
  },
});

const SearchFeedbackKept = () =>
  z.strictObject({
    success: Success,
    feedbackId: z.uuid(),
    creditsRefunded: Count.describe("Always 0: the operator decides about refunds."),
    alreadySubmitted: z
      .boolean()
      .describe("Whether the team had rated the search before. The first rating is kept."),
    dailyCapReached: z.literal(false),
    creditsRefundedToday: Count,
    dailyRefundCap: Count,
  });

/** Feedback on a search, by the search's id. */
export const giveSearchFeedback = defineOperation({
  line: "POST /v2/search/{id}/feedback",
  tag: "Search",
  summary: "Rate a search of the team",
  endpoint: "search",
  params: { id: { type: "string", format: "uuid", examples: [SCRAPE_ID] } },
  body: defineShape("SearchFeedbackRequest", SearchFeedbackRequest, {
    rating: "partial",
    missingContent: [{ topic: "prices" }],
  }),
  answer: defineShape("SearchFeedbackKept", SearchFeedbackKept, {
    success,
    feedbackId: "019a1feb-b000-7000-8000-000000000003",
    creditsRefunded: 0,
    alreadySubmitted: false,
    dailyCapReached: false,
    creditsRefundedToday: 0,
    dailyRefundCap: 0,
  }),
  errors: [404],
  async handle({ body, caller, params: { id: jobId } }, { feedback, records }: FeedbackServices) {
    if (!isUuid(jobId)) throw new NotFoundError(NO_JOB);
    await requireJob(jobId, "search", { records, caller });
    const { origin: _origin, integration: _integration, ...said } = body;
    const content = { endpoint: "search" as const, ...said };
    const { id, isNew } = await feedback.add({ teamId: caller.teamId, keyId: caller.keyId, jobId, content });
    return {
      success: true,
      feedbackId: id,
      creditsRefunded: 0,
      alreadySubmitted: !isNew,
      dailyCapReached: false,
      creditsRefundedToday: 0,
      dailyRefundCap: 0,
    };
  },
});

const NO_JOB = "Job not found.";

/** @throws NotFoundError when the job is of another kind or team, or nothing about it is kept. */
async function requireJob(
  id: string,
  kind: "search" | "scrape" | "parse" | "map",
  { records, caller }: { readonly records: Records; readonly caller: Caller },
): Promise<void> {
  const job = await records.get(id);
  const isOwn = job?.teamId === caller.teamId && (job.record.kind ?? "scrape") === kind;
  if (!isOwn) throw new NotFoundError(NO_JOB);
}

function ofJob<Said extends { readonly jobId: string }>({ jobId, ...content }: Said) {
  return { jobId, content };
}

/** Feedback without a job gets an id of its own, so that no two entries collide. */
function ofNoJob<Said extends object>(content: Said) {
  return { jobId: uuidV7(), content };
}
