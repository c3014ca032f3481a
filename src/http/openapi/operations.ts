import type { z } from "zod";

import {
  AuditQuery,
  KeyPatch,
  LedgerQuery,
  ListQuery,
  NewKey,
  NewTeam,
  RequestQuery,
  TeamPatch,
  TopUp,
} from "../../accounts/operator-requests.ts";
import { ThreatPolicyRequest } from "../../accounts/threat-policy.ts";
import { errorCodes } from "../../contract/errors.ts";
import { scrapeRequestSchema } from "../../scrape/request/schema.ts";
import type { answerSchemas, otherAnswers } from "./answers.ts";
import { ActivityQuery, FileQuery, HistoryQuery } from "../queries.ts";

/** The very schemas that validate the bodies. */
export const requestSchemas = {
  ScrapeRequest: scrapeRequestSchema(() => false),
  ThreatPolicyRequest,
  NewTeam,
  TeamPatch,
  TopUp,
  NewKey,
  KeyPatch,
} as const satisfies Readonly<Record<string, z.ZodType>>;

type Tag = "Scraping" | "Account" | "Files" | "Service" | "Operator";
type JsonAnswer = keyof typeof answerSchemas;

export interface Operation {
  readonly summary: string;
  readonly tag: Tag;
  /** Name of the schema of the 200 answer. */
  readonly answer: JsonAnswer | keyof typeof otherAnswers;
  readonly body?: keyof typeof requestSchemas;
  readonly query?: z.ZodObject;
  /** Statuses of failures, beside those that all operations of the tag share. */
  readonly errors?: readonly number[];
  /** Name of the schema of failures. Default: Error. */
  readonly failure?: JsonAnswer;
}

/** What the check of who calls can end with (contract, section 4.1). */
const SHARED_ERRORS: Readonly<Record<Tag, readonly number[]>> = {
  Scraping: [401, 403, 429],
  Account: [401, 403, 429],
  Files: [],
  Service: [],
  Operator: [401],
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

const codedStatuses: readonly number[] = Object.values(errorCodes).map(({ status }) => status);

/** One line per operation: `METHOD path`. */
export const operations: Readonly<Record<string, Operation>> = {
  "POST /v2/scrape": {
    summary: "Scrape one page",
    tag: "Scraping",
    body: "ScrapeRequest",
    answer: "ScrapeAnswer",
    errors: codedStatuses,
  },
  "GET /v2/scrape/{id}": {
    summary: "The data of an earlier scrape, kept for 24 hours",
    tag: "Scraping",
    answer: "ScrapeAnswer",
    errors: [400, 404, 408],
  },
  "GET /v2/files/{name}": {
    summary: "A file that an answer links to",
    tag: "Files",
    query: FileQuery,
    answer: "file",
    errors: [404, 410],
  },
  "GET /v2/browser/profiles": {
    summary: "Named browser storage of the team",
    tag: "Scraping",
    answer: "Profiles",
  },
  "DELETE /v2/browser/profiles/{name}": {
    summary: "Delete named browser storage",
    tag: "Scraping",
    answer: "Done",
    errors: [404, 409],
  },
  "GET /v2/team/credit-usage": { summary: "Credits left this month", tag: "Account", answer: "CreditUsage" },
  "GET /v2/team/token-usage": { summary: "The same in tokens", tag: "Account", answer: "TokenUsage" },
  "GET /v2/team/credit-usage/historical": {
    summary: "Credits used, by month",
    tag: "Account",
    query: HistoryQuery,
    answer: "CreditHistory",
    errors: [400],
  },
  "GET /v2/team/token-usage/historical": {
    summary: "Tokens used, by month",
    tag: "Account",
    query: HistoryQuery,
    answer: "TokenHistory",
    errors: [400],
  },
  "GET /v2/team/queue-status": {
    summary: "Pages being fetched and waiting",
    tag: "Account",
    answer: "QueueStatus",
  },
  "GET /v2/team/activity": {
    summary: "Latest requests",
    tag: "Account",
    query: ActivityQuery,
    answer: "Activity",
    errors: [400],
  },
  "GET /v2/concurrency-check": { summary: "Concurrency in use", tag: "Account", answer: "Concurrency" },
  "GET /v2/team/threat-protection": {
    summary: "The team's threat policy",
    tag: "Account",
    answer: "ThreatPolicy",
  },
  "PUT /v2/team/threat-protection": {
    summary: "Set the team's threat policy",
    tag: "Account",
    body: "ThreatPolicyRequest",
    answer: "ThreatPolicy",
  },
  "GET /healthz": { summary: "Whether the process lives", tag: "Service", answer: "Health" },
  "GET /readyz": {
    summary: "Whether every part answers",
    tag: "Service",
    answer: "Readiness",
    errors: [503],
    failure: "Readiness",
  },
  "GET /": { summary: "Landing page", tag: "Service", answer: "page" },
  "GET /openapi.json": { summary: "This document", tag: "Service", answer: "Document" },
  "GET /docs": { summary: "This document, to read and try", tag: "Service", answer: "page" },
  "GET /metrics": {
    summary: "Figures for Prometheus; with keys only for the operator and METRICS_KEY",
    tag: "Service",
    answer: "text",
    errors: [401],
  },
  "POST /admin/api/teams": {
    summary: "Make a team with its first key, which is told this once",
    tag: "Operator",
    body: "NewTeam",
    answer: "MadeTeam",
    errors: [400],
  },
  "GET /admin/api/teams": {
    summary: "All teams, oldest first",
    tag: "Operator",
    query: ListQuery,
    answer: "Teams",
    errors: [400],
  },
  "PATCH /admin/api/teams/{id}": {
    summary: "Change what a team may do",
    tag: "Operator",
    body: "TeamPatch",
    answer: "Team",
    errors: [400, 404],
  },
  "DELETE /admin/api/teams/{id}": {
    summary: "End a team and erase its data",
    tag: "Operator",
    answer: "Done",
    errors: [400, 404],
  },
  "POST /admin/api/teams/{id}/credits": {
    summary: "Add prepaid credits",
    tag: "Operator",
    body: "TopUp",
    answer: "Remaining",
    errors: [400, 404],
  },
  "GET /admin/api/teams/{id}/ledger": {
    summary: "How credits moved, newest first",
    tag: "Operator",
    query: LedgerQuery,
    answer: "Ledger",
    errors: [400],
  },
  "POST /admin/api/teams/{id}/keys": {
    summary: "Make a key, which is told this once",
    tag: "Operator",
    body: "NewKey",
    answer: "MadeKey",
    errors: [400, 404],
  },
  "GET /admin/api/teams/{id}/keys": {
    summary: "Keys of a team, oldest first, revoked ones too",
    tag: "Operator",
    query: ListQuery,
    answer: "Keys",
    errors: [400],
  },
  "PATCH /admin/api/keys/{id}": {
    summary: "Change the name or the restrictions of a key",
    tag: "Operator",
    body: "KeyPatch",
    answer: "Done",
    errors: [400, 404],
  },
  "DELETE /admin/api/keys/{id}": {
    summary: "End a key at once",
    tag: "Operator",
    answer: "Done",
    errors: [404],
  },
  "GET /admin/api/requests": {
    summary: "Requests of all teams, newest first",
    tag: "Operator",
    query: RequestQuery,
    answer: "Requests",
    errors: [400],
  },
  "GET /admin/api/audit": {
    summary: "The audit log, oldest first, as lines of JSON; the header x-next-cursor asks for the next page",
    tag: "Operator",
    query: AuditQuery,
    answer: "lines",
    errors: [400],
  },
  "GET /admin/api/status": { summary: "How the service does", tag: "Operator", answer: "Status" },
};
