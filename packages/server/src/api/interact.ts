import { z } from "zod";
import { lazy } from "@pergamon-dev/kit/lazy";

import { callerLabels } from "./caller-labels.ts";
import { limits } from "./limits.ts";
import { Profile } from "./request-options.ts";

const { codeLength, timeoutSeconds, lifeSeconds, idleSeconds } = limits.interact;

/** Session ids of the service are shorter. */
const MAX_SESSION_ID_LENGTH = 100;

const Code = z.string().min(1).max(codeLength);
const Language = z.enum(["node", "python", "bash"]).default("node");
const life = {
  ttl: within(lifeSeconds).describe("Maximum lifetime of the session in seconds."),
  activityTtl: within(idleSeconds).describe("Seconds without a call after which the session ends."),
};

/** The body of `POST /v2/scrape/{id}/interact` (contract, section 3.32). Other fields are ignored. */
export const InteractRequest = z
  .object({
    code: Code.optional().describe("Code to run in the session. Takes precedence over prompt."),
    prompt: z.string().min(1).max(limits.promptLength).optional().describe("The task, in natural language."),
    language: Language.describe("Language of the code."),
    timeout: within(timeoutSeconds).describe("Seconds."),
    ...life,
    existingSessionId: z
      .string()
      .max(MAX_SESSION_ID_LENGTH)
      .optional()
      .describe("Id of an existing session."),
    ...callerLabels,
  })
  .refine(
    ({ code, prompt }) => code !== undefined || prompt !== undefined,
    "Either 'code' or 'prompt' must be provided.",
  );

export type InteractRequest = z.output<typeof InteractRequest>;

/** The body of `POST /v2/browser` (contract, section 3.33). Other fields are ignored. */
export const BrowserRequest = () =>
  z.object({
    ...life,
    streamWebView: z
      .boolean()
      .default(true)
      .describe("Returned with the session. A session can always be watched."),
    recordSession: z.boolean().optional().describe("Accepted without effect: sessions are not recorded."),
    profile: Profile.optional().describe("Browser profile: named, persistent browser storage."),
    ...callerLabels,
  });

/** The body of `POST /v2/browser/{id}/execute`. Other fields are ignored. */
export const ExecuteRequest = lazy(() =>
  z.object({
    code: Code.describe("Code to run in the session."),
    language: Language.describe("Language of the code."),
    timeout: within(timeoutSeconds).describe("Seconds."),
    ...callerLabels,
  }),
);

const views = {
  cdpUrl: z
    .string()
    .describe("WebSocket URL for clients of the DevTools protocol, such as Playwright's connectOverCDP."),
  liveViewUrl: z.string().describe("URL of a page that shows the browser."),
  interactiveLiveViewUrl: z
    .string()
    .describe("URL of a page that shows the browser and accepts mouse and keyboard input."),
};

const outcome = {
  stdout: z.string(),
  result: z
    .string()
    .exactOptional()
    .describe(
      "Value of the last expression; after a prompt, the last observation of the page. Absent when the code only printed.",
    ),
  stderr: z.string(),
  exitCode: z.int(),
  killed: z.boolean().describe("True when the code was killed because it exceeded its time or memory limit."),
  truncated: z.literal(true).exactOptional().describe("Output beyond 1 MB was truncated."),
  error: z.string().exactOptional().describe("The error that the code threw, or why the prompt failed."),
};

/** The response to code or a prompt. */
export const InteractAnswer = () =>
  z.strictObject({
    success: z.boolean().describe("True when the exit code is 0 and nothing was killed."),
    sessionId: z.uuid(),
    ...views,
    output: z.string().exactOptional().describe("With a prompt: the answer."),
    ...outcome,
  });

export const ExecuteAnswer = () => z.strictObject({ success: z.literal(true), ...views, ...outcome });

export const SessionEndAnswer = () =>
  z.strictObject({
    success: z.literal(true),
    status: z.literal("destroyed"),
    sessionDurationMs: z.int().min(0),
    creditsBilled: z.number().min(0),
    cleanupQueued: z.literal(true).exactOptional(),
  });

export const BrowserAnswer = () =>
  z.strictObject({
    success: z.literal(true),
    id: z.uuid(),
    ...views,
    expiresAt: z.iso.datetime(),
  });

/** Session states that clients see. */
export const sessionStatuses = ["active", "destroyed", "error"] as const;

const session = {
  id: z.uuid(),
  status: z.enum(sessionStatuses),
  cdpUrl: z.string().describe("Empty after the session has ended, like the view URLs."),
  liveViewUrl: z.string(),
  interactiveLiveViewUrl: z.string(),
  streamWebView: z.boolean(),
  createdAt: z.iso.datetime(),
  lastActivity: z.iso.datetime(),
};

export const SessionAnswer = () => z.strictObject({ success: z.literal(true), ...session });

export const SessionsAnswer = () =>
  z.strictObject({
    success: z.literal(true),
    sessions: z.array(z.strictObject(session)),
  });

interface Range {
  readonly minimum: number;
  readonly maximum: number;
  readonly default: number;
}

function within({ minimum, maximum, default: usual }: Range) {
  return z.int().min(minimum).max(maximum).default(usual);
}
