import { SessionsQuery } from "../queries.ts";
import type { Operation } from "./operation.ts";

const OPENING = [402, 408, 409, 500, 502, 503];
const RUNNING = [402, 404, 408, 410, 502, 503];

const ownSessions = (path: string): Readonly<Record<string, Operation>> => ({
  [`POST ${path}`]: {
    summary: "Open a browser session of its own",
    tag: "Sessions",
    body: "BrowserRequest",
    answer: "Browser",
    errors: OPENING,
  },
  [`GET ${path}`]: {
    summary: "Browser sessions of the team",
    tag: "Sessions",
    query: SessionsQuery,
    answer: "Sessions",
    errors: [400],
  },
  [`GET ${path}/{id}`]: { summary: "One of them", tag: "Sessions", answer: "Session", errors: [404] },
  [`POST ${path}/{id}/execute`]: {
    summary: "Run code in a session",
    tag: "Sessions",
    body: "ExecuteRequest",
    answer: "Execute",
    errors: RUNNING,
  },
  [`DELETE ${path}/{id}`]: {
    summary: "End a session, and save its profile",
    tag: "Sessions",
    answer: "SessionEnd",
    errors: [404, 502],
  },
});

/** Sessions on live pages: one line per operation. */
export const sessionOperations: Readonly<Record<string, Operation>> = {
  "POST /v2/scrape/{id}/interact": {
    summary: "Go on with a scraped page, by code or in words",
    tag: "Sessions",
    body: "InteractRequest",
    answer: "InteractAnswer",
    errors: [...new Set([...OPENING, ...RUNNING])],
  },
  "DELETE /v2/scrape/{id}/interact": {
    summary: "End the session of a scraped page",
    tag: "Sessions",
    answer: "SessionEnd",
    errors: [400, 404, 502],
  },
  ...ownSessions("/v2/browser"),
  ...ownSessions("/v2/interact"),
};
