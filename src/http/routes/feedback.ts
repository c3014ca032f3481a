import type { FastifyInstance } from "fastify";

import { NotFoundError } from "../../contract/errors.ts";
import { FeedbackRequest } from "../../contract/feedback.ts";
import type { Feedback } from "../../stores/feedback/feedback.ts";
import type { Records } from "../../stores/scrapes/records.ts";

interface FeedbackRoutes {
  readonly feedback: Feedback;
  readonly records: Records;
}

/** What a team says about a job of its own (contract, section 6.1). The operator reads it, and refunds by hand. */
export function addFeedbackRoutes(app: FastifyInstance, { feedback, records }: FeedbackRoutes): void {
  app.post("/v2/feedback", async ({ body, caller }) => {
    const { jobId, origin: _origin, integration: _integration, ...content } = FeedbackRequest.parse(body);
    const job = content.endpoint === "scrape" ? await records.get(jobId) : undefined;
    if (job?.teamId !== caller.teamId) throw new NotFoundError("Job not found.");
    const { id, isNew } = await feedback.add({ teamId: caller.teamId, keyId: caller.keyId, jobId, content });
    return { success: true, feedbackId: id, creditsRefunded: 0, ...(!isNew && { alreadySubmitted: true }) };
  });
}
