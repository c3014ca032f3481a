import { beforeAll, describe, expect, test } from "vitest";

import { openTeamServer, type TeamServer } from "../../../../test/team-server.ts";
import { addOperations } from "../http/add-operations.ts";
import { threatProtection } from "./threat-operations.ts";

const PATH = "/v2/team/threat-protection";

let teams: TeamServer;

beforeAll(async () => {
  teams = await openTeamServer((scope, { database, callers, audit }) =>
    addOperations(scope, threatProtection, { database, callers, audit }),
  );
});

const UNSET = {
  mode: "off",
  riskScoreThreshold: 75,
  blacklist: [],
  whitelist: [],
  blockedTlds: [],
  failurePolicy: expect.stringMatching(/^(?:open|closed)$/),
  allowRequestOverrides: expect.any(Boolean),
};

describe("the policy of a team (contract, section 6.1)", () => {
  test("is off, and said not to be configured, until somebody sets one", async () => {
    const { ask } = await teams.makeTeam();
    const data = { ...UNSET, configured: false, updatedAt: null };
    expect(await ask(`GET ${PATH}`)).toEqual([200, { success: true, data }]);
  });

  test("that is set is given back, and read again, with defaults for what was left out", async () => {
    const { ask } = await teams.makeTeam();
    const policy = { mode: "normal", riskScoreThreshold: 10, blacklist: ["*.Evil.Test", "b.test"] };
    const beforeMs = Date.now();
    const [status, body] = await ask(`PUT ${PATH}`, policy);
    const data = { ...UNSET, ...policy, blacklist: ["*.evil.test", "b.test"], configured: true };
    expect([status, body]).toEqual([
      200,
      { success: true, data: { ...data, updatedAt: expect.any(String) } },
    ]);
    const { updatedAt } = body["data"] as { readonly updatedAt: string };
    expect(Date.parse(updatedAt)).toBeGreaterThanOrEqual(beforeMs);
    expect(await ask(`GET ${PATH}`)).toEqual([200, body]);
  });

  test("replaces the one before as a whole", async () => {
    const { ask } = await teams.makeTeam();
    await ask(`PUT ${PATH}`, { mode: "normal", blockedTlds: ["zip"], whitelist: ["a.test"] });
    const [, body] = await ask(`PUT ${PATH}`, { mode: "manual-only" });
    expect(body).toMatchObject({ data: { mode: "manual-only", blockedTlds: [], whitelist: [] } });
  });

  test("holds for the next request: what was known of the team is forgotten", async () => {
    const { ask, teamId } = await teams.makeTeam();
    const { callers } = teams.accounts;
    expect((await callers.ofTeam(teamId)).team.threatPolicy.mode).toBe("off");
    await ask(`PUT ${PATH}`, { mode: "manual-only", blacklist: ["a.test"] });
    expect((await callers.ofTeam(teamId)).team.threatPolicy).toMatchObject({ blacklist: ["a.test"] });
  });

  test("is that of one team alone", async () => {
    const [mine, other] = [await teams.makeTeam(), await teams.makeTeam()];
    await mine.ask(`PUT ${PATH}`, { mode: "normal" });
    expect((await other.ask(`GET ${PATH}`))[1]).toMatchObject({ data: { configured: false } });
  });

  test("may carry the name of the client, which is not kept", async () => {
    const { ask } = await teams.makeTeam();
    const [status, body] = await ask(`PUT ${PATH}`, { mode: "off", origin: "js-sdk@4.42.0" });
    expect(status).toBe(200);
    expect(JSON.stringify(body)).not.toContain("js-sdk");
  });

  test("is written into the audit log, with the key that set it", async () => {
    const { ask, teamId, keyId } = await teams.makeTeam();
    await ask(`PUT ${PATH}`, { mode: "normal", blacklist: ["a.test"], origin: "client" });
    const lines = await teams.accounts.audit.read({ teamId, count: 10 });
    const events = lines.map(({ text }) => JSON.parse(text) as unknown);
    const threatPolicy = { mode: "normal", blacklist: ["a.test"] };
    expect(events.at(-1)).toMatchObject({ kind: "threatPolicy.changed", teamId, keyId, threatPolicy });
    expect(JSON.stringify(events)).not.toContain("client");
  });
});

describe("a policy is refused", () => {
  test.each([
    ["without a mode", {}, "mode"],
    ["for an unknown mode", { mode: "loud" }, "mode"],
    ["for a number out of bounds", { mode: "normal", riskScoreThreshold: 101 }, "riskScoreThreshold"],
    ["for half a number", { mode: "normal", riskScoreThreshold: 1.5 }, "riskScoreThreshold"],
    ["for a list that is none", { mode: "normal", blacklist: "a.test" }, "blacklist"],
    ["for a list too long", { mode: "normal", whitelist: Array(1001).fill("a.test") }, "whitelist"],
    ["for an unknown failure policy", { mode: "normal", failurePolicy: "shut" }, "failurePolicy"],
  ])("%s", async (_case, policy, field) => {
    const { ask } = await teams.makeTeam();
    const [status, body] = await ask(`PUT ${PATH}`, policy);
    expect(status).toBe(400);
    expect(body).toMatchObject({ success: false, code: "BAD_REQUEST", details: [{ path: [field] }] });
    expect((await ask(`GET ${PATH}`))[1]).toMatchObject({ data: { configured: false } });
  });

  test.each([
    "http://a.test",
    "a.test/path",
    "a.test:80",
    "*",
    "a",
    "*.*.test",
    "",
    "a b.test",
    `${"a.".repeat(130)}test`,
  ])("for the domain %j, in the words of the contract", async (entry) => {
    const { ask } = await teams.makeTeam();
    const [status, body] = await ask(`PUT ${PATH}`, { mode: "normal", blacklist: [entry] });
    const error = expect.stringContaining(`Invalid domain entry "${entry}": must be a plain domain`);
    expect([status, body]).toMatchObject([400, { error }]);
  });

  test.each([".zip", "Zip", "zip.", "z p", ""])("for the top-level domain %j", async (label) => {
    const { ask } = await teams.makeTeam();
    const [status, body] = await ask(`PUT ${PATH}`, { mode: "normal", blockedTlds: [label] });
    expect([status, body]).toMatchObject([400, { error: expect.stringContaining(`Invalid TLD "${label}"`) }]);
  });

  test("for a key that nobody knows", async () => {
    const { ask } = await teams.makeTeam();
    const [status, body] = await ask(`PUT ${PATH}`, { mode: "off", colour: "red" });
    expect([status, body]).toMatchObject([
      400,
      { error: expect.stringMatching(/^Unrecognized key in body/) },
    ]);
  });
});

test("a team that may not use threat protection gets 403, before its body is looked at", async () => {
  const { ask } = await teams.makeTeam({ flags: { threatProtection: false } });
  const error = expect.stringMatching(/^Threat protection .* is not enabled for your team/);
  expect(await ask(`GET ${PATH}`)).toEqual([403, { success: false, error }]);
  expect(await ask(`PUT ${PATH}`, { wrong: true })).toEqual([403, { success: false, error }]);
});

test("nobody without a key may read or set one", async () => {
  expect((await teams.server.ask(`GET ${PATH}`)).status).toBe(401);
  expect((await teams.server.ask(`PUT ${PATH}`, { body: { mode: "off" } })).status).toBe(401);
});
