import { errorCodes } from "../../contract/errors.ts";
import { ActivityQuery, FileQuery, HistoryQuery, TermsQuery } from "../queries.ts";
import { dashboardOperations } from "./dashboard-operations.ts";
import type { Operation } from "./operation.ts";
import { operatorOperations } from "./operator-operations.ts";
import { toolOperations } from "./tool-operations.ts";
import { sessionOperations } from "./session-operations.ts";

const codedStatuses: readonly number[] = Object.values(errorCodes).map(({ status }) => status);

/** One line per operation: `METHOD path`. */
export const operations: Readonly<Record<string, Operation>> = {
  "POST /v2/scrape": {
    summary: "Scrape one page, or call provider tools",
    tag: "Scraping",
    body: "ScrapeRequest",
    answer: "ScrapeAnswer",
    or: { body: "ProviderToolRequest", answer: "ProviderToolAnswer" },
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
  "GET /v2/exchange/discover": {
    summary: "Kinds of data that provider tools have",
    tag: "Provider tools",
    answer: "Cohorts",
  },
  "GET /v2/exchange/provider-terms": {
    summary: "The terms of a provider",
    tag: "Provider tools",
    query: TermsQuery,
    answer: "ProviderTerms",
    errors: [400, 404],
  },
  "POST /v2/exchange/provider-terms/accept": {
    summary: "Accept the terms of a provider for the team",
    tag: "Provider tools",
    body: "AcceptTermsRequest",
    answer: "TermsAccepted",
    errors: [404, 409],
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
  ...sessionOperations,
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
  "POST /v2/feedback": {
    summary: "Say how good a job of the team was",
    tag: "Account",
    body: "FeedbackRequest",
    answer: "FeedbackKept",
    errors: [404],
  },
  "GET /healthz": { summary: "Whether the process lives", tag: "Service", answer: "Health" },
  "GET /readyz": {
    summary: "Whether every part answers",
    tag: "Service",
    answer: "Readiness",
    errors: [503],
    failure: "Readiness",
  },
  "GET /v0/health/liveness": {
    summary: "As /healthz, under its older name",
    tag: "Service",
    answer: "Health",
  },
  "GET /v0/health/readiness": {
    summary: "As /readyz, under its older name",
    tag: "Service",
    answer: "Readiness",
    errors: [503],
    failure: "Readiness",
  },
  "GET /e2e-test": { summary: "OK", tag: "Service", answer: "text" },
  "GET /is-production": { summary: "Whether keys are needed", tag: "Service", answer: "Production" },
  "GET /": { summary: "Landing page", tag: "Service", answer: "page" },
  "GET /openapi.json": { summary: "This document", tag: "Service", answer: "Document" },
  "GET /docs": { summary: "This document, to read and try", tag: "Service", answer: "page" },
  "GET /metrics": {
    summary: "Figures for Prometheus; with keys only for the operator and METRICS_KEY",
    tag: "Service",
    answer: "text",
    errors: [401],
  },
  ...operatorOperations,
  ...toolOperations,
  ...dashboardOperations,
};
