import { z } from "zod";

import { DAY, SESSION_ID, success } from "../api/example-values.ts";
import {
  BrowserAnswer,
  BrowserRequest,
  ExecuteAnswer,
  ExecuteRequest,
  InteractAnswer,
  InteractRequest,
  SessionAnswer,
  SessionEndAnswer,
  SessionsAnswer,
  sessionStatuses,
} from "../api/interact.ts";
import { defineShape } from "../api/operation-shape.ts";

const views = {
  cdpUrl: "ws://127.0.0.1:3002/cdp/4k1c…",
  liveViewUrl: "http://127.0.0.1:3002/live/8Zr0…",
  interactiveLiveViewUrl: "http://127.0.0.1:3002/live/Lq3x…",
};
const outcome = { stdout: "", result: "Example Domain", stderr: "", exitCode: 0, killed: false };
const session = {
  id: SESSION_ID,
  status: "active",
  ...views,
  streamWebView: true,
  createdAt: DAY,
  lastActivity: DAY,
};

export const interactRequest = defineShape("InteractRequest", InteractRequest, {
  code: "await page.title()",
});
export const browserRequest = defineShape("BrowserRequest", BrowserRequest, {
  ttl: 600,
  profile: { name: "shop" },
});
export const executeRequest = defineShape("ExecuteRequest", ExecuteRequest, {
  code: "await page.goto('https://example.com'); await page.title()",
});
export const interactAnswer = defineShape("InteractAnswer", InteractAnswer, {
  success,
  sessionId: SESSION_ID,
  ...views,
  ...outcome,
});
export const sessionEnd = defineShape("SessionEnd", SessionEndAnswer, {
  success,
  status: "destroyed",
  sessionDurationMs: 90_000,
  creditsBilled: 3,
  cleanupQueued: true,
});
export const openedSession = defineShape("Browser", BrowserAnswer, {
  success,
  id: SESSION_ID,
  ...views,
  expiresAt: DAY,
});
export const oneSession = defineShape("Session", SessionAnswer, { success, ...session });
export const allSessions = defineShape("Sessions", SessionsAnswer, { success, sessions: [session] });
export const executed = defineShape("Execute", ExecuteAnswer, { success, ...views, ...outcome });

export const SessionsQuery = z.object({
  status: z
    .enum(sessionStatuses)
    .optional()
    .describe("Return only sessions with this status. Default: all sessions of the last day."),
});
