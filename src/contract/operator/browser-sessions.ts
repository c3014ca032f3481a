import { z } from "zod";

import { ExecuteRequest } from "../interact.ts";
import { limits } from "../limits.ts";
import { answerOf, Count, CursorQuery, Id, limitOf, pageOf, TeamQuery, Time } from "./fields.ts";

const State = z.enum(["active", "destroyed", "error"]);

/** `GET /admin/api/sessions`, newest first. */
export const BrowserSessionQuery = z.object({
  team: TeamQuery,
  state: State.optional(),
  limit: limitOf(100, 1000),
  cursor: CursorQuery,
});

const BrowserSession = z.strictObject({
  id: Id,
  teamId: Id,
  keyId: Id.nullable(),
  scrapeId: Id.nullable().describe("The request whose page it works on; null for a session of its own."),
  url: z.string().nullable().describe("Of that page, without credentials, as long as it is known."),
  state: State,
  isHere: z
    .boolean()
    .describe("Whether the process that answers has it: only then it is seen and used here."),
  isPrompted: z.boolean().describe("Whether any call had a prompt, so that all of it costs more."),
  viewers: Count.describe("Who looks at it just now."),
  createdAt: Time,
  lastUsedAt: Time,
  expiresAt: Time,
  endedAt: Time.nullable(),
  endReason: z
    .enum(["stopped", "expired", "idle", "browser-lost", "credits", "revoked", "shutdown", "crashed", "lost"])
    .nullable(),
  credits: z.number().min(0).nullable().describe("What it cost, or costs until now; null for one elsewhere."),
});

export const BrowserSessionsAnswer = pageOf(BrowserSession);

/** `GET /admin/api/sessions/{id}`. */
export const BrowserSessionAnswer = answerOf(BrowserSession);

/** `POST /admin/api/sessions/{id}/view`: a page of this service that shows the browser. */
export const SessionViewRequest = z.strictObject({
  isInteractive: z
    .boolean()
    .default(false)
    .describe("Whether mouse and keyboard are passed on: to take over."),
});
export const SessionViewAnswer = answerOf(
  z.strictObject({ path: z.string().describe("Needs no login, and ends with the session: keep it secret.") }),
);

const timeout = ExecuteRequest.shape.timeout;

/** `POST /admin/api/sessions/{id}/run`: as its team does, which pays for it. */
export const SessionRunRequest = z.union([
  z.strictObject({ code: ExecuteRequest.shape.code, language: ExecuteRequest.shape.language, timeout }),
  z.strictObject({
    prompt: z.string().min(1).max(limits.promptLength).describe("What to do, in words."),
    timeout,
  }),
]);

export const SessionRunAnswer = answerOf(
  z.strictObject({
    stdout: z.string(),
    stderr: z.string(),
    result: z.string(),
    output: z.string().nullable().describe("What a prompt was answered with."),
    exitCode: z.int(),
    killed: z.boolean(),
    truncated: z.boolean(),
    error: z.string().nullable(),
    durationMs: Count,
  }),
);

/** `DELETE /admin/api/sessions/{id}`. */
export const SessionEndedAnswer = answerOf(
  z.strictObject({ durationMs: Count, credits: z.number().min(0).describe("What it cost.") }),
);

export type BrowserSession = z.output<typeof BrowserSession>;
export type BrowserSessionsAnswer = z.output<typeof BrowserSessionsAnswer>;
export type BrowserSessionAnswer = z.output<typeof BrowserSessionAnswer>;
export type SessionViewAnswer = z.output<typeof SessionViewAnswer>;
export type SessionRunAnswer = z.output<typeof SessionRunAnswer>;
export type SessionEndedAnswer = z.output<typeof SessionEndedAnswer>;
