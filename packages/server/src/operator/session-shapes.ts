import { z } from "zod";

import { done } from "../api/common-shapes.ts";
import { API_KEY, DAY, LATER, success, TEAM_ID, WEEK_LATER } from "../api/example-values.ts";
import { defineShape } from "../api/operation-shape.ts";
import { operatorOperation } from "../api/operator-operation.ts";
import { answerOf, Id, Success, Time } from "../api/operator-fields.ts";

/** Every request of the dashboard that changes something carries this header: no form and no link of another site can. */
export const DASHBOARD_HEADER = { name: "x-pergamon", value: "dashboard" } as const;
export const SESSION_COOKIE = "pergamon_session";

/** `POST /admin/session`: the operator's key, or the token of a login link. */
export const LogInRequest = z.union([
  z.strictObject({ key: z.string().min(1).max(1000).describe("ADMIN_KEY.") }),
  z.strictObject({
    token: z
      .string()
      .min(1)
      .max(200)
      .describe("Token of a login link. It can be used once, within 10 minutes."),
  }),
]);

const Session = z.strictObject({
  sessionId: Id,
  /** Whose request this is. */
  isOwn: z.boolean(),
  createdAt: Time,
  lastUsedAt: Time,
  expiresAt: Time.describe(
    "When the login expires at the latest. It ends earlier after 12 hours without a request.",
  ),
  address: z.string().describe("Address of the client as the service sees it."),
  userAgent: z.string().describe("User agent of the browser, at most 300 characters."),
});

/** `POST` and `GET /admin/session`: what every page has to know. */
export const SessionAnswer = answerOf(
  z.strictObject({
    session: Session.nullable().describe("Null for requests that use the operator's key."),
    auth: z.enum(["open", "keys"]),
    version: z.string().describe("Version of the service."),
    defaultTeamId: Id.describe("The team of every caller in open mode."),
    baseUrl: z.string().describe("URL at which clients reach the service."),
  }),
);

/** `GET /admin/api/logins`, newest first. */
export const LoginsAnswer = answerOf(z.array(Session));

/** `POST /admin/api/playground-key`. */
export const PlaygroundKeyRequest = z.strictObject({ teamId: Id.max(100) });

/** A key of the team for the playground. */
export const PlaygroundKeyAnswer = z.strictObject({
  success: Success,
  apiKey: z.string().describe("The key. It is shown only once."),
  expiresAt: Time.describe("One hour after creation."),
});

export type LogInRequest = z.output<typeof LogInRequest>;
export type SessionAnswer = z.output<typeof SessionAnswer>;
export type LoginsAnswer = z.output<typeof LoginsAnswer>;
export type PlaygroundKeyAnswer = z.output<typeof PlaygroundKeyAnswer>;

const session = {
  sessionId: "019a1feb-0000-7000-8000-000000000004",
  isOwn: true,
  createdAt: DAY,
  lastUsedAt: DAY,
  expiresAt: WEEK_LATER,
  address: "192.0.2.1",
  userAgent: "Mozilla/5.0",
};

const operatorLogin = defineShape("OperatorLogin", SessionAnswer, {
  success,
  data: {
    session,
    auth: "keys",
    version: "1.0.0",
    defaultTeamId: "default",
    baseUrl: "https://scrape.test",
  },
});

export const logIn = {
  line: "POST /admin/session",
  access: "login",
  tag: "Operator",
  summary: "Log in to the dashboard, with the operator's key or the token of a login link",
  body: defineShape("LogInRequest", LogInRequest, {
    key: "pa-0123456789abcdef0123456789abcdef0123456789abcdef",
  }),
  answer: operatorLogin,
  errors: [403, 429],
} as const;

export const readLogin = operatorOperation({
  line: "GET /admin/session",
  summary: "Read the current login",
  answer: operatorLogin,
});

export const logOut = operatorOperation({
  line: "DELETE /admin/session",
  summary: "Log out",
  answer: done,
});

export const listLogins = operatorOperation({
  line: "GET /admin/api/logins",
  summary: "List the active logins, newest first",
  answer: defineShape("Logins", LoginsAnswer, { success, data: [session] }),
});

export const endLogin = operatorOperation({
  line: "DELETE /admin/api/logins/{id}",
  summary: "End a login",
  answer: done,
  errors: [404],
});

export const makePlaygroundKey = operatorOperation({
  line: "POST /admin/api/playground-key",
  summary: "Create a key for a team that expires after an hour",
  body: defineShape("PlaygroundKeyRequest", PlaygroundKeyRequest, { teamId: TEAM_ID }),
  answer: defineShape("PlaygroundKey", PlaygroundKeyAnswer, { success, apiKey: API_KEY, expiresAt: LATER }),
  errors: [404],
});
