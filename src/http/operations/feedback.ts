import { z } from "zod";

import { NotFoundError } from "../../contract/errors.ts";
import { feedback as example, SCRAPE_ID, success } from "../../contract/example-values.ts";
import { FeedbackRequest } from "../../contract/feedback.ts";
import { defineShape } from "../../contract/operation.ts";
import { Count, Success } from "../../contract/operator/fields.ts";
import { uuidV7 } from "../../kit/uuid.ts";
import { defineOperation } from "../../operations/operation.ts";
import type { Feedback } from "../../stores/feedback/feedback.ts";
import type { Records } from "../../stores/scrapes/records.ts";

interface FeedbackServices {
  readonly feedback: Feedback;
  readonly records: Records;
}

/** What a team says about a job of its own (contract, section 6.1). The operator reads it, and refunds by hand. */
export const giveFeedback = defineOperation({
  line: "POST /v2/feedback",
  tag: "Account",
  summary: "Rate a job of the team",
  body: defineShape("FeedbackRequest", FeedbackRequest, { ...example, jobId: SCRAPE_ID }),
  answer: defineShape(
    "FeedbackKept",
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
    const job = content.endpoint === "scrape" ? await records.get(jobId) : undefined;
    const isOwn = content.endpoint === "alexandria" || job?.teamId === caller.teamId;
    if (!isOwn) throw new NotFoundError("Job not found.");
    const { id, isNew } = await feedback.add({ teamId: caller.teamId, keyId: caller.keyId, jobId, content });
    return {
      success: true,
      feedbackId: id,
      creditsRefunded: 0,
      ...(!isNew && { alreadySubmitted: true as const }),
    };
  },
});

function ofJob<Said extends { readonly jobId: string }>({ jobId, ...content }: Said) {
  return { jobId, content };
}

/** Each is one of its own. */
function ofNoJob<Said extends object>(content: Said) {
  return { jobId: uuidV7(), content };
}
