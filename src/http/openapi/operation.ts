import type { z } from "zod";

import { KeyPatch, NewKey, NewTeam, TeamPatch, TopUp } from "../../accounts/operator-requests.ts";
import { ThreatPolicyRequest } from "../../accounts/threat-policy.ts";
import { FeedbackRequest } from "../../contract/feedback.ts";
import { BrowserRequest, ExecuteRequest, InteractRequest } from "../../contract/interact.ts";
import { AcceptTermsRequest, ProviderToolRequest } from "../../contract/provider-tools.ts";
import { scrapeRequestSchema } from "../../scrape/request/schema.ts";
import { dashboardRequests } from "./dashboard-schemas.ts";
import { toolRequests } from "./tool-schemas.ts";
import type { answerSchemas, otherAnswers } from "./answers.ts";

/** The very schemas that validate the bodies. */
export const requestSchemas = {
  ScrapeRequest: scrapeRequestSchema(() => false),
  ProviderToolRequest,
  ThreatPolicyRequest,
  FeedbackRequest,
  AcceptTermsRequest,
  InteractRequest,
  BrowserRequest,
  ExecuteRequest,
  NewTeam,
  TeamPatch,
  TopUp,
  NewKey,
  KeyPatch,
  ...toolRequests,
  ...dashboardRequests,
} as const satisfies Readonly<Record<string, z.ZodType>>;

type Tag = "Scraping" | "Sessions" | "Provider tools" | "Account" | "Files" | "Service" | "Operator";
type JsonAnswer = keyof typeof answerSchemas;

export interface Operation {
  readonly summary: string;
  readonly tag: Tag;
  /** Name of the schema of the 200 answer. */
  readonly answer: JsonAnswer | keyof typeof otherAnswers;
  readonly body?: keyof typeof requestSchemas;
  readonly query?: z.ZodObject;
  /** The same line with another body, which is answered otherwise. */
  readonly or?: { readonly body: keyof typeof requestSchemas; readonly answer: JsonAnswer };
  /** Statuses of failures, beside those that all operations of the tag share. */
  readonly errors?: readonly number[];
  /** Name of the schema of failures. Default: Error. */
  readonly failure?: JsonAnswer;
}

/** What the check of who calls can end with (contract, section 4.1). */
const SHARED_ERRORS: Readonly<Record<Tag, readonly number[]>> = {
  Scraping: [401, 403, 429],
  Sessions: [401, 403, 429],
  "Provider tools": [401, 403, 429],
  Account: [401, 403, 429],
  Files: [],
  Service: [],
  // Of another site, with a session.
  Operator: [401, 403],
};

/** A body that is no JSON, too large, or does not fit. */
const BODY_ERRORS = [400, 413];

/** Statuses of the failures that an operation can end with, ascending. Any can break unexpectedly. */
export function failuresOf({ tag, errors = [], body }: Operation): readonly number[] {
  const all = [...SHARED_ERRORS[tag], ...errors, ...(body ? BODY_ERRORS : []), 500];
  return [...new Set(all)].toSorted((a, b) => a - b);
}

/** Name of the schema that an answer with this status has. */
export function shapeOf({ answer, failure = "Error" }: Operation, status: number): Operation["answer"] {
  if (status === 200) return answer;
  return status === 429 ? "RateLimit" : failure;
}
