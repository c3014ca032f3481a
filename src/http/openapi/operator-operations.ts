import { AuditQuery, FeedbackQuery, LedgerQuery, ListQuery } from "../../accounts/operator-requests.ts";
import { RequestQuery } from "../../contract/operator/requests.ts";
import type { Operation } from "./operation.ts";

/** What the operator can do, one line per operation. */
export const operatorOperations: Readonly<Record<string, Operation>> = {
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
    errors: [400, 403, 404, 412],
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
    errors: [400, 403, 404, 412],
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
  "GET /admin/api/feedback": {
    summary: "What teams say about their jobs, newest first",
    tag: "Operator",
    query: FeedbackQuery,
    answer: "FeedbackEntries",
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
