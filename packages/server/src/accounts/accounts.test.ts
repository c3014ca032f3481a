import { afterEach, beforeEach, describe, expect, test } from "vitest";

import { sha256Hex } from "@pergamon-dev/kit/hash";
import type { Database } from "../storage/database/database.ts";
import { openDatabase } from "../storage/database/drivers.ts";
import { openCallers } from "./callers.ts";
import { createKey, listKeys } from "./keys.ts";
import { monthStart } from "./periods.ts";
import { ensureDefaultTeam } from "./teams.ts";
import { addUsage, creditsUsed, usageByMonth } from "./usage.ts";

let database: Database;

beforeEach(async () => {
  database = await openDatabase("sqlite::memory:");
  await database.migrate();
  await ensureDefaultTeam(database);
});

afterEach(() => database.close());

describe("teams", () => {
  test("the default team is made once and keeps a changed name", async () => {
    expect(await ensureDefaultTeam(database)).toMatchObject({
      id: "default",
      name: "Default",
      isLimited: false,
    });
    await database.prepared("UPDATE teams SET name = ? WHERE id = ?").run("Ours", "default");
    expect(await ensureDefaultTeam(database)).toMatchObject({ id: "default", name: "Ours" });
  });
});

describe("keys", () => {
  const teamId = "default";

  /** Whom a look at the database finds behind the key. */
  async function verifyKey(apiKey: string, nowMs = Date.now()) {
    const caller = await openCallers(database, () => nowMs).byKey(apiKey);
    return caller && { teamId: caller.teamId, keyId: caller.keyId };
  }

  test("a key is told once, works, and is nowhere in the database", async () => {
    const { keyId, apiKey } = await createKey(database, { teamId, name: "laptop" });
    expect(apiKey).toMatch(/^fc-[0-9a-f]{32}$/);
    expect(await verifyKey(apiKey)).toEqual({ teamId, keyId });
    const stored = JSON.stringify(await database.prepared("SELECT * FROM api_keys").all());
    expect(stored).toContain(sha256Hex(apiKey));
    expect(stored).not.toContain(apiKey.slice("fc-".length));
    expect(JSON.stringify(await listKeys(database, { count: 100 }))).not.toContain(sha256Hex(apiKey));
  });

  test("variations of a valid key are not the key", async () => {
    const { apiKey } = await createKey(database, { teamId, name: "" });
    const hex = apiKey.slice("fc-".length);
    const variations = ["", "fc-", hex, apiKey.slice(0, -1), `${apiKey}0`, ` ${apiKey}`, `${apiKey}\n`];
    variations.push(
      apiKey.toUpperCase(),
      `FC-${hex}`,
      `${apiKey}' OR '1'='1`,
      "fc-%",
      sha256Hex(apiKey),
      "a".repeat(7_000),
    );
    variations.push(`fc-${"0".repeat(32)}`);
    for (const variation of variations) expect(await verifyKey(variation)).toBeUndefined();
  });

  test("notes the last use, at most once a minute", async () => {
    const { apiKey } = await createKey(database, { teamId, name: "" });
    const lastUse = async () => (await listKeys(database, { count: 100 }))[0]?.lastUsedAtMs;
    const start = 1_900_000_000_000;
    await Promise.all([verifyKey(apiKey, start), verifyKey(apiKey, start + 1)]);
    await expect.poll(() => lastUse()).toBe(start);
    await verifyKey(apiKey, start + 59_999);
    await verifyKey(apiKey, start + 60_000);
    await expect.poll(() => lastUse()).toBe(start + 60_000);
    await verifyKey(apiKey, start + 60_001);
    await new Promise(setImmediate);
    expect(await lastUse()).toBe(start + 60_000);
  });
});

describe("usage", () => {
  const october = Date.UTC(2026, 9, 31, 23, 59, 59, 999);
  const november = Date.UTC(2026, 10, 1);

  beforeEach(() =>
    database.transaction((tx) =>
      addUsage(tx, [
        { teamId: "a", keyId: "k1", creditsUsed: 5, createdAtMs: october },
        { teamId: "a", keyId: "k1", creditsUsed: 1, createdAtMs: november },
        { teamId: "a", keyId: "k1", creditsUsed: 0, createdAtMs: november + 1 },
        { teamId: "a", creditsUsed: 7, createdAtMs: november },
        { teamId: "b", keyId: "k2", creditsUsed: 100, createdAtMs: november },
      ]),
    ),
  );

  test("sums the credits of a team over a span of months", async () => {
    const [first, second, third] = [0, 1, 2].map((later) => monthStart(october, later));
    expect(await creditsUsed(database, "a", first ?? 0, second ?? 0)).toBe(5);
    expect(await creditsUsed(database, "a", second ?? 0, third ?? 0)).toBe(8);
    expect(await creditsUsed(database, "a", 0, third ?? 0)).toBe(13);
    expect(await creditsUsed(database, "nobody", 0, third ?? 0)).toBe(0);
  });

  test("adds to counters that are there", async () => {
    await addUsage(database, [{ teamId: "a", keyId: "k1", creditsUsed: 3, createdAtMs: october }]);
    const [period] = await usageByMonth(database, "a", { byKey: false });
    expect(period).toEqual({
      startMs: Date.UTC(2026, 9),
      endMs: Date.UTC(2026, 10),
      creditsUsed: 8,
      requests: 2,
    });
  });

  test("tells months apart, and keys when asked", async () => {
    const months = await usageByMonth(database, "a", { byKey: false });
    expect(months.map((month) => [month.creditsUsed, month.requests])).toEqual([
      [5, 1],
      [8, 3],
    ]);
    const { keyId } = await createKey(database, { teamId: "default", name: "named" });
    await addUsage(database, [{ teamId: "a", keyId, creditsUsed: 2, createdAtMs: november }]);
    const byKey = await usageByMonth(database, "a", { byKey: true });
    const known = byKey.map((entry) => [entry.startMs, entry.keyId, entry.keyName, entry.creditsUsed]);
    expect(known).toEqual([
      [Date.UTC(2026, 9), "k1", null, 5],
      [Date.UTC(2026, 10), null, null, 7],
      [Date.UTC(2026, 10), keyId, "named", 2],
      [Date.UTC(2026, 10), "k1", null, 1],
    ]);
  });

  test.each([
    [Date.UTC(2026, 11, 31, 23, 59), 0, Date.UTC(2026, 11)],
    [Date.UTC(2026, 11, 31, 23, 59), 1, Date.UTC(2027, 0)],
    [Date.UTC(2027, 0), 0, Date.UTC(2027, 0)],
  ])("the month of %d, %d later, begins at %d", (timeMs, later, startMs) => {
    expect(monthStart(timeMs, later)).toBe(startMs);
  });
});
