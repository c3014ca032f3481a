import { DAY, LATER, SCRAPE_ID, SESSION_ID, TEAM_ID } from "./example-ids.ts";

const success = true;

const browserSession = {
  id: SESSION_ID,
  teamId: TEAM_ID,
  keyId: null,
  scrapeId: SCRAPE_ID,
  url: "https://example.com/",
  state: "active",
  isHere: true,
  isPrompted: false,
  viewers: 1,
  createdAt: DAY,
  lastUsedAt: DAY,
  expiresAt: LATER,
  endedAt: null,
  endReason: null,
  credits: 2,
};

/** What operators are told of browser sessions. */
export const browserSessionExamples = {
  OperatorSession: { success, data: browserSession },
  OperatorSessions: { success, data: [browserSession], cursor: null },
  SessionView: { success, data: { path: "/live/q83vASNFZ4mrze8BI0VniavN7wEjRWeJq83vASNFZ4k" } },
  SessionRun: {
    success,
    data: {
      stdout: "",
      stderr: "",
      result: "Example Domain",
      output: null,
      exitCode: 0,
      killed: false,
      truncated: false,
      error: null,
      durationMs: 12,
    },
  },
  SessionEnded: { success, data: { durationMs: 61_000, credits: 3 } },
};
