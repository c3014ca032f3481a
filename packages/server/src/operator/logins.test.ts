import { request as send } from "node:http";
import { json } from "node:stream/consumers";

import { beforeAll, beforeEach, describe, expect, test } from "vitest";

import { openTestAccounts, type TestAccounts } from "../../../../test/accounts.ts";
import { expectDeclared } from "../../../../test/declared.ts";
import { addBehind, addOperations } from "../../../../test/serve-operations.ts";
import { openTestServer, type TestServer } from "../../../../test/server.ts";
import { openOperatorSessions, type OperatorSessions } from "../accounts/operator-sessions.ts";
import { openOperators } from "../accounts/operators.ts";
import { keyOperations } from "../accounts/operator/keys.ts";
import { teamOperations } from "../accounts/operator/teams.ts";
import { openAdminKey } from "./admin-key.ts";
import { LoginTries } from "./login-tries.ts";
import { OperatorAuth } from "./operator-auth.ts";
import { OperatorLogin } from "./operator-login.ts";
import { EventStream } from "./event-stream.ts";
import { login, loginOperations } from "./logins.ts";

const KEY = "operator-key-of-the-tests";
const MINUTE_MS = 60_000;

let accounts: TestAccounts;
let sessions: OperatorSessions;
let server: TestServer;
let elapsedMs = 0;
let port: number;
let own: string;

beforeAll(async () => {
  accounts = await openTestAccounts();
  sessions = openOperatorSessions(accounts.database);
  const adminKey = await openAdminKey(KEY, "/dev/null/unused");
  const operators = openOperators(accounts.database);
  const publicUrl = "http://pergamon.test";
  const door = new OperatorAuth({
    login: new OperatorLogin({ adminKey, operators, delayMs: 0 }),
    sessions,
    names: new Set(["pergamon.test"]),
    publicUrl,
  });
  const { administration, callers, teamId } = accounts;
  const services = {
    sessions,
    tries: new LoginTries(() => elapsedMs),
    stream: new EventStream({ status: () => ({}), watch: () => () => undefined }),
    adminKey,
    operators,
    callers,
    administration,
    about: {
      auth: "keys",
      version: "1.2.3",
      defaultTeamId: teamId,
      creditPrice: null,
      kinds: new Array<never>(),
    },
  } as const;
  server = await openTestServer((app) => {
    addBehind(
      async (request) => door.requireOwnPage(request),
      app,
      (scope) => addOperations(scope, [login], services, publicUrl),
    );
    addBehind(
      (request) => door.require(request),
      app,
      (scope) => {
        addOperations(scope, loginOperations, services, publicUrl);
        addOperations(scope, [...teamOperations, ...keyOperations(["scrape"])], administration, publicUrl);
      },
    );
  });
  port = Number(new URL(server.url).port);
  own = `http://127.0.0.1:${port}`;
});

// A new minute for each test, so that none is locked out by the one before.
beforeEach(() => {
  elapsedMs += MINUTE_MS;
});

interface Reply {
  readonly status: number;
  readonly cookie: string | undefined;
  readonly retryAfter: string | undefined;
  readonly body: {
    readonly error: string;
    readonly apiKey: string;
    readonly data: { readonly session: { readonly sessionId: string } | null } & readonly object[];
  };
}

/** Unlike fetch it sends any given `Host` and `Origin`. */
async function ask(line: string, headers: Readonly<Record<string, string>>, body?: object): Promise<Reply> {
  const [method = "", path = ""] = line.split(" ");
  return new Promise((resolve, reject) => {
    const sent = send({ host: "127.0.0.1", port, method, path, headers }, async (response) => {
      const answer = (await json(response)) as Reply["body"];
      const status = response.statusCode ?? 0;
      expectDeclared({ method, path, status, body: answer });
      const cookie = response.headers["set-cookie"]?.[0];
      resolve({ status, cookie, retryAfter: response.headers["retry-after"], body: answer });
    });
    sent.on("error", reject);
    sent.end(body && JSON.stringify(body));
  });
}

const ofPage = () => ({ "x-pergamon": "dashboard", origin: own });
const logIn = (body: object, headers: Readonly<Record<string, string>> = ofPage()) =>
  ask("POST /admin/session", headers, body);

/** The header that a logged-in browser sends. */
async function cookieOf(): Promise<{ readonly cookie: string }> {
  const { cookie = "" } = await logIn({ key: KEY });
  return { cookie: cookie.split(";")[0] ?? "" };
}

describe("logging in", () => {
  test("with the key starts a session, whose cookie no script, other site or other path gets", async () => {
    const { status, cookie, body } = await logIn({ key: KEY });
    expect([status, body.data]).toMatchObject([
      200,
      { session: { isOwn: true, address: "127.0.0.1" }, auth: "keys", version: "1.2.3" },
    ]);
    expect(cookie).toMatch(
      /^pergamon_session_\d+=[\w-]{43}; Path=\/admin; HttpOnly; SameSite=Strict; Max-Age=\d+$/,
    );
    expect(JSON.stringify(body)).not.toContain(cookie?.split(/[=;]/)[1]);
  });

  test("with a link works once", async () => {
    const token = await sessions.makeLoginToken();
    expect((await logIn({ token })).status).toBe(200);
    const { status, body, cookie } = await logIn({ token });
    expect([status, cookie, body.error]).toEqual([
      401,
      undefined,
      expect.stringContaining("already been used"),
    ]);
  });

  test.each([{ key: "wrong" }, { key: "" }, { token: "x" }, {}, { key: KEY, token: "x" }, { key: [KEY] }])(
    "with %j does not, and neither key nor cookie is told",
    async (given) => {
      const { status, cookie } = await logIn(given);
      expect([400, 401]).toContain(status);
      expect(cookie).toBeUndefined();
      expect(JSON.stringify(server.logged)).not.toContain(KEY);
    },
  );

  test("that succeeds counts for nothing: behind a proxy many operators have one address", async () => {
    for (let count = 0; count < 8; count += 1) expect((await logIn({ key: KEY })).status).toBe(200);
    for (let count = 0; count < 4; count += 1) expect((await logIn({ key: "wrong" })).status).toBe(401);
    const token = await sessions.makeLoginToken();
    expect((await logIn({ token })).status).toBe(200);
    expect((await logIn({ key: "wrong" })).status).toBe(401);
    expect((await logIn({ key: KEY })).status).toBe(429);
  });

  test("of 1000 tries in a minute five are looked at, and the right key has to wait, too", async () => {
    const statuses: number[] = [];
    for (let count = 0; count < 1000; count += 1)
      statuses.push((await logIn({ key: `guess-${count}` })).status);
    expect(statuses.slice(0, 5)).toEqual([401, 401, 401, 401, 401]);
    expect(new Set(statuses.slice(5))).toEqual(new Set([429]));
    const late = await logIn({ key: KEY });
    expect([late.status, late.retryAfter]).toEqual([429, "60"]);
    elapsedMs += MINUTE_MS;
    expect((await logIn({ key: KEY })).status).toBe(200);
  });
});

test.each([
  ["another site", () => ({ "x-pergamon": "dashboard", origin: "https://evil.test" })],
  ["a sandboxed frame", () => ({ "x-pergamon": "dashboard", origin: "null" })],
  ["another port of this machine", () => ({ "x-pergamon": "dashboard", origin: "http://127.0.0.1:1" })],
  ["no page", () => ({ "x-pergamon": "dashboard" })],
  ["a page without the header", () => ({ origin: own })],
  ["a page with another header", () => ({ origin: own, "x-pergamon": "x" })],
  ["a name that is not known", () => ({ ...ofPage(), host: "evil.test", origin: "http://evil.test" })],
  [
    "a name with an address in it",
    () => ({ ...ofPage(), host: "127.0.0.1.evil.test", origin: "http://127.0.0.1.evil.test" }),
  ],
])("requests of %s change nothing, with the right key or a stolen cookie", async (_who, headers) => {
  expect((await logIn({ key: KEY }, headers())).status).toBe(403);
  const cookie = await cookieOf();
  for (const line of [
    "DELETE /admin/session",
    "DELETE /admin/api/logins/x",
    "POST /admin/api/playground-key",
  ]) {
    const { status, body } = await ask(line, { ...cookie, ...headers() });
    expect([status, body.error]).toEqual([403, expect.stringMatching(/^Forbidden: /)]);
  }
  expect((await ask("GET /admin/session", cookie)).status).toBe(200);
});

test.each([
  ["of another site", () => ({ origin: "https://evil.test" })],
  ["that another site's page makes", () => ({ "sec-fetch-site": "cross-site" })],
  ["of a sibling domain", () => ({ "sec-fetch-site": "same-site" })],
  ["under a name that was rebound to this address", () => ({ host: "evil.test:80" })],
])("reads %s get nothing", async (_which, headers) => {
  const { status } = await ask("GET /admin/api/logins", { ...(await cookieOf()), ...headers() });
  expect(status).toBe(403);
});

test.each([
  ["an address", () => ofPage()],
  [
    "localhost",
    () => ({ "x-pergamon": "dashboard", host: `localhost:${port}`, origin: `http://localhost:${port}` }),
  ],
  [
    "the public URL",
    () => ({ "x-pergamon": "dashboard", host: "pergamon.test", origin: "http://pergamon.test" }),
  ],
])("pages under %s may", async (_name, headers) => {
  expect((await logIn({ key: KEY }, headers())).status).toBe(200);
});

describe("a session", () => {
  test("ends when the operator logs out", async () => {
    const cookie = await cookieOf();
    const out = await ask("DELETE /admin/session", { ...cookie, ...ofPage() });
    expect([out.status, out.cookie]).toEqual([200, expect.stringContaining("Max-Age=0")]);
    expect((await ask("GET /admin/session", cookie)).status).toBe(401);
  });

  test("is listed, and ended from another one", async () => {
    const [first, second] = [await cookieOf(), await cookieOf()];
    const { session } = (await ask("GET /admin/session", first)).body.data;
    const id = session?.sessionId ?? "";
    const { data } = (await ask("GET /admin/api/logins", second)).body;
    expect(data).toContainEqual(expect.objectContaining({ sessionId: id, isOwn: false }));
    expect((await ask(`DELETE /admin/api/logins/${id}`, { ...second, ...ofPage() })).status).toBe(200);
    expect((await ask(`DELETE /admin/api/logins/${id}`, { ...second, ...ofPage() })).status).toBe(404);
    expect((await ask("GET /admin/session", first)).status).toBe(401);
  });

  test.each([
    ["no cookie", () => ({})],
    ["an empty one", () => ({ cookie: `pergamon_session_${port}=` })],
    ["a guessed one", () => ({ cookie: `pergamon_session_${port}=${"a".repeat(43)}` })],
  ])("is needed: %s is not enough", async (_what, headers) => {
    for (const line of ["GET /admin/session", "GET /admin/api/logins"])
      expect((await ask(line, headers())).status).toBe(401);
  });

  test("is not taken from two cookies, one of which somebody else may have planted", async () => {
    const { cookie } = await cookieOf();
    const both = `pergamon_session_${port}=planted; ${cookie}`;
    expect((await ask("GET /admin/session", { cookie: both })).status).toBe(401);
  });

  test("is not needed by scripts, which send the key", async () => {
    const authorization = `Bearer ${KEY}`;
    const { status, body } = await ask("GET /admin/session", { authorization });
    expect([status, body.data.session]).toEqual([200, null]);
    expect(
      (await ask("GET /admin/api/logins", { authorization: "Bearer x", ...(await cookieOf()) })).status,
    ).toBe(401);
  });
});

describe("somebody else", () => {
  const asMain = { authorization: `Bearer ${KEY}` };

  /** Logs in with a key that was made for it. */
  async function loggedIn(key: string) {
    const { status, cookie = "", body } = await logIn({ key });
    return { status, headers: { cookie: cookie.split(";")[0] ?? "", ...ofPage() }, body };
  }

  async function added(role: "admin" | "viewer") {
    const { body } = await ask("POST /admin/api/operators", asMain, { name: role, role });
    const { id, key } = body as unknown as { readonly id: string; readonly key: string };
    return { id, key };
  }

  test.each([
    ["admin", 200],
    ["viewer", 403],
  ] as const)(
    "with the key of a %s looks at everything, and changes are answered with %d",
    async (role, changed) => {
      const { id, key } = await added(role);
      const { headers, body } = await loggedIn(key);
      expect(body.data).toMatchObject({ operator: { name: role, role, teamId: null } });
      const { teamId } = accounts;
      for (const given of [headers, { authorization: `Bearer ${key}` }]) {
        expect((await ask("GET /admin/api/teams", given)).status).toBe(200);
        expect((await ask(`PATCH /admin/api/teams/${teamId}`, given, { name: "Renamed" })).status).toBe(
          changed,
        );
        const made = await ask("POST /admin/api/operators", given, { name: "Eve", role: "admin" });
        expect(made.status).toBe(changed);
      }
      // The audit log says who it was.
      const told = await accounts.administration.newestAudit({ count: 50, changesOnly: true });
      expect(told.some(({ text }) => text.includes(`"by":"${role} at `))).toBe(role === "admin");
      expect((await ask(`DELETE /admin/api/operators/${id}`, asMain)).status).toBe(200);
      expect((await ask("GET /admin/session", headers)).status).toBe(401);
      expect((await ask("GET /admin/session", { authorization: `Bearer ${key}` })).status).toBe(401);
      expect((await logIn({ key })).status).toBe(401);
    },
  );

  test("a viewer logs out by itself", async () => {
    const { headers } = await loggedIn((await added("viewer")).key);
    expect((await ask("DELETE /admin/session", headers)).status).toBe(200);
  });

  test("with a team's key reads what belongs to that team, until the key is revoked", async () => {
    const { administration } = accounts;
    const [own_, other] = [
      await administration.createTeam({ name: "own" }),
      await administration.createTeam({ name: "b" }),
    ];
    const { headers, body } = await loggedIn(own_.apiKey);
    expect(body.data).toMatchObject({ operator: { role: "team", teamId: own_.teamId } });
    for (const part of ["", "/keys", "/ledger"]) {
      expect((await ask(`GET /admin/api/teams/${own_.teamId}${part}`, headers)).status).toBe(200);
      expect((await ask(`GET /admin/api/teams/${other.teamId}${part}`, headers)).status).toBe(403);
    }
    for (const line of [
      "GET /admin/api/teams",
      "GET /admin/api/keys",
      "GET /admin/api/logins",
      "GET /admin/api/operators",
      "POST /admin/api/playground-key",
      `PATCH /admin/api/teams/${own_.teamId}`,
      `POST /admin/api/teams/${own_.teamId}/credits`,
      `DELETE /admin/api/keys/${own_.keyId}`,
    ])
      expect((await ask(line, headers)).status).toBe(403);
    await administration.revokeKey(own_.keyId);
    expect((await ask("GET /admin/session", headers)).status).toBe(401);
  });

  test.each([
    ["restricted to an endpoint", { endpoints: ["scrape"] }],
    ["banned", { banned: true }],
  ])("with a team's key that is %s is refused", async (_how, restrictions) => {
    const { teamId, administration } = accounts;
    const { apiKey } = await administration.createKey({ teamId, restrictions });
    expect((await logIn({ key: apiKey })).status).toBe(401);
  });
});

test("a key for the playground is one of the team, and ends by itself", async () => {
  const { teamId, callers, database } = accounts;
  const { status, body } = await ask(
    "POST /admin/api/playground-key",
    { ...(await cookieOf()), ...ofPage() },
    { teamId },
  );
  expect([status, body]).toMatchObject([
    200,
    { apiKey: expect.stringMatching(/^fc-/), expiresAt: expect.any(String) },
  ]);
  expect((await callers.byKey(body.apiKey))?.teamId).toBe(teamId);
  await database.prepared("UPDATE api_keys SET expires_at = 1 WHERE expires_at IS NOT NULL").run();
  callers.forget();
  expect(await callers.byKey(body.apiKey)).toBeUndefined();
});
