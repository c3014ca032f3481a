import { afterAll, beforeAll, describe, expect, test } from "vitest";

import { openTestAccounts, type TestAccounts } from "../../../../test/accounts.ts";
import { openCallers } from "../accounts/callers.ts";
import { addBehind, addOperations } from "../../../../test/serve-operations.ts";
import { openTestServer, type TestServer } from "../../../../test/server.ts";
import { uuidV7 } from "@pergamon-dev/kit/uuid";
import { openBlobs } from "../storage/blobs/drivers.ts";
import { openFeedback } from "../history/feedback.ts";
import { type RequestFilter, searchRequests } from "../history/record-search.ts";
import { openRecords, type Records } from "../history/records.ts";
import { openAdminKey } from "./admin-key.ts";
import { OperatorLogin } from "./operator-login.ts";
import { insightOperations } from "./usage/insights.ts";
import { keyOperations } from "../accounts/operator/keys.ts";
import { requestList } from "../history/operator/request-list.ts";
import { teamOperations } from "../accounts/operator/teams.ts";

const ADMIN_KEY = "operator-key-of-the-tests";
const ISO = expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);

let accounts: TestAccounts;
let records: Records;
let server: TestServer;
let isStatusBroken = false;

const STATUS = {
  uptimeSeconds: 7,
  fetching: 0,
  waiting: 0,
  memoryBytes: 1,
  eventLoopLagMs: 0,
  overloaded: null,
};

beforeAll(async () => {
  accounts = await openTestAccounts();
  const { database, administration } = accounts;
  records = openRecords({ database, blobs: await openBlobs("memory:") });
  const adminKey = await openAdminKey(ADMIN_KEY, "/dev/null/unused");
  const requests = async (filter: RequestFilter) => {
    await records.flush();
    return searchRequests(database, filter);
  };
  const insights = { administration, feedback: openFeedback(database), status: readStatus };
  const login = new OperatorLogin({ adminKey, delayMs: 0 });
  server = await openTestServer((app) =>
    addBehind(
      (request) => login.require(request),
      app,
      (scope) => {
        addOperations(scope, teamOperations, administration);
        addOperations(scope, keyOperations(["scrape", "interact", "account"]), administration);
        addOperations(scope, [requestList], { requests });
        addOperations(scope, insightOperations, insights);
      },
    ),
  );
});

afterAll(async () => {
  await server.close();
  await records.close();
  await accounts.close();
});

function readStatus() {
  if (isStatusBroken) throw new Error("of the test");
  return STATUS;
}

type Body = Readonly<Record<string, unknown>>;

/** A line is `METHOD path`, below `/admin/api/`. */
async function operate(line: string, body?: unknown, authorization = `Bearer ${ADMIN_KEY}`) {
  const answer = await server.ask(line.replace(" ", " /admin/api/"), { body, headers: { authorization } });
  return [answer.status, answer.body as Body] as const;
}

interface MadeTeam {
  readonly teamId: string;
  readonly keyId: string;
  readonly apiKey: string;
}

async function makeTeam(options: Body = {}): Promise<MadeTeam> {
  const [, body] = await operate("POST teams", { name: "team", ...options });
  return body as unknown as MadeTeam;
}

async function rowsOf(line: string): Promise<readonly Body[]> {
  const [status, body] = await operate(line);
  expect(status).toBe(200);
  return body["data"] as readonly Body[];
}

const missing = (what: string) => [404, { success: false, error: `${what} not found.` }];

/** Every operation, with a body that is right where it wants one. */
const OPERATIONS = [
  ["POST teams", { name: "x" }],
  ["GET teams", undefined],
  ["PATCH teams/default", { name: "x" }],
  ["DELETE teams/x", undefined],
  ["POST teams/default/credits", { add: 1 }],
  ["GET teams/default/ledger", undefined],
  ["POST teams/default/keys", {}],
  ["GET teams/default/keys", undefined],
  ["PATCH keys/x", { name: "x" }],
  ["DELETE keys/x", undefined],
  ["GET requests", undefined],
  ["GET audit", undefined],
  ["GET status", undefined],
] as const;

describe("without the operator's key", () => {
  const headers = [
    "",
    "Bearer",
    "Bearer wrong",
    `Basic ${ADMIN_KEY}`,
    ADMIN_KEY,
    `Bearer ${ADMIN_KEY.toUpperCase()}`,
    `Bearer ${ADMIN_KEY.slice(0, -1)}`,
    `Bearer ${ADMIN_KEY}x`,
    `Bearer ${ADMIN_KEY} x`,
    `Bearer x ${ADMIN_KEY}`,
  ];

  test.each(OPERATIONS)("%s is refused, and does nothing", async (line, body) => {
    const before = await rowsOf("GET teams");
    for (const authorization of headers) {
      const [status, answer] = await operate(line, body, authorization);
      expect([authorization, status]).toEqual([authorization, 401]);
      expect(answer).toEqual({
        success: false,
        error: expect.stringMatching(/^Unauthorized(?:: Invalid token)?$/),
      });
    }
    const { status } = await server.ask(line.replace(" ", " /admin/api/"));
    expect(status).toBe(401);
    expect(await rowsOf("GET teams")).toEqual(before);
  });

  test("nor does the key of a team open it", async () => {
    const { apiKey } = await makeTeam();
    expect((await operate("GET teams", undefined, `Bearer ${apiKey}`))[0]).toBe(401);
  });

  test("a wrong body is not even looked at", async () => {
    expect((await operate("POST teams", "{", "Bearer wrong"))[0]).toBe(401);
  });

  test("the scheme is read in any case", async () => {
    expect((await operate("GET status", undefined, `bearer   ${ADMIN_KEY} `))[0]).toBe(200);
  });
});

describe("teams", () => {
  test("are made with a first key, which works", async () => {
    const [status, body] = await operate("POST teams", { name: "Shop", credits: 5 });
    expect([status, body]).toEqual([
      200,
      { success: true, teamId: expect.any(String), keyId: expect.any(String), apiKey: expect.any(String) },
    ]);
    const { apiKey, teamId } = body as unknown as MadeTeam;
    expect(apiKey).toMatch(/^fc-[0-9a-f]{32}$/);
    expect(await accounts.callers.byKey(apiKey)).toMatchObject({ teamId });
  });

  test("are shown with all that they may do and have, and never with a key", async () => {
    const { teamId } = await makeTeam({
      name: "Full",
      credits: 5,
      flags: { zeroDataRetention: true },
      limits: { concurrency: 3, requestsPerMinute: 100 },
      threatPolicy: { mode: "normal" },
    });
    const row = (await rowsOf("GET teams")).find((team) => team["teamId"] === teamId);
    expect(row).toEqual({
      teamId,
      version: expect.stringMatching(/^[0-9a-f]{32}$/),
      name: "Full",
      flags: { zeroDataRetention: "forced" },
      limits: { concurrency: 3, requestsPerMinute: 100 },
      isLimited: true,
      allowance: null,
      threatPolicy: expect.objectContaining({ mode: "normal" }),
      remainingCredits: 5,
      creditsUsedThisMonth: 0,
      createdAt: ISO,
    });
  });

  test("without credits and allowance have no end", async () => {
    const { teamId } = await makeTeam();
    const row = (await rowsOf("GET teams")).find((team) => team["teamId"] === teamId);
    expect(row).toMatchObject({ isLimited: false, remainingCredits: null });
  });

  test("are listed page by page, oldest first, each once", async () => {
    for (const name of ["a", "b", "c"]) await makeTeam({ name });
    const all = await rowsOf("GET teams");
    const seen: Body[] = [];
    let cursor: string | null = "";
    while (cursor !== null) {
      const [, body] = await operate(`GET teams?limit=2${cursor && `&cursor=${cursor}`}`);
      const page = body as unknown as { readonly data: readonly Body[]; readonly cursor: string | null };
      expect(page.data.length).toBeLessThanOrEqual(2);
      seen.push(...page.data);
      ({ cursor } = page);
    }
    expect(seen).toEqual(all);
    const [, whole] = await operate(`GET teams?limit=${all.length}`);
    expect([whole["data"], whole["cursor"]]).toEqual([all, null]);
  });

  test("are changed in what is named, and keep the rest", async () => {
    const { teamId } = await makeTeam({
      name: "before",
      flags: { providerTools: true },
      limits: { concurrency: 3 },
    });
    const changes = { name: "after", flags: { banned: true }, limits: { requestsPerMinute: 5 } };
    expect(await operate(`PATCH teams/${teamId}`, changes)).toMatchObject([
      200,
      {
        data: {
          teamId,
          name: "after",
          flags: { providerTools: true, banned: true },
          limits: { concurrency: 3, requestsPerMinute: 5 },
        },
      },
    ]);
    const [, unchanged] = await operate(`PATCH teams/${teamId}`, {});
    expect(unchanged).toMatchObject({ data: { name: "after", flags: { banned: true } } });
  });

  test("get an allowance, lose it, and are made endless", async () => {
    const { teamId } = await makeTeam();
    const change = async (changes: Body) => (await operate(`PATCH teams/${teamId}`, changes))[1]["data"];
    const allowance = { credits: 20, period: "month" };
    expect(await change({ allowance: { credits: 20 } })).toMatchObject({ allowance, remainingCredits: 20 });
    expect(await change({ allowance: null })).toMatchObject({ allowance: null, isLimited: true });
    expect(await change({ isLimited: false })).toMatchObject({ isLimited: false, remainingCredits: null });
  });

  test("have a threat policy until null ends it", async () => {
    const { teamId } = await makeTeam();
    const change = async (threatPolicy: Body | null) =>
      (await operate(`PATCH teams/${teamId}`, { threatPolicy }))[1]["data"];
    expect(await change({ mode: "normal" })).toMatchObject({ threatPolicy: { mode: "normal" } });
    expect(await change(null)).toMatchObject({ threatPolicy: { mode: "off" } });
  });

  test("that are deleted are gone with their keys and data; a second time there is none", async () => {
    const { teamId, apiKey } = await makeTeam();
    expect(await operate(`DELETE teams/${teamId}`)).toEqual([200, { success: true }]);
    expect(accounts.erased).toContain(teamId);
    expect(await accounts.callers.byKey(apiKey)).toBeUndefined();
    expect((await rowsOf("GET teams")).map((team) => team["teamId"])).not.toContain(teamId);
    expect(await operate(`DELETE teams/${teamId}`)).toEqual(missing("Team"));
    expect(await operate(`PATCH teams/${teamId}`, { name: "x" })).toEqual(missing("Team"));
  });

  test("of open mode stay", async () => {
    const [status, body] = await operate(`DELETE teams/${accounts.teamId}`);
    expect([status, body]).toMatchObject([400, { error: "The default team cannot be deleted." }]);
  });
});

describe("credits", () => {
  test("are added, and the ledger shows how they moved, newest first", async () => {
    const { teamId } = await makeTeam({ credits: 5 });
    expect(await operate(`POST teams/${teamId}/credits`, { add: 3 })).toEqual([
      200,
      { success: true, remainingCredits: 8 },
    ]);
    const rows = await rowsOf(`GET teams/${teamId}/ledger`);
    expect(rows.map(({ from, to, amount, balance }) => [from, to, amount, balance])).toEqual([
      ["issuer", "prepaid", 3, 8],
      ["issuer", "prepaid", 5, 5],
    ]);
    for (const row of rows) expect(row["createdAt"]).toEqual(ISO);
    const [, first] = await operate(`GET teams/${teamId}/ledger?limit=1`);
    const [, rest] = await operate(`GET teams/${teamId}/ledger?limit=1&cursor=${String(first["cursor"])}`);
    expect([first["data"], rest["data"], rest["cursor"]]).toEqual([[rows[0]], [rows[1]], null]);
    expect((await operate(`GET teams/${teamId}/ledger?limit=2`))[1]["cursor"]).toBeNull();
  });

  test("are not added to nobody", async () => {
    expect(await operate("POST teams/nobody/credits", { add: 3 })).toEqual(missing("Team"));
    expect(await rowsOf("GET teams/nobody/ledger")).toEqual([]);
  });
});

describe("keys", () => {
  test("are made with a name and restrictions, and told this once", async () => {
    const { teamId } = await makeTeam();
    const restrictions = { formats: ["markdown"], allowedIps: ["10.0.0.0/8"], credits: 3 };
    const [status, body] = await operate(`POST teams/${teamId}/keys`, { name: "narrow", restrictions });
    const { apiKey, keyId } = body as unknown as MadeTeam;
    expect(status).toBe(200);
    const rows = await rowsOf(`GET teams/${teamId}/keys`);
    expect(rows[1]).toEqual({
      keyId,
      version: expect.stringMatching(/^[0-9a-f]{32}$/),
      teamId,
      name: "narrow",
      restrictions,
      createdAt: ISO,
      lastUsedAt: null,
      revokedAt: null,
      expiresAt: null,
      ending: apiKey.slice(-4),
      oldTextUntil: null,
      creditsUsedThisMonth: 0,
    });
    expect(JSON.stringify(rows)).not.toContain(apiKey);
    expect(await accounts.callers.byKey(apiKey)).toMatchObject({ keyId, restrictions });
  });

  test("are made without a body, too", async () => {
    const { teamId } = await makeTeam();
    expect((await operate(`POST teams/${teamId}/keys`))[0]).toBe(200);
    expect((await rowsOf(`GET teams/${teamId}/keys`))[1]).toMatchObject({
      name: "default",
      restrictions: {},
    });
  });

  test("are not made for nobody, and nobody has any", async () => {
    expect(await operate("POST teams/nobody/keys", {})).toEqual(missing("Team"));
    expect(await rowsOf("GET teams/nobody/keys")).toEqual([]);
  });

  test("are listed for one team alone, page by page", async () => {
    const [mine, other] = [await makeTeam(), await makeTeam()];
    for (const name of ["a", "b"]) await operate(`POST teams/${mine.teamId}/keys`, { name });
    const [, first] = await operate(`GET teams/${mine.teamId}/keys?limit=2`);
    const [, rest] = await operate(`GET teams/${mine.teamId}/keys?limit=2&cursor=${String(first["cursor"])}`);
    const pages = [first, rest].map(({ data }) => (data as readonly Body[]).map(({ name }) => String(name)));
    // Keys of one millisecond are in the order of their random ids.
    expect([pages.map((names) => names.length), pages.flat().sort()]).toEqual([
      [2, 1],
      ["a", "b", "first"],
    ]);
    expect(rest["cursor"]).toBeNull();
    expect((await operate(`GET teams/${mine.teamId}/keys?limit=3`))[1]["cursor"]).toBeNull();
    expect(await rowsOf(`GET teams/${other.teamId}/keys`)).toHaveLength(1);
  });

  test("are renamed, and get other restrictions in place of all that they had", async () => {
    const { teamId, keyId, apiKey } = await makeTeam();
    const change = (changes: Body) => operate(`PATCH keys/${keyId}`, changes);
    expect(await change({ restrictions: { formats: ["html"], credits: 1 } })).toEqual([
      200,
      { success: true },
    ]);
    await change({ name: "renamed" });
    expect(await rowsOf(`GET teams/${teamId}/keys`)).toMatchObject([
      { name: "renamed", restrictions: { formats: ["html"], credits: 1 } },
    ]);
    await change({ restrictions: { banned: true } });
    expect((await accounts.callers.byKey(apiKey))?.restrictions).toEqual({ banned: true });
  });

  test("that are rotated get another text, and the old one works as long as it may", async () => {
    const { teamId, keyId, apiKey } = await makeTeam();
    const rotate = async (graceHours: number) =>
      String((await operate(`POST keys/${keyId}/rotate`, { graceHours }))[1]["apiKey"]);
    // Time goes on for them.
    const callers = openCallers(accounts.database);
    const second = await rotate(24);
    expect(await callers.byKey(apiKey)).toBeDefined();
    const third = await rotate(0);
    expect(await callers.byKey(third)).toBeDefined();
    expect(await callers.byKey(second)).toBeUndefined();
    expect(await rowsOf(`GET teams/${teamId}/keys`)).toMatchObject([{ keyId, ending: third.slice(-4) }]);
    expect((await operate(`POST keys/${keyId}/rotate`, { graceHours: 169 }))[0]).toBe(400);
  });

  test("that are revoked are refused at once, shown as such, and cannot be changed", async () => {
    const { teamId, keyId, apiKey } = await makeTeam();
    expect(await accounts.callers.byKey(apiKey)).toBeDefined();
    expect(await operate(`DELETE keys/${keyId}`)).toEqual([200, { success: true }]);
    expect(await accounts.callers.byKey(apiKey)).toBeUndefined();
    expect(await rowsOf(`GET teams/${teamId}/keys`)).toMatchObject([{ revokedAt: ISO }]);
    expect(await operate(`DELETE keys/${keyId}`)).toEqual(missing("Key"));
    expect(await operate(`PATCH keys/${keyId}`, { name: "x" })).toEqual(missing("Key"));
  });
});

describe("requests of all teams", () => {
  const scrapeOf = (teamId: string, host: string, more: Body = {}) => ({
    id: uuidV7(),
    teamId,
    url: `https://${host}/path`,
    host,
    status: "completed" as const,
    creditsUsed: 1,
    durationMs: 5,
    createdAtMs: Date.now(),
    ...more,
  });

  test("are found by team, status and domain, newest first", async () => {
    const { teamId } = await makeTeam();
    const failed = { status: "failed", errorCode: "SCRAPE_TIMEOUT" };
    records.add(scrapeOf(teamId, "shop.test"));
    records.add(scrapeOf(teamId, "www.shop.test", failed));
    records.add(scrapeOf(teamId, "notshop.test"));
    const found = async (query: string) =>
      (await rowsOf(`GET requests?team=${teamId}${query}`)).map(({ url }) => new URL(String(url)).hostname);
    expect(new Set(await found(""))).toEqual(new Set(["notshop.test", "www.shop.test", "shop.test"]));
    expect(await found("&status=failed")).toEqual(["www.shop.test"]);
    expect(new Set(await found("&domain=shop.test"))).toEqual(new Set(["shop.test", "www.shop.test"]));
    expect(new Set(await found("&domain=SHOP.test"))).toEqual(new Set(["shop.test", "www.shop.test"]));
    expect(await found("&domain=%25.test")).toEqual([]);
    expect(await found("&domain=shop.test&status=completed")).toEqual(["shop.test"]);
    const [row] = await rowsOf(`GET requests?team=${teamId}&status=failed`);
    expect(row).toMatchObject({ teamId, errorCode: "SCRAPE_TIMEOUT", durationMs: 5, createdAt: ISO });
  });

  test("come page by page", async () => {
    const { teamId } = await makeTeam();
    for (let count = 0; count < 3; count += 1) records.add(scrapeOf(teamId, "a.test"));
    const [, first] = await operate(`GET requests?team=${teamId}&limit=2`);
    const [, rest] = await operate(`GET requests?team=${teamId}&limit=2&cursor=${String(first["cursor"])}`);
    const ids = [first, rest].map(({ data }) => (data as readonly Body[]).map(({ id }) => id));
    expect([ids.map(({ length }) => length), rest["cursor"]]).toEqual([[2, 1], null]);
    expect(new Set(ids.flat()).size).toBe(3);
    expect(first).not.toHaveProperty("total");
    const [, counted] = await operate(
      `GET requests?team=${teamId}&limit=2&count=true&cursor=${String(first["cursor"])}`,
    );
    expect(counted["total"]).toBe(3);
  });
});

describe("the audit log", () => {
  test("is sent as lines of JSON, page by page, and holds no key", async () => {
    const { teamId, apiKey } = await makeTeam({ credits: 1 });
    await operate(`POST teams/${teamId}/credits`, { add: 2 });
    const headers = { authorization: `Bearer ${ADMIN_KEY}` };
    const read = (query: string) => server.ask(`GET /admin/api/audit?team=${teamId}${query}`, { headers });
    const whole = await read("");
    expect(whole.headers.get("content-type")).toMatch(/^application\/x-ndjson/);
    const kinds = whole.text
      .trimEnd()
      .split("\n")
      .map((line) => (JSON.parse(line) as Body)["kind"]);
    expect(kinds).toEqual(["team.created", "credits.added"]);
    expect(whole.text).not.toContain(apiKey);
    const first = await read("&limit=1");
    const next = first.headers.get("x-next-cursor") ?? "";
    const rest = await read(`&limit=1&cursor=${next}`);
    expect(first.text + rest.text).toBe(whole.text);
    const end = await read(`&cursor=${rest.headers.get("x-next-cursor") ?? ""}`);
    expect([end.status, end.text, end.headers.get("x-next-cursor")]).toEqual([200, "", null]);
  });
});

describe("the status", () => {
  test("is what the service says of itself", async () => {
    expect(await operate("GET status")).toEqual([200, { success: true, ...STATUS }]);
  });

  test("that cannot be told is an unexpected failure like others", async () => {
    isStatusBroken = true;
    const [status, body] = await operate("GET status");
    isStatusBroken = false;
    expect([status, body]).toMatchObject([500, { success: false, code: "UNKNOWN_ERROR" }]);
    expect(JSON.stringify(body)).not.toContain("of the test");
  });
});

describe("wrong input", () => {
  test.each([
    ["POST teams", {}, ["name"]],
    ["POST teams", { name: "" }, ["name"]],
    ["POST teams", { name: "x".repeat(201) }, ["name"]],
    ["POST teams", { name: "x", credits: -1 }, ["credits"]],
    ["POST teams", { name: "x", credits: 0.5 }, ["credits"]],
    ["POST teams", { name: "x", credits: "5" }, ["credits"]],
    ["POST teams", { name: "x", colour: "red" }, []],
    ["POST teams", { name: "x", flags: { unknown: true } }, ["flags"]],
    ["POST teams", { name: "x", limits: { concurrency: 0 } }, ["limits", "concurrency"]],
    ["POST teams", { name: "x", allowance: { credits: 1, period: "week" } }, ["allowance", "period"]],
    ["POST teams", [], []],
    ["PATCH teams/default", { isLimited: true }, ["isLimited"]],
    ["PATCH teams/default", { credits: 5 }, []],
    ["POST teams/default/credits", { add: 0 }, ["add"]],
    ["POST teams/default/credits", { add: -5 }, ["add"]],
    ["POST teams/default/credits", { add: 1e15 }, ["add"]],
    ["POST teams/default/credits", {}, ["add"]],
    [
      "POST teams/default/keys",
      { restrictions: { allowedIps: ["10.0.0.0/33"] } },
      ["restrictions", "allowedIps", 0],
    ],
    ["POST teams/default/keys", { restrictions: { endpoints: ["admin"] } }, ["restrictions", "endpoints", 0]],
    ["POST teams/default/keys", { restrictions: { credits: -1 } }, ["restrictions", "credits"]],
    ["PATCH keys/x", { restrictions: { unknown: 1 } }, ["restrictions"]],
    ["GET teams?limit=0", undefined, ["limit"]],
    ["GET teams?limit=1001", undefined, ["limit"]],
    ["GET teams/default/keys?limit=x", undefined, ["limit"]],
    ["GET teams/default/ledger?limit=-1", undefined, ["limit"]],
    ["GET requests?status=odd", undefined, ["status"]],
    ["GET requests?limit=1001", undefined, ["limit"]],
    ["GET audit?limit=10001", undefined, ["limit"]],
  ])("%s %j is refused, with the place of what is wrong", async (line, body, path) => {
    const [status, answer] = await operate(line, body);
    expect(status).toBe(400);
    expect(answer).toMatchObject({ success: false, code: "BAD_REQUEST" });
    const [first] = answer["details"] as readonly Body[];
    expect(first?.["path"]).toEqual(path);
  });

  test("does nothing", async () => {
    const [team] = await rowsOf("GET teams?limit=1");
    expect(team).toMatchObject({ teamId: accounts.teamId, isLimited: false, creditsUsedThisMonth: 0 });
    expect(await rowsOf("GET teams/default/ledger")).toEqual([]);
  });

  test.each(["GET teams/default/nothing", "PUT teams/default", "DELETE teams", "GET nowhere", "POST status"])(
    "%s is no operation",
    async (line) => {
      expect(await operate(line)).toEqual([404, { success: false, error: "Not Found" }]);
    },
  );
});

describe("of two operators who change the same", () => {
  const change = (line: string, body: object, version: string) =>
    server.ask(line.replace(" ", " /admin/api/"), {
      body,
      headers: { authorization: `Bearer ${ADMIN_KEY}`, "if-match": `"${version}"` },
    });
  const versionOf = async (line: string, id: string) => {
    const row = (await rowsOf(line)).find((one) => one["keyId"] === id || one["teamId"] === id);
    return String(row?.["version"]);
  };

  test("a team, the second is told, and changes nothing", async () => {
    const { teamId } = await makeTeam();
    const seen = await versionOf("GET teams", teamId);
    const first = await change(`PATCH teams/${teamId}`, { limits: { concurrency: 3 } }, seen);
    const second = await change(`PATCH teams/${teamId}`, { name: "other" }, seen);
    expect([first.status, second.status]).toEqual([200, 412]);
    expect(second.body).toEqual({ success: false, error: expect.stringContaining("Reload it") });
    expect((await rowsOf("GET teams")).find((one) => one["teamId"] === teamId)).toMatchObject({
      name: "team",
    });
    const { version } = (first.body as { data: { version: string } }).data;
    expect((await change(`PATCH teams/${teamId}`, { name: "other" }, version)).status).toBe(200);
  });

  test("a team at the same moment, one is told", async () => {
    const { teamId } = await makeTeam();
    const seen = await versionOf("GET teams", teamId);
    const both = await Promise.all(
      [1, 2].map((concurrency) => change(`PATCH teams/${teamId}`, { limits: { concurrency } }, seen)),
    );
    expect(new Set(both.map(({ status }) => status))).toEqual(new Set([200, 412]));
  });

  test("a key, the second is told", async () => {
    const { teamId, keyId } = await makeTeam();
    const list = `GET teams/${teamId}/keys`;
    const seen = await versionOf(list, keyId);
    expect((await change(`PATCH keys/${keyId}`, { name: "one" }, seen)).status).toBe(200);
    expect((await change(`PATCH keys/${keyId}`, { name: "two" }, seen)).status).toBe(412);
    expect((await change(`PATCH keys/${keyId}`, { name: "two" }, await versionOf(list, keyId))).status).toBe(
      200,
    );
  });

  test("credits that are used in between change no version", async () => {
    const { teamId } = await makeTeam({ credits: 5 });
    const seen = await versionOf("GET teams", teamId);
    await operate(`POST teams/${teamId}/credits`, { add: 5 });
    expect((await change(`PATCH teams/${teamId}`, { name: "x" }, seen)).status).toBe(200);
  });
});
