import type { dashboardAnswers, dashboardRequests } from "./dashboard-schemas.ts";

const TEAM_ID = "019a1feb-0000-7000-8000-000000000001";
const SESSION_ID = "019a1feb-0000-7000-8000-000000000004";
const API_KEY = "fc-0123456789abcdef0123456789abcdef";
const [DAY, LATER, WEEK_LATER] = [
  "2026-05-02T08:30:00.000Z",
  "2026-05-02T09:30:00.000Z",
  "2026-05-09T08:30:00.000Z",
];

const success = true;
const session = {
  sessionId: SESSION_ID,
  isOwn: true,
  createdAt: DAY,
  lastUsedAt: DAY,
  expiresAt: WEEK_LATER,
  address: "192.0.2.1",
  userAgent: "Mozilla/5.0",
};

/** What the operator's pages may send, by the name of the schema. */
export const dashboardRequestExamples: Readonly<Record<keyof typeof dashboardRequests, unknown>> = {
  LogInRequest: { key: "pa-0123456789abcdef0123456789abcdef0123456789abcdef" },
  PlaygroundKeyRequest: { teamId: TEAM_ID },
};

/** What is answered then. */
export const dashboardAnswerExamples: Readonly<Record<keyof typeof dashboardAnswers, unknown>> = {
  Session: {
    success,
    data: {
      session,
      auth: "keys",
      version: "1.0.0",
      defaultTeamId: "default",
      baseUrl: "https://scrape.test",
    },
  },
  Logins: { success, data: [session] },
  PlaygroundKey: { success, apiKey: API_KEY, expiresAt: LATER },
};
