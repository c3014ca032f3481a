import { BrowserSessionQuery } from "../../contract/operator/browser-sessions.ts";
import type { Operation } from "./operation.ts";

/** What operators do with browser sessions of all teams. */
export const browserSessionOperations = {
  "GET /admin/api/sessions": {
    summary: "Browser sessions of all teams, newest first",
    tag: "Operator",
    query: BrowserSessionQuery,
    answer: "OperatorSessions",
    errors: [400, 403],
  },
  "GET /admin/api/sessions/{id}": {
    summary: "A browser session",
    tag: "Operator",
    answer: "OperatorSession",
    errors: [403, 404],
  },
  "GET /admin/api/sessions/{id}/picture.jpg": {
    summary: "What the page of a session looks like now",
    tag: "Operator",
    answer: "photo",
    errors: [403, 404, 410, 502],
  },
  "POST /admin/api/sessions/{id}/view": {
    summary: "The address of a page that shows a session, to look at or to take over",
    tag: "Operator",
    body: "SessionViewRequest",
    answer: "SessionView",
    errors: [403, 404, 410, 502],
  },
  "POST /admin/api/sessions/{id}/run": {
    summary: "Run code or a prompt in a session, as its team does",
    tag: "Operator",
    body: "SessionRunRequest",
    answer: "SessionRun",
    errors: [402, 403, 404, 408, 410, 429, 502, 503],
  },
  "DELETE /admin/api/sessions/{id}": {
    summary: "End a session",
    tag: "Operator",
    answer: "SessionEnded",
    errors: [403, 404, 502],
  },
} as const satisfies Readonly<Record<string, Operation>>;
