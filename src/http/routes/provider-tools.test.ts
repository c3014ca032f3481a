import { afterAll, beforeAll, describe, expect, test } from "vitest";

import { openTeamServer, type TeamClient, type TeamServer } from "../../../test/team-server.ts";
import { refuseProviderTools } from "./provider-tools.ts";

let teams: TeamServer;
let team: TeamClient;

beforeAll(async () => {
  teams = await openTeamServer((scope) => {
    scope.post("/v2/scrape", async (request, reply) => {
      refuseProviderTools(request, reply);
      return { isScrape: true };
    });
  });
  team = await teams.makeTeam();
});

afterAll(() => teams.close());

const FIND = { provider: "firecrawl", capability: "find-tools" };

async function call(body: unknown, headers: Readonly<Record<string, string>> = {}) {
  const authorization = `Bearer ${team.apiKey}`;
  return teams.server.ask("POST /v2/scrape", { body, headers: { authorization, ...headers } });
}

describe("provider-tool mode is validated first (F13)", () => {
  test.each([
    ["null", { alexandria: null }],
    ["no call", { alexandria: [] }],
    ["text", { alexandria: "firecrawl" }],
    ["eleven calls", { alexandria: Array.from({ length: 11 }, () => FIND) }],
    ["a call without capability", { alexandria: { provider: "firecrawl" } }],
    ["a call without a name", { alexandria: { ...FIND, provider: " " } }],
    ["a name of 201 characters", { alexandria: { ...FIND, provider: "x".repeat(201) } }],
    ["options that are a list", { alexandria: { ...FIND, options: [] } }],
    ["a version", { alexandria: { ...FIND, version: "1.0.0" } }],
    ["a timeout that is too short", { alexandria: FIND, timeout: 999 }],
  ])("%s is a bad request", async (_what, body) => {
    const answer = await call(body);
    expect([answer.status, answer.body]).toMatchObject([400, { success: false, code: "BAD_REQUEST" }]);
  });

  test.each(["url", "formats", "maxAge", "zeroDataRetention"])("%s beside it is refused", async (name) => {
    const answer = await call({ alexandria: FIND, [name]: 1 });
    const details = [{ code: "unrecognized_keys", keys: [name], path: [] }];
    expect([answer.status, answer.body]).toMatchObject([400, { code: "BAD_REQUEST", details }]);
  });

  test("options of more than 256 KB are refused in words", async () => {
    const optionsOf = (bytes: number) => ({ ...FIND, options: { a: "x".repeat(bytes - 8) } });
    expect((await call({ alexandria: optionsOf(256 * 1024) })).status).toBe(501);
    const answer = await call({ alexandria: [FIND, optionsOf(256 * 1024 + 1)] });
    expect([answer.status, answer.body]).toMatchObject([400, { error: "Provider options exceed 256 KB." }]);
  });

  test.each(["a b", "x".repeat(129), "é"])("the id %j is refused", async (id) => {
    const answer = await call({ alexandria: FIND }, { "x-request-id": id });
    expect([answer.status, answer.text]).toEqual([400, expect.stringContaining("Invalid x-request-id")]);
  });
});

describe("then tools are looked for (F13)", () => {
  test.each([
    [{ provider: "weather", capability: "find-tools" }],
    [{ provider: "firecrawl", capability: "forecast" }],
    [{ provider: "constructor", capability: "name" }],
    [[FIND, { provider: "weather", capability: "forecast" }]],
  ])("%j is not there", async (alexandria) => {
    const answer = await call({ alexandria });
    expect([answer.status, answer.body]).toMatchObject([404, { success: false, code: "unknown_provider" }]);
  });

  test.each([[FIND], [[FIND, { ...FIND, options: { query: "x" } }]]])(
    "%j is not built yet",
    async (alexandria) => {
      const answer = await call({ alexandria, origin: "js-sdk@4.42.0", integration: null, timeout: 1000 });
      expect([answer.status, answer.body]).toMatchObject([501, { success: false, code: "NOT_IMPLEMENTED" }]);
    },
  );

  test("every reply carries the id of its request", async () => {
    const given = await call({ alexandria: FIND }, { "x-request-id": "a.B_1:-" });
    expect(given.headers.get("x-request-id")).toBe("a.B_1:-");
    const unknown = await call({ alexandria: { provider: "a", capability: "b" } });
    expect(unknown.headers.get("x-request-id")).toMatch(/^[0-9a-f-]{36}$/);
  });

  test("not for teams of which nothing may be kept", async () => {
    const { ask } = await teams.makeTeam({ flags: { zeroDataRetention: "forced" } });
    const [status, body] = await ask("POST /v2/scrape", { alexandria: FIND });
    expect([status, body]).toMatchObject([403, { code: "THIRD_PARTY_DATA_TERMS_REQUIRED" }]);
  });
});

test.each(['{"url":"http://a.test/"}', '{"__proto__":{"alexandria":{}}}', "[]", "null"])(
  "%s is no such request",
  async (body) => {
    expect((await call(body)).body).toEqual({ isScrape: true });
  },
);
