import { z } from "zod";

import { done } from "../common-shapes.ts";
import { API_KEY, DAY, LATER, success, TEAM_ID, WEEK_LATER } from "../example-values.ts";
import { defineShape } from "../operation.ts";
import { operatorOperation } from "./operator-operation.ts";
import { answerOf, Id, Success, Time } from "./fields.ts";

/** Every request of the dashboard that changes something carries this header: no form and no link of another site can. */
export const DASHBOARD_HEADER = { name: "x-pergamon", value: "dashboard" } as const;
export const SESSION_COOKIE = "pergamon_session";

/** `POST /admin/session`: the operator's key, or the token of a login link. */
export const LogInRequest = z.union([
  z.strictObject({ key: z.string().min(1).max(1000).describe("ADMIN_KEY.") }),
  z.strictObject({
    token: z.string().min(1).max(200).describe("From a login link; good once, for 10 minutes."),
  }),
]);

const Session = z.strictObject({
  sessionId: Id,
  /** Whose request this is. */
  isOwn: z.boolean(),
  createdAt: Time,
  lastUsedAt: Time,
  expiresAt: Time.describe("At the latest; 12 hours without a request end it before."),
  address: z.string().describe("Who logged in, as the service saw it."),
  userAgent: z.string().describe("As the browser named itself; at most 300 characters."),
});

/** `POST` and `GET /admin/session`: what every page has to know. */
export const SessionAnswer = answerOf(
  z.strictObject({
    session: Session.nullable().describe("Null for a request with the operator's key."),
    auth: z.enum(["open", "keys"]),
    version: z.string().describe("Of the service."),
    defaultTeamId: Id.describe("Who everybody is in open mode."),
    baseUrl: z.string().describe("Under which clients reach the service."),
  }),
);

/** `GET /admin/api/logins`, newest first. */
export const LoginsAnswer = answerOf(z.array(Session));

/** `POST /admin/api/playground-key`. */
export const PlaygroundKeyRequest = z.strictObject({ teamId: Id.max(100) });

/** A key of the team for the playground. */
export const PlaygroundKeyAnswer = z.strictObject({
  success: Success,
  apiKey: z.string().describe("Told this once."),
  expiresAt: Time.describe("An hour later."),
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
  summary: "Log in a browser, with the operator's key or the token of a login link",
  body: defineShape("LogInRequest", LogInRequest, {
    key: "pa-0123456789abcdef0123456789abcdef0123456789abcdef",
  }),
  answer: operatorLogin,
  errors: [403, 429],
} as const;

export const readLogin = operatorOperation({
  line: "GET /admin/session",
  summary: "Who is logged in",
  answer: operatorLogin,
});

export const logOut = operatorOperation({
  line: "DELETE /admin/session",
  summary: "Log out",
  answer: done,
});

export const listLogins = operatorOperation({
  line: "GET /admin/api/logins",
  summary: "Browsers that are logged in, newest first",
  answer: defineShape("Logins", LoginsAnswer, { success, data: [session] }),
});

export const endLogin = operatorOperation({
  line: "DELETE /admin/api/logins/{id}",
  summary: "Log a browser out",
  answer: done,
  errors: [404],
});

export const makePlaygroundKey = operatorOperation({
  line: "POST /admin/api/playground-key",
  summary: "Make a key of a team that ends after an hour",
  body: defineShape("PlaygroundKeyRequest", PlaygroundKeyRequest, { teamId: TEAM_ID }),
  answer: defineShape("PlaygroundKey", PlaygroundKeyAnswer, { success, apiKey: API_KEY, expiresAt: LATER }),
  errors: [404],
});
