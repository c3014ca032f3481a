import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";

import { openTestAccounts, type TestAccounts } from "../../../../test/accounts.ts";
import { openTestServer, type TestServer } from "../../../../test/server.ts";
import { Limits } from "../accounts/limits.ts";
import type { KeyRestrictions } from "../api/key-restrictions.ts";
import type { TeamChanges } from "../accounts/teams.ts";
import type { Pressure } from "@pergamon-dev/kit/pressure";
import { keyedAuthentication, openAuthentication } from "./authenticate.ts";
import { addAuthenticatedRoutes } from "./caller.ts";

let accounts: TestAccounts;
let keyed: TestServer;
let open: TestServer;
let shortOf: string | undefined;

const pressure: Pressure = {
  reason: () => shortOf,
  lagMs: () => 0,
  wasBlocked: () => false,
  stop: async () => undefined,
};

beforeAll(async () => {
  accounts = await openTestAccounts();
  const limits = new Limits(
    { concurrency: undefined, requestsPerMinute: undefined, queued: 1 },
    accounts.coordinator,
  );
  const serve = (authenticate: ReturnType<typeof keyedAuthentication>) =>
    openTestServer(
      (app) => {
        void addAuthenticatedRoutes(
          app,
          { authenticate, limits, pressure, credits: accounts.credits },
          (scope) => {
            scope.get("/v2/me", async ({ caller }) => ({ teamId: caller.teamId, keyId: caller.keyId }));
            scope.post("/v2/body", async ({ body }) => ({ body }));
            scope.get("/v2/work", { config: { endpoint: "scrape", rate: "scrape" } }, async () => ({}));
            scope.get("/v2/talk", { config: { endpoint: "interact" } }, async () => ({}));
          },
        );
        app.get("/v2/free", async (request) => ({ hasCaller: "caller" in request }));
      },
      { trustedProxies: ["127.0.0.1"] },
    );
  keyed = await serve(keyedAuthentication(accounts.callers));
  open = await serve(openAuthentication(accounts.callers, accounts.teamId));
});

afterEach(() => {
  shortOf = undefined;
});

afterAll(async () => {
  await keyed.close();
  await open.close();
  await accounts.close();
});

async function makeKey(restrictions: KeyRestrictions = {}, team: Omit<TeamChanges, "name"> = {}) {
  const { administration } = accounts;
  const { teamId, keyId: firstId } = await administration.createTeam({ name: "team", ...team });
  await administration.revokeKey(firstId);
  const { keyId, apiKey } = await administration.createKey({ teamId, restrictions });
  return { teamId, keyId, apiKey, headers: { authorization: `Bearer ${apiKey}` } };
}

async function refusal(line: string, headers: Readonly<Record<string, string>>) {
  const { status, body } = await keyed.ask(line, { headers });
  return [status, body];
}

const uncoded = (error: string) => ({ success: false, error });

describe("keyed mode (contract, section 4.1)", () => {
  test("knows the team by its key, whatever the case of the scheme and the space around", async () => {
    const { teamId, keyId, apiKey } = await makeKey();
    for (const authorization of [`Bearer ${apiKey}`, `bearer ${apiKey}`, `BEARER   ${apiKey}  `]) {
      const { status, body } = await keyed.ask("GET /v2/me", { headers: { authorization } });
      expect([status, body]).toEqual([200, { teamId, keyId }]);
    }
  });

  test("refuses who says nothing", async () => {
    expect(await refusal("GET /v2/me", {})).toEqual([401, uncoded("Unauthorized")]);
  });

  test.each(["", "Bearer", "Bearer ", "Basic dXNlcjpwYXNz", "Bearer a b", "Bearer\ta", "Token fc-1", "fc-1"])(
    "misses the token in %j",
    async (authorization) => {
      expect(await refusal("GET /v2/me", { authorization })).toEqual([
        401,
        uncoded("Unauthorized: Token missing"),
      ]);
    },
  );

  test.each([
    `fc-${"0".repeat(32)}`,
    `fc-${"0".repeat(31)}`,
    "fc-",
    "0".repeat(32),
    "x".repeat(10_000),
    "' OR 1=1 --",
    "%66c-0",
    "fc-\u00e9",
  ])("refuses the unknown key %s", async (token) => {
    const answer = await refusal("GET /v2/me", { authorization: `Bearer ${token.replaceAll(" ", "")}` });
    expect(answer).toEqual([401, uncoded("Unauthorized: Invalid token")]);
  });

  test("refuses a key in another case, cut short, or with something behind it", async () => {
    const { apiKey } = await makeKey();
    for (const token of [apiKey.toUpperCase(), apiKey.slice(0, -1), `${apiKey}0`, apiKey.slice(3)]) {
      const [status] = await refusal("GET /v2/me", { authorization: `Bearer ${token}` });
      expect([token, status]).toEqual([token, 401]);
    }
  });

  test("says of a token of the other kind that it may have expired", async () => {
    expect(await refusal("GET /v2/me", { authorization: "Bearer fco_abc" })).toEqual([
      401,
      uncoded("Unauthorized: Invalid or expired OAuth token"),
    ]);
  });

  test("refuses a key from the moment that it is revoked, or its team deleted", async () => {
    const [revoked, deleted] = [await makeKey(), await makeKey()];
    for (const { headers } of [revoked, deleted]) {
      expect((await keyed.ask("GET /v2/me", { headers })).status).toBe(200);
    }
    await accounts.administration.revokeKey(revoked.keyId);
    await accounts.administration.deleteTeam(deleted.teamId);
    for (const { headers } of [revoked, deleted]) {
      expect(await refusal("GET /v2/me", headers)).toEqual([401, uncoded("Unauthorized: Invalid token")]);
    }
  });

  test("refuses before the body is read", async () => {
    const announced = "Host: x\r\nConnection: close\r\nContent-Length: 1000000\r\n\r\n";
    expect(await keyed.talk(`POST /v2/body HTTP/1.1\r\n${announced}`)).toMatch(/^HTTP\/1\.1 401 /);
  });

  test("holds for the routes within alone: others know no caller, preflights need none", async () => {
    expect((await keyed.ask("GET /v2/free")).body).toEqual({ hasCaller: false });
    expect((await keyed.ask("OPTIONS /v2/me")).status).toBe(204);
    expect((await keyed.ask("GET /v2/nowhere")).status).toBe(404);
  });
});

describe("open mode", () => {
  test.each([{}, { authorization: "Bearer fc-anything" }, { authorization: "nonsense" }])(
    "everybody is the one team: %j",
    async (headers) => {
      const { status, body } = await open.ask("GET /v2/me", { headers });
      expect([status, body]).toEqual([200, { teamId: accounts.teamId }]);
    },
  );
});

describe("a known caller is refused", () => {
  const ENDPOINTS = "Request blocked: this API key is restricted to the following endpoints: ";
  const ADDRESS = "Request blocked: IP address 127.0.0.1 is not on this team's allowed IP list.";

  test("when its team is banned, or its key", async () => {
    const team = await makeKey({}, { flags: { banned: true } });
    const error = "Forbidden: this team has been banned by the operator of this service.";
    expect(await refusal("GET /v2/me", team.headers)).toEqual([403, uncoded(error)]);
    const key = await makeKey({ banned: true });
    const ofKey = "Forbidden: this API key has been banned by the operator of this service.";
    expect(await refusal("GET /v2/me", key.headers)).toEqual([403, uncoded(ofKey)]);
    expect((await keyed.ask("GET /v2/me", await makeKey({ banned: false }))).status).toBe(200);
  });

  test.each([
    ["scrape", ["GET /v2/work"], ["GET /v2/me", "GET /v2/talk"]],
    ["interact", ["GET /v2/talk"], ["GET /v2/me", "GET /v2/work"]],
    ["account", ["GET /v2/me"], ["GET /v2/work", "GET /v2/talk"]],
  ] as const)("by a key for the endpoint %s at the others", async (endpoint, own, others) => {
    const { headers } = await makeKey({ endpoints: [endpoint] });
    for (const line of own) expect((await keyed.ask(line, { headers })).status).toBe(200);
    const refused = [403, uncoded(`${ENDPOINTS}${endpoint}.`)];
    for (const line of others) expect(await refusal(line, headers)).toEqual(refused);
  });

  test("at interact by a key for formats, unless it names interact", async () => {
    const { headers } = await makeKey({ formats: ["markdown"] });
    const refused =
      "Request blocked: this API key is restricted to formats, and a live page shows all of them. To allow interact, add it to the endpoints of the key.";
    expect(await refusal("GET /v2/talk", headers)).toEqual([403, uncoded(refused)]);
    for (const line of ["GET /v2/work", "GET /v2/me"])
      expect((await keyed.ask(line, { headers })).status).toBe(200);
    const both = await makeKey({ formats: ["markdown"], endpoints: ["scrape", "interact"] });
    expect((await keyed.ask("GET /v2/talk", both)).status).toBe(200);
  });

  test("everywhere by a key for no endpoint", async () => {
    const { headers } = await makeKey({ endpoints: [] });
    expect((await refusal("GET /v2/me", headers))[0]).toBe(403);
  });

  test("from addresses that the key is not for", async () => {
    const { headers } = await makeKey({ allowedIps: ["10.0.0.0/8"] });
    expect(await refusal("GET /v2/me", headers)).toEqual([403, uncoded(ADDRESS)]);
    expect((await keyed.ask("GET /v2/me", await makeKey({ allowedIps: ["127.0.0.1"] }))).status).toBe(200);
    expect((await refusal("GET /v2/me", (await makeKey({ allowedIps: [] })).headers))[0]).toBe(403);
  });

  test.each([
    [["203.0.113.0/24"], "203.0.113.255", 200],
    [["203.0.113.0/24"], "203.0.114.0", 403],
    [["203.0.113.7"], "::ffff:203.0.113.7", 200],
    [["::ffff:203.0.113.7"], "203.0.113.7", 200],
    [["2001:db8::/32"], "2001:db8:1::1", 200],
    [["2001:db8::/32"], "2001:db9::1", 403],
    [["fe80::/10"], "fe80::1%eth0", 200],
    [["0.0.0.0/0"], "2001:db8::1", 403],
    [["0.0.0.0/0", "::/0"], "unknown", 403],
  ])("or not, with %j and from %s: %i", async (allowedIps, address, status) => {
    const { headers } = await makeKey({ allowedIps });
    const answer = await keyed.ask("GET /v2/me", { headers: { ...headers, "x-forwarded-for": address } });
    expect(answer.status).toBe(status);
  });

  test("with 503 for new work while the process has no room, and for nothing else", async () => {
    const { headers } = await makeKey();
    shortOf = "memory";
    const { status, body, headers: head } = await keyed.ask("GET /v2/work", { headers });
    expect([status, head.get("retry-after")]).toEqual([503, "2"]);
    expect(body).toMatchObject({ success: false, code: "OVERLOADED" });
    expect((await keyed.ask("GET /v2/me", { headers })).status).toBe(200);
    shortOf = undefined;
    expect((await keyed.ask("GET /v2/work", { headers })).status).toBe(200);
  });
});

describe("the rate", () => {
  test("of scrapes is the limit of the team, that of other requests fifty times as high", async () => {
    const { headers } = await makeKey({}, { limits: { requestsPerMinute: 1 } });
    // A minute may begin between two requests.
    const statuses = [];
    for (let count = 0; count < 4; count += 1) {
      statuses.push((await keyed.ask("GET /v2/work", { headers })).status);
    }
    expect(statuses[0]).toBe(200);
    expect(statuses).toContain(429);
    for (let count = 0; count < 20; count += 1) {
      expect((await keyed.ask("GET /v2/me", { headers })).status).toBe(200);
    }
  });

  test("of one key does not bind the others of its team", async () => {
    const narrow = await makeKey({ requestsPerMinute: 1 });
    const other = await accounts.administration.createKey({ teamId: narrow.teamId });
    const ask = (apiKey: string) =>
      keyed.ask("GET /v2/work", { headers: { authorization: `Bearer ${apiKey}` } });
    let last = await ask(narrow.apiKey);
    while (last.status === 200) last = await ask(narrow.apiKey);
    expect(last.body).toEqual({
      error: expect.stringMatching(/^Rate limit exceeded\. Consumed \(req\/min\): 2,/),
    });
    expect(Number(last.headers.get("retry-after"))).toBeGreaterThan(0);
    expect((await ask(other.apiKey)).status).toBe(200);
  });
});

test("of several things that are wrong the first is told: key, rate, ban, endpoint, address, overload", async () => {
  const { administration } = accounts;
  const elsewhere: KeyRestrictions = { allowedIps: ["10.0.0.0/8"] };
  const narrow: KeyRestrictions = { ...elsewhere, endpoints: ["account"] };
  const { teamId, keyId, headers } = await makeKey(
    { ...narrow, banned: true },
    { limits: { requestsPerMinute: 1 } },
  );
  shortOf = "processor";
  const told = async (how = headers) => {
    const { status, body } = await keyed.ask("GET /v2/work", { headers: how });
    return [status, (body as { readonly error: string }).error.split(/[.:]/)[1]?.trim()];
  };
  expect(await told({ authorization: "Bearer fc-unknown" })).toEqual([401, "Invalid token"]);
  let limited = await told();
  while (limited[0] === 403) limited = await told();
  expect(limited[0]).toBe(429);
  await administration.changeTeam(teamId, { limits: { requestsPerMinute: 1000 } });
  expect(await told()).toEqual([403, "this API key has been banned by the operator of this service"]);
  await administration.changeKey(keyId, { restrictions: narrow });
  expect((await told())[1]).toMatch(/^this API key is restricted to the following endpoints/);
  await administration.changeKey(keyId, { restrictions: elsewhere });
  expect((await told())[1]).toMatch(/^IP address 127/);
  await administration.changeKey(keyId, { restrictions: {} });
  expect((await told())[0]).toBe(503);
});
