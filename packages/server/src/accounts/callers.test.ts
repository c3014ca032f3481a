import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";

import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";

import type { Database } from "../storage/database/database.ts";
import { openDatabase } from "../storage/database/drivers.ts";
import { openCallers } from "./callers.ts";
import { changeKey, createKey, revokeKey } from "./keys.ts";
import { openRevocations, type Revocations } from "./revocations.ts";
import { changeTeam, createTeam, deleteTeam } from "./teams.ts";

let folder: string;
let database: Database;
let other: Database;

/** A team with a key. */
async function keyed(restrictions = {}) {
  const team = await createTeam(database, { name: "team" });
  const key = await createKey(database, { teamId: team.id, name: "key", restrictions });
  return { team, ...key };
}

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "callers-"));
  database = await openDatabase(`sqlite:${folder}/test.db`);
  await database.migrate();
  other = await openDatabase(`sqlite:${folder}/test.db`);
});

afterEach(async () => {
  await Promise.all([database.close(), other.close()]);
  await rm(folder, { recursive: true, force: true });
});

describe("callers", () => {
  test("are known by their key, with team, restrictions and who pays", async () => {
    const { team, keyId, apiKey } = await keyed({ requestsPerMinute: 7, credits: 5 });
    const caller = await openCallers(database).byKey(apiKey);
    expect(caller).toMatchObject({
      teamId: team.id,
      keyId,
      restrictions: { requestsPerMinute: 7 },
      payer: { keyId, keyCredits: 5 },
    });
    expect(caller?.allowedIps).toBeUndefined();
  });

  test("of a team without a key pay for themselves; a team that is not there is told", async () => {
    const { team } = await keyed();
    const caller = await openCallers(database).ofTeam(team.id);
    expect(caller).toMatchObject({ teamId: team.id, restrictions: {}, payer: { team: { id: team.id } } });
    expect(caller.keyId).toBeUndefined();
    await expect(openCallers(database).ofTeam("nobody")).rejects.toMatchObject({ name: "NotFoundError" });
  });

  test.each([
    [["10.0.0.0/8"], "10.1.2.3", true],
    [["10.0.0.0/8"], "11.1.2.3", false],
    [["::ffff:192.0.2.1"], "192.0.2.1", true],
    [["192.0.2.1"], "192.0.2.2", false],
    [["2001:db8::/32"], "2001:db8::5", true],
    [["2001:db8::/32", "192.0.2.7"], "192.0.2.7", true],
  ])("with a key for %j come from %s: %s", async (allowedIps, address, isAllowed) => {
    const { apiKey } = await keyed({ allowedIps });
    const caller = await openCallers(database).byKey(apiKey);
    expect(caller?.allowedIps?.check(address, address.includes(":") ? "ipv6" : "ipv4")).toBe(isAllowed);
  });

  test("are remembered for a moment, and looked up anew once that is over or they are to be forgotten", async () => {
    let nowMs = 1_900_000_000_000;
    const { apiKey, keyId } = await keyed();
    const looks = vi.spyOn(database, "prepared");
    const callers = openCallers(database, () => nowMs);
    const selects = () => looks.mock.calls.filter(([sql]) => sql.includes("JOIN teams")).length;
    for (let count = 0; count < 5; count += 1) await callers.byKey(apiKey);
    expect(selects()).toBe(1);
    await changeKey(database, keyId, { restrictions: { banned: true } });
    expect((await callers.byKey(apiKey))?.restrictions.banned).toBeUndefined();
    callers.forget();
    expect((await callers.byKey(apiKey))?.restrictions.banned).toBe(true);
    nowMs += 51;
    await callers.byKey(apiKey);
    expect(selects()).toBe(3);
  });

  test("that another process has changed are known anew in the next turn", async () => {
    const { apiKey, keyId, team } = await keyed();
    const callers = openCallers(database, () => 1_900_000_000_000);
    expect((await callers.byKey(apiKey))?.team.flags.banned).toBeUndefined();
    await changeTeam(other, team.id, { flags: { banned: true } });
    await new Promise(setImmediate);
    expect((await callers.byKey(apiKey))?.team.flags.banned).toBe(true);
    await revokeKey(other, keyId);
    await new Promise(setImmediate);
    expect(await callers.byKey(apiKey)).toBeUndefined();
  });

  test("that come together are looked up once, and anew by those who come after a change", async () => {
    const { team, apiKey } = await keyed();
    const callers = openCallers(database);
    const looks = vi.spyOn(database, "prepared");
    await Promise.all(Array.from({ length: 20 }, async () => callers.ofTeam(team.id)));
    expect(looks).toHaveBeenCalledOnce();
    looks.mockRestore();
    const before = callers.byKey(apiKey);
    await changeTeam(database, team.id, { flags: { banned: true } });
    callers.forget();
    const after = callers.byKey(apiKey);
    await before;
    expect((await after)?.team.flags.banned).toBe(true);
    expect((await callers.byKey(apiKey))?.team.flags.banned).toBe(true);
  });

  test("that are nobody are not looked for: only what looks like a key reaches the database", async () => {
    const callers = openCallers(database);
    const looks = vi.spyOn(database, "prepared");
    for (const text of ["", "fc-", "fc-zz", "x".repeat(10_000), `fc-${"A".repeat(32)}`]) {
      expect(await callers.byKey(text)).toBeUndefined();
    }
    expect(looks).not.toHaveBeenCalled();
  });
});

describe("revocations", () => {
  const failures: unknown[] = [];
  let revocations: Revocations;
  beforeEach(() => {
    failures.length = 0;
    revocations = openRevocations(database, (failure) => failures.push(failure));
  });

  /** Work under way on a key, and what ended it. */
  async function watched(keyId?: string) {
    const { team, ...key } = await keyed();
    const caller = await openCallers(database).byKey(key.apiKey);
    const ended = vi.fn<(reason: Error) => void>();
    const watchedCaller = { ...(caller as NonNullable<typeof caller>), ...(keyId && { keyId }) };
    return { team, ...key, ended, stop: revocations.watch(watchedCaller, ended) };
  }

  test("end the work of the key that was revoked, and no other's", async () => {
    const [revoked, kept] = [await watched(), await watched()];
    await revokeKey(database, revoked.keyId);
    await revocations.check();
    expect(revoked.ended).toHaveBeenCalledOnce();
    expect(revoked.ended.mock.calls[0]?.[0].message).toBe("Unauthorized: Invalid token");
    expect(kept.ended).not.toHaveBeenCalled();
  });

  test("end the work of all keys of a deleted team", async () => {
    const work = await watched();
    await deleteTeam(database, work.team.id);
    await revocations.check();
    expect(work.ended).toHaveBeenCalledOnce();
  });

  test("end the work of all keys of a team that was banned, and of a key that was", async () => {
    const [banned, key, kept] = [await watched(), await watched(), await watched()];
    await changeTeam(database, banned.team.id, { flags: { banned: true } });
    await changeKey(database, key.keyId, { restrictions: { banned: true } });
    await revocations.check();
    expect(banned.ended.mock.calls[0]?.[0].message).toContain("this team has been banned");
    expect(key.ended.mock.calls[0]?.[0].message).toContain("this API key has been banned");
    expect(kept.ended).not.toHaveBeenCalled();
  });

  test("by another process are noticed within a second or so", async () => {
    const work = await watched();
    await revokeKey(other, work.keyId);
    await expect.poll(() => work.ended).toHaveBeenCalled();
  });

  test("leave work alone that has ended", async () => {
    const work = await watched();
    work.stop();
    work.stop();
    await revokeKey(database, work.keyId);
    await revocations.check();
    expect(work.ended).not.toHaveBeenCalled();
  });

  test("are looked for in many keys at once", async () => {
    const works = await Promise.all(Array.from({ length: 20 }, (_work, index) => watched(`nobody ${index}`)));
    const kept = await watched();
    for (let index = 0; index < 600; index += 1) {
      const caller = await openCallers(database).byKey(kept.apiKey);
      revocations.watch({ ...(caller as NonNullable<typeof caller>), keyId: `gone ${index}` }, kept.ended);
    }
    await revocations.check();
    // Not counted: where watching so many takes longer than a second, they are looked for again meanwhile.
    expect(works.every(({ ended }) => ended.mock.calls.length > 0)).toBe(true);
    expect(kept.ended.mock.calls.length).toBeGreaterThanOrEqual(600);
  });

  test("that cannot be looked for are told, and looked for again", async () => {
    const work = await watched();
    await revokeKey(database, work.keyId);
    await database.prepared("ALTER TABLE api_keys RENAME TO elsewhere").run();
    await expect.poll(() => failures.length).toBeGreaterThan(0);
    expect(work.ended).not.toHaveBeenCalled();
    await database.prepared("ALTER TABLE elsewhere RENAME TO api_keys").run();
    await expect.poll(() => work.ended).toHaveBeenCalled();
  });
});
