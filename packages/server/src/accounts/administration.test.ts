import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";

import { openMemoryCoordinator } from "../storage/coordination/memory.ts";
import type { Database } from "../storage/database/database.ts";
import { openDatabase } from "../storage/database/drivers.ts";
import { HoldOwner } from "./abandoned-holds.ts";
import { type Administration, openAdministration, type JobsOwner } from "./administration.ts";
import { openAuditLog } from "./audit.ts";
import { type Callers, openCallers } from "./callers.ts";
import { openCredits } from "./credits.ts";
import { openRevocations } from "./revocations.ts";

let database: Database;
let callers: Callers;
let administration: Administration;
const erased: string[] = [];
const runsEnded: JobsOwner[] = [];

beforeEach(async () => {
  erased.length = 0;
  runsEnded.length = 0;
  database = await openDatabase("sqlite::memory:");
  await database.migrate();
  // A clock that stands still: callers stay in memory until the test forgets them.
  callers = openCallers(database, () => 1_900_000_000_000);
  administration = openAdministration({
    endpoints: ["scrape", "interact", "account"],
    database,
    callers,
    credits: openCredits({ database, owner: new HoldOwner(openMemoryCoordinator()) }),
    audit: openAuditLog(database, () => undefined),
    revocations: openRevocations(database, () => undefined),
    keptTeamId: "default",
    endRuns: async (_inside, owner) => void runsEnded.push(owner),
    eraseData: async (teamId) => {
      erased.push(teamId);
    },
  });
});

afterEach(() => database.close());

/** What the audit log says, oldest first. */
async function audited(teamId?: string) {
  const lines = await administration.audit({ count: 100, teamId });
  return lines.map(({ text }) => JSON.parse(text) as Readonly<Record<string, unknown>>);
}

test("the end of a right ends the runs that rest on it, other changes end none", async () => {
  const { teamId, keyId } = await administration.createTeam({ name: "team" });
  await administration.changeTeam(teamId, { flags: { safeMode: false } });
  await administration.changeKey(keyId, { restrictions: { credits: 5 } });
  expect(runsEnded).toEqual([]);
  await administration.changeKey(keyId, { restrictions: { banned: true } });
  await administration.revokeKey(keyId);
  await administration.revokeKey(keyId);
  await administration.changeTeam(teamId, { flags: { banned: true } });
  await administration.deleteTeam(teamId);
  expect(runsEnded).toEqual([{ keyId }, { keyId }, { teamId }, { teamId }]);
});

describe("the audit log", () => {
  test("tells every change, in order, without names and without keys", async () => {
    const { teamId, apiKey } = await administration.createTeam({ name: "Secretive", credits: 5 });
    await administration.addCredits(teamId, 3);
    await administration.changeTeam(teamId, { name: "Hidden", flags: { banned: true } });
    const key = await administration.createKey({ teamId, restrictions: { credits: 1 } });
    await administration.changeKey(key.keyId, { restrictions: { banned: true } });
    await administration.revokeKey(key.keyId);
    await administration.deleteTeam(teamId);
    const events = await audited();
    expect(events.map(({ kind }) => kind)).toEqual([
      "team.created",
      "credits.added",
      "team.changed",
      "key.created",
      "key.changed",
      "key.revoked",
      "team.deleted",
    ]);
    expect(events[2]).toMatchObject({ flags: { banned: true } });
    const changed = { restrictions: { banned: true }, before: { restrictions: { credits: 1 } } };
    expect(events[4]).toMatchObject(changed);
    const text = JSON.stringify(events);
    for (const secret of ["Secretive", "Hidden", apiKey.slice(3), key.apiKey.slice(3)]) {
      expect(text).not.toContain(secret);
    }
  });

  test("tells nothing of what did not happen", async () => {
    await administration.revokeKey("nobody");
    await administration.changeKey("nobody", { name: "x" });
    await expect(administration.addCredits("nobody", 5)).rejects.toThrow("Team not found.");
    expect(await audited()).toEqual([]);
  });

  test("of an erasure that failed is not written", async () => {
    const { teamId } = await administration.createTeam({ name: "team" });
    const failing = vi.spyOn(erased, "push").mockImplementation(() => {
      throw new Error("The disk is full.");
    });
    await expect(administration.deleteTeam(teamId)).rejects.toThrow("The disk is full.");
    failing.mockRestore();
    expect((await audited(teamId)).map(({ kind }) => kind)).toEqual(["team.created"]);
  });
});
