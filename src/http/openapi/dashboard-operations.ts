import { errorCodes } from "../../contract/errors.ts";
import { CompareQuery } from "../../contract/operator/compare.ts";
import { RequestQuery } from "../../contract/operator/requests.ts";
import { OverviewQuery, SetupQuery } from "../../contract/operator/overview.ts";
import type { OperatorRoutes, ToolRoutes } from "../../contract/operator/routes.ts";
import { CacheQuery, ProfileQuery } from "../../contract/operator/storage.ts";
import { UsageQuery } from "../../contract/operator/usage.ts";
import { browserSessionOperations } from "./browser-session-operations.ts";
import type { Operation } from "./operation.ts";

const codedStatuses: readonly number[] = Object.values(errorCodes).map(({ status }) => status);

/** What the operator's pages ask for. With a session a request of another site's page ends with 403. */
export const dashboardOperations = {
  "POST /admin/session": {
    summary: "Log in a browser, with the operator's key or the token of a login link",
    tag: "Operator",
    body: "LogInRequest",
    answer: "OperatorLogin",
    errors: [403, 429],
  },
  "GET /admin/session": {
    summary: "Who is logged in",
    tag: "Operator",
    answer: "OperatorLogin",
    errors: [403],
  },
  "DELETE /admin/session": { summary: "Log out", tag: "Operator", answer: "Done", errors: [403] },
  "GET /admin/api/logins": {
    summary: "Browsers that are logged in, newest first",
    tag: "Operator",
    answer: "Logins",
    errors: [403],
  },
  "DELETE /admin/api/logins/{id}": {
    summary: "Log a browser out",
    tag: "Operator",
    answer: "Done",
    errors: [403, 404],
  },
  "POST /admin/api/playground-key": {
    summary: "Make a key of a team that ends after an hour",
    tag: "Operator",
    body: "PlaygroundKeyRequest",
    answer: "PlaygroundKey",
    errors: [403, 404],
  },
  "GET /admin/api/overview": {
    summary: "Figures of the last days and of the last hour, how the service does, and the latest requests",
    tag: "Operator",
    query: OverviewQuery,
    answer: "Overview",
    errors: [400, 403],
  },
  "GET /admin/api/setup": {
    summary: "What the doctor found: what is missing, what that costs, and how to get it",
    tag: "Operator",
    query: SetupQuery,
    answer: "Setup",
    errors: [400, 403],
  },
  "GET /admin/api/events": {
    summary: "What happens, as server-sent events: status each second, request for each that ended",
    tag: "Operator",
    answer: "events",
    errors: [403, 503],
  },
  "GET /admin/api/requests/{id}": {
    summary: "A request: what was asked for without its secrets, why it ended so, where the time went",
    tag: "Operator",
    answer: "RequestDetail",
    errors: [403, 404],
  },
  "GET /admin/api/requests/{id}/answer": {
    summary: "What the request was answered with, for a day",
    tag: "Operator",
    answer: "ScrapeAnswer",
    errors: [403, 404],
  },
  "POST /admin/api/requests/{id}/replay": {
    summary: "Do a request again, as it was or with changes, in the name of its team and key",
    tag: "Operator",
    body: "ReplayRequest",
    answer: "Replay",
    errors: [...codedStatuses, 429],
  },
  "GET /admin/api/requests.jsonl": {
    summary: "Requests of all teams as lines of JSON, newest first",
    tag: "Operator",
    query: RequestQuery,
    answer: "lines",
    errors: [400, 403],
  },
  "GET /admin/api/requests/{id}/pages/{n}.png": {
    summary: "A page of the document that a request read, as it is seen",
    tag: "Operator",
    answer: "picture",
    errors: [403, 404, 408, 503],
  },
  "GET /admin/api/compare": {
    summary: "How two requests and their answers differ",
    tag: "Operator",
    query: CompareQuery,
    answer: "Compare",
    errors: [400, 403, 404],
  },
  "GET /admin/preview/{id}": {
    summary: "HTML that a request was answered with, for a sandboxed frame",
    tag: "Operator",
    answer: "page",
    errors: [403, 404],
  },
  "GET /admin/api/usage": {
    summary: "How much was done: over time, and by team, key, format or way",
    tag: "Operator",
    query: UsageQuery,
    answer: "Usage",
    errors: [400, 403],
  },
  "GET /admin/api/usage.csv": {
    summary: "The same over time as a table",
    tag: "Operator",
    query: UsageQuery,
    answer: "table",
    errors: [400, 403],
  },
  "GET /admin/api/profiles": {
    summary: "Named browser storage of all teams",
    tag: "Operator",
    query: ProfileQuery,
    answer: "OperatorProfiles",
    errors: [400, 403],
  },
  "DELETE /admin/api/teams/{id}/profiles/{name}": {
    summary: "Delete named browser storage of a team",
    tag: "Operator",
    answer: "Done",
    errors: [403, 404, 409],
  },
  "GET /admin/api/cache": {
    summary: "Kept versions of pages, newest first",
    tag: "Operator",
    query: CacheQuery,
    answer: "CacheVersions",
    errors: [400, 403],
  },
  "GET /admin/api/cache/size": {
    summary: "What kept pages weigh together",
    tag: "Operator",
    answer: "CacheSize",
    errors: [403],
  },
  "GET /admin/api/cache/compare": {
    summary: "What changed between two versions of a page, as Markdown",
    tag: "Operator",
    query: CompareQuery,
    answer: "CacheCompare",
    errors: [400, 403, 404, 500],
  },
  "POST /admin/api/cache/purge": {
    summary: "Remove every kept version of an address",
    tag: "Operator",
    body: "PurgeRequest",
    answer: "Purged",
    errors: [403],
  },
  "DELETE /admin/api/cache/{id}": {
    summary: "Remove a kept version of a page",
    tag: "Operator",
    answer: "Done",
    errors: [403, 404],
  },
  "GET /admin/api/settings": {
    summary: "Every setting: what it is, where it comes from, what it means. No secrets",
    tag: "Operator",
    answer: "Settings",
    errors: [403],
  },
  ...browserSessionOperations,
  "POST /admin/api/test/{part}": {
    summary: "Try out what settings lead to: model, proxies, collector or browser",
    tag: "Operator",
    answer: "Tested",
    errors: [400, 403],
  },
} as const satisfies Readonly<Record<string, Operation>> &
  Readonly<Record<Exclude<keyof OperatorRoutes, keyof ToolRoutes | "GET /admin/api/requests">, Operation>>;
