import { afterEach, beforeEach, describe, expect, test } from "vitest";

import type { Database } from "../storage/database/database.ts";
import { openDatabase } from "../storage/database/drivers.ts";
import { createTeam, deleteTeam } from "./teams.ts";
import {
  effectivePolicy,
  isBlockedByLists,
  judgeByLists,
  NO_POLICY,
  readThreatPolicy,
  saveThreatPolicy,
} from "./threat-policy.ts";
import { ThreatPolicy, ThreatProtection } from "../api/threat-policy.ts";

const policy = (fields: object) => ThreatPolicy.parse({ mode: "manual-only", ...fields });

describe("the lists of a policy", () => {
  const lists = policy({
    blacklist: ["bad.test", "*.worse.test", "192.0.2.7"],
    whitelist: ["good.bad.test", "fine.zip"],
    blockedTlds: ["zip", "mov"],
  });

  test.each([
    ["https://bad.test/x", "blacklist"],
    ["https://BAD.test./x", "blacklist"],
    ["https://good.bad.test/", "allowed"],
    ["https://a.worse.test/", "blacklist"],
    ["https://192.0.2.7/", "blacklist"],
    ["https://other.zip/", "blocked_tld"],
    ["https://fine.zip/", "allowed"],
    ["https://zip.test/", "unlisted"],
    ["https://notzip/", "unlisted"],
    ["https://harmless.test/?u=bad.test", "unlisted"],
  ])("judge %s: %s", (url, judged) => {
    expect(judgeByLists(lists, url)).toBe(judged);
    expect(isBlockedByLists(lists, url)).toBe(judged === "blacklist" || judged === "blocked_tld");
  });
});

describe("the policy of a request", () => {
  const team = policy({ mode: "normal", blacklist: ["bad.test"], riskScoreThreshold: 50 });

  test("is the team's where nothing is asked for, and none where that is off", () => {
    expect(effectivePolicy(team, undefined)).toBe(team);
    expect(effectivePolicy(NO_POLICY, undefined)).toBeUndefined();
  });

  test("takes what the request names, and the rest from the team", () => {
    const merged = effectivePolicy(team, { riskScoreThreshold: 90, whitelist: undefined });
    expect(merged).toMatchObject({ mode: "normal", riskScoreThreshold: 90, blacklist: ["bad.test"] });
  });

  test("checks the domains that a request names, also where the team checks nothing", () => {
    expect(effectivePolicy(NO_POLICY, { blacklist: ["x.test"] })).toMatchObject({ mode: "manual-only" });
    expect(effectivePolicy(NO_POLICY, { mode: "off", blacklist: ["x.test"] })).toBeUndefined();
    expect(effectivePolicy(team, { mode: "off" })).toBeUndefined();
  });
});

describe("entries", () => {
  test.each(["example.com", "*.example.com", "EXAMPLE.com", "192.0.2.1", "[2001:db8::1]", "bücher.example"])(
    "%s is one",
    (entry) => {
      expect(ThreatProtection.safeParse({ blacklist: [entry] }).success).toBe(true);
    },
  );

  test.each([
    "https://example.com",
    "example.com/path",
    "example.com:80",
    "*",
    "*.*.com",
    "localhost",
    "a".repeat(300),
    "",
  ])("%j is none, and the refusal says what one looks like", (entry) => {
    const parsed = ThreatProtection.safeParse({ blacklist: [entry] });
    expect(parsed.error?.issues[0]?.message).toContain('must be a plain domain like "example.com"');
  });

  test.each([".zip", "ZIP", "co.uk", ""])("%j is no top-level domain", (tld) => {
    const parsed = ThreatProtection.safeParse({ blockedTlds: [tld] });
    expect(parsed.error?.issues[0]?.message).toContain("without the leading dot");
  });
});

describe("a stored policy", () => {
  let database: Database;
  beforeEach(async () => {
    database = await openDatabase("sqlite::memory:");
    await database.migrate();
  });
  afterEach(() => database.close());

  test("is read as it was set, with when, until it ends", async () => {
    const { id } = await createTeam(database, { name: "team" });
    expect(await readThreatPolicy(database, id)).toEqual({ policy: NO_POLICY, updatedAtMs: null });
    const set = policy({ blacklist: ["Bad.test"] });
    const { updatedAtMs } = await saveThreatPolicy(database, id, set);
    expect(await readThreatPolicy(database, id)).toEqual({ policy: set, updatedAtMs });
    expect(set.blacklist).toEqual(["bad.test"]);
    await saveThreatPolicy(database, id, null);
    expect(await readThreatPolicy(database, id)).toEqual({ policy: NO_POLICY, updatedAtMs: null });
  });

  test("of a deleted team cannot be set", async () => {
    const { id } = await createTeam(database, { name: "team" });
    await deleteTeam(database, id);
    await expect(saveThreatPolicy(database, id, NO_POLICY)).rejects.toThrow("Team not found.");
  });
});
