import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";

import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";

import { testFolder } from "../packages/kit/src/test-folder.suite.ts";
import { HoldOwner, releaseAbandonedHolds } from "../packages/server/src/accounts/abandoned-holds.ts";
import { openCredits } from "../packages/server/src/accounts/credits.ts";
import { createTeam, getTeam } from "../packages/server/src/accounts/teams.ts";
import { ServiceError } from "../packages/server/src/api/errors.ts";
import { uuidV7 } from "../packages/kit/src/uuid.ts";
import { openBlobs } from "../packages/server/src/storage/blobs/drivers.ts";
import type { Coordinator } from "../packages/server/src/storage/coordination/coordinator.ts";
import { openDatabaseCoordinator } from "../packages/server/src/storage/coordination/database.ts";
import { Leader } from "../packages/server/src/storage/coordination/leader.ts";
import { leaseClockMs } from "../packages/server/src/storage/coordination/lease-clock.ts";
import type { Database } from "../packages/server/src/storage/database/database.ts";
import { openDatabase } from "../packages/server/src/storage/database/drivers.ts";
import { openSecrets } from "../packages/server/src/storage/secrets/secrets.ts";
import { openProfiles, type Profiles } from "../packages/server/src/profiles/profiles.ts";

const HOUR_MS = 3_600_000;
const TTL_MS = 600;
const PATIENCE = { timeout: 10_000 };

/** One of the processes over the same database file. */
interface Process {
  readonly database: Database;
  readonly coordinator: Coordinator;
  readonly profiles: Profiles;
}

/** Something that one process has at a time. */
interface Held {
  /** @returns what gives it back; undefined while another process has it. */
  take(by: Process): Promise<(() => unknown) | undefined>;
}

const { signal } = new AbortController();
const profile = { teamId: "t", name: "p" };

const kinds: Readonly<Record<string, Held>> = {
  "a lease": {
    async take({ coordinator }) {
      const lease = await coordinator.lease("l", TTL_MS);
      return lease && (() => lease.release());
    },
  },
  "the lead": {
    async take({ coordinator }) {
      const leader = new Leader({ coordinator, name: "n", ttlMs: TTL_MS });
      let leads = false;
      await leader.lead(async () => {
        leads = true;
      });
      return leads ? () => leader.stop() : undefined;
    },
  },
  "the only place of a slot": {
    async take({ coordinator }) {
      const place = await coordinator.enter("s", { limit: 1, queued: 9, timeoutMs: 80, signal });
      return typeof place === "string" ? undefined : () => place.release();
    },
  },
  "the lock of a profile": {
    async take({ profiles }) {
      try {
        const writer = await profiles.openWriter(profile);
        return () => writer.release();
      } catch (failure) {
        if (failure instanceof ServiceError && failure.code === "PROFILE_LOCKED") return undefined;
        throw failure;
      }
    },
  },
};

const jumps: readonly (readonly [string, number])[] = [
  ["forward", HOUR_MS],
  ["backward", -HOUR_MS],
];
const table = Object.entries(kinds).flatMap(([name, held]) =>
  jumps.map(([direction, jumpMs]) => [name, direction, held, jumpMs] as const),
);

let folder: string;
let processes: Process[];

beforeEach(async () => {
  folder = testFolder();
  processes = [];
});

afterEach(async () => {
  vi.restoreAllMocks();
  for (const { coordinator, database } of processes) {
    await coordinator.close().catch(() => undefined);
    await database.close();
  }
});

async function openProcess(): Promise<Process> {
  const database = await openDatabase(`sqlite:${folder}/test.db`);
  await database.migrate();
  const coordinator = openDatabaseCoordinator({ database, placeTtlMs: TTL_MS, onError: () => undefined });
  const blobs = await openBlobs("memory:");
  const secrets = await openSecrets({ keys: [], keyFile: join(folder, "secret.key") });
  const opened = { database, coordinator, profiles: openProfiles({ database, blobs, secrets }) };
  processes.push(opened);
  return opened;
}

/** Sets the time of day of this machine. */
function jump(byMs: number): void {
  const { now } = Date;
  vi.spyOn(Date, "now").mockImplementation(() => now() + byMs);
}

describe("when somebody sets the clock by an hour", () => {
  test.each(table)("%s is held by nobody else, %s", async (_name, _direction, held, jumpMs) => {
    const [one, other] = [await openProcess(), await openProcess()];
    const release = await held.take(one);
    expect(release).toBeDefined();
    jump(jumpMs);
    expect(await held.take(other)).toBeUndefined();
    await pause(TTL_MS * 1.5);
    expect(await held.take(other)).toBeUndefined();
    const newcomer = await openProcess();
    expect(await held.take(newcomer)).toBeUndefined();
    await release?.();
    await expect.poll(() => held.take(other), PATIENCE).toBeDefined();
  });

  test.each(table)("%s is not held for ever by the dead, %s", async (_name, _direction, held, jumpMs) => {
    const [dying, living] = [await openProcess(), await openProcess()];
    expect(await held.take(dying)).toBeDefined();
    await dying.database.close();
    // What is left of it, but for the longer time of profiles.
    await living.database.prepared("UPDATE profiles SET locked_until = ?").run(leaseClockMs() + TTL_MS);
    jump(jumpMs);
    await expect.poll(() => held.take(living), PATIENCE).toBeDefined();
  });

  test.each(jumps)("%s, holds of credits stay those of the living", async (_direction, jumpMs) => {
    const [one, other] = [await openProcess(), await openProcess()];
    const [owner, looking] = [new HoldOwner(one.coordinator), new HoldOwner(other.coordinator)];
    const credits = openCredits({ database: one.database, owner });
    const { id } = await createTeam(one.database, { name: "team" });
    await credits.topUp(id, 100);
    const payer = { team: await getTeam(one.database, id) };
    const held = await credits.hold({ id: uuidV7(), startedAtMs: Date.now(), payer, amount: 5 });
    await held.secure();
    jump(jumpMs);
    expect(await releaseAbandonedHolds({ ...other, owner: looking })).toBe(0);
    await owner.close();
    expect(await releaseAbandonedHolds({ ...other, owner: looking })).toBe(1);
  });

  test.each(jumps)("%s, identical work is still done once, and again later", async (_direction, jumpMs) => {
    const { coordinator } = await openProcess();
    let runs = 0;
    const work = async () => {
      runs += 1;
      await pause(50);
      return runs;
    };
    const first = coordinator.once("k", signal, work);
    jump(jumpMs);
    expect(await Promise.all([first, coordinator.once("k", signal, work)])).toEqual([1, 1]);
    expect(await coordinator.once("k", signal, work)).toBe(2);
  });

  test.each(jumps)("%s, what is told is heard", async (_direction, jumpMs) => {
    const [one, other] = [await openProcess(), await openProcess()];
    const heard: string[] = [];
    const end = other.coordinator.hear("t", (text) => heard.push(text));
    await pause(100);
    await one.coordinator.tell("t", "before");
    jump(jumpMs);
    await one.coordinator.tell("t", "after");
    await expect.poll(() => heard).toEqual(["before", "after"]);
    end();
  });
});

test.each(Object.entries(kinds))(
  "%s that was held when the machine was started again, or by another clock, is free",
  async (_name, held) => {
    const [dead, living] = [await openProcess(), await openProcess()];
    expect(await held.take(dead)).toBeDefined();
    await dead.database.close();
    for (const [name, column] of [
      ["leases", "held_until"],
      ["profiles", "locked_until"],
    ])
      await living.database.prepared(`UPDATE ${name} SET ${column} = ?`).run(leaseClockMs() + HOUR_MS);
    expect(await held.take(living)).toBeDefined();
  },
);
