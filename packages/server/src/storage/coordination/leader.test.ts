import { setTimeout as pause } from "node:timers/promises";

import { afterEach, beforeEach, expect, test } from "vitest";

import { testFolder } from "@pergamon-dev/kit/test-folder.suite";
import type { Database } from "../database/database.ts";
import { openDatabase } from "../database/drivers.ts";
import type { Coordinator } from "./coordinator.ts";
import { openDatabaseCoordinator } from "./database.ts";
import { Leader } from "./leader.ts";

interface Member {
  readonly database: Database;
  readonly coordinator: Coordinator;
  readonly leader: Leader;
}

let folder: string;
let members: Member[];

beforeEach(async () => {
  folder = testFolder();
  members = [];
  for (let count = 0; count < 3; count += 1) {
    const database = await openDatabase(`sqlite:${folder}/test.db`);
    await database.migrate();
    const coordinator = openDatabaseCoordinator({ database, onError: () => undefined });
    members.push({ database, coordinator, leader: new Leader({ coordinator, name: "prune", ttlMs: 500 }) });
  }
});

afterEach(async () => {
  for (const { coordinator, database } of members) {
    await coordinator.close().catch(() => undefined);
    await database.close();
  }
});

/** Who of the members did the work in a round in which each was asked to. */
async function round(): Promise<readonly number[]> {
  const workers: number[] = [];
  const asked = members.map(({ leader }, index) =>
    leader.lead(async () => {
      workers.push(index);
      await pause(5);
    }),
  );
  await Promise.all(asked);
  return workers;
}

test("of several processes one does the work, the same one round after round", async () => {
  const [first, ...others] = await round();
  expect(others).toEqual([]);
  for (let count = 0; count < 5; count += 1) {
    await pause(150);
    expect(await round()).toEqual([first]);
  }
});

test("another one leads at once when the leader stops", async () => {
  const [first = 0] = await round();
  await members[first]?.leader.stop();
  members.splice(first, 1);
  expect(await round()).toHaveLength(1);
});

test("another one leads after the time of a leader that died", async () => {
  const [first = 0] = await round();
  const [died] = members.splice(first, 1);
  await died?.database.close();
  expect(await round()).toEqual([]);
  await expect.poll(async () => (await round()).length).toBe(1);
});

test("a leader that others have replaced is told in the middle of its work, and leads no more", async () => {
  const [first, second] = members as [Member, Member];
  let wasTold = false;
  const working = first.leader.lead(async (signal) => {
    await second.database.prepared("UPDATE leases SET held_until = 0").run();
    await second.leader.lead(async () => undefined);
    await new Promise((resolve) => signal.addEventListener("abort", resolve, { once: true }));
    wasTold = true;
  });
  await working;
  expect(wasTold).toBe(true);
  let isLeading = false;
  await first.leader.lead(async () => {
    isLeading = true;
  });
  expect(isLeading).toBe(false);
});

test("work that fails is the caller's, and does not end the lead", async () => {
  const [{ leader }, other] = members as [Member, Member];
  const failing = leader.lead(async () => {
    throw new Error("of the work");
  });
  await expect(failing).rejects.toThrow("of the work");
  let rounds = 0;
  await other.leader.lead(async () => {
    rounds += 10;
  });
  await leader.lead(async () => {
    rounds += 1;
  });
  expect(rounds).toBe(1);
});
