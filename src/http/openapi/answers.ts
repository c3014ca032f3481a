import { z } from "zod";

import { FailureAnswer, RateLimitAnswer } from "../../contract/answer.ts";
import {
  BrowserAnswer,
  ExecuteAnswer,
  InteractAnswer,
  SessionAnswer,
  SessionEndAnswer,
  SessionsAnswer,
} from "../../contract/interact.ts";
import { ScrapeAnswer } from "../../scrape/answer/schema.ts";
import { ProviderToolAnswer } from "../../contract/provider-tools.ts";
import { accountAnswers } from "./account-answers.ts";
import { dashboardAnswers } from "./dashboard-schemas.ts";
import { operatorAnswers } from "./operator-answers.ts";
import { toolAnswers } from "./tool-schemas.ts";

const Part = z.strictObject({
  name: z.string(),
  ok: z.boolean(),
  code: z.string().exactOptional().describe("Why it does not work, such as `ENOSPC`; the log says more."),
});

/** Answers that are no JSON. */
export const otherAnswers = {
  text: { "text/plain": { schema: { type: "string" } } },
  page: { "text/html": { schema: { type: "string" } } },
  lines: { "application/x-ndjson": { schema: { type: "string" } } },
  table: { "text/csv": { schema: { type: "string" } } },
  events: { "text/event-stream": { schema: { type: "string" } } },
  photo: { "image/jpeg": { schema: { type: "string", format: "binary" } } },
  picture: { "image/png": { schema: { type: "string", format: "binary" } } },
  file: { "*/*": { schema: { type: "string", format: "binary" } } },
} as const;

/** Shapes of the answers. Nothing else is answered: tests hold every answer against them. */
export const answerSchemas = {
  ScrapeAnswer,
  InteractAnswer,
  SessionEnd: SessionEndAnswer,
  Browser: BrowserAnswer,
  Session: SessionAnswer,
  Sessions: SessionsAnswer,
  Execute: ExecuteAnswer,
  ...accountAnswers,
  ...operatorAnswers,
  ProviderToolAnswer,
  ...toolAnswers,
  ...dashboardAnswers,
  Cohorts: z.strictObject({ cohorts: z.array(z.strictObject({ cohort: z.string(), about: z.string() })) }),
  ProviderTerms: z.strictObject({
    success: z.literal(true),
    provider: z.string(),
    required: z.boolean().describe("Whether terms have to be accepted at all."),
    text: z.string().exactOptional(),
    version: z.string().exactOptional(),
    url: z.string().exactOptional(),
    digest: z.string().exactOptional().describe("SHA-256 of the text, in hex."),
  }),
  TermsAccepted: z.strictObject({
    success: z.literal(true),
    provider: z.string(),
    version: z.string(),
    digest: z.string(),
    acceptedAt: z.iso.datetime(),
  }),
  Done: z.strictObject({ success: z.literal(true) }),
  Document: z.looseObject({ openapi: z.string() }),
  Health: z.strictObject({ status: z.literal("ok") }),
  Production: z.strictObject({ isProduction: z.boolean().describe("True when keys are needed.") }),
  Readiness: z.strictObject({ status: z.enum(["ready", "not ready"]), parts: z.array(Part) }),
  Error: FailureAnswer,
  RateLimit: RateLimitAnswer,
};
