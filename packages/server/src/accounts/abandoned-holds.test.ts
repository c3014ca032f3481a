import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";

import { afterEach, beforeEach, expect, test } from "vitest";

import { processIdentity } from "@pergamon-dev/kit/process/process-identity";
import { uuidV7 } from "@pergamon-dev/kit/uuid";
import type { Coordinator } from "../storage/coordination/coordinator.ts";
import { openDatabaseCoordinator } from "../storage/coordination/database.ts";
import type { Database } from "../storage/database/database.ts";
import { openDatabase } from "../storage/database/drivers.ts";
import { HoldOwner, releaseAbandonedHolds } from "./abandoned-holds.ts";
import { type Credits, openCredits } from "./credits.ts";
import { createTeam, getTeam, type Team } from "./teams.ts";

interface Process {
  readonly database: Database;
  readonly coordinator: Coordinator;
  readonly owner: HoldOwner;
  readonly credits: Credits;
}

let folder: string;
let processes: Process[];
let team: Team;

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "holds-"));
  processes = [];
  const { database, credits } = await openProcess();
  const { id } = await createTeam(database, { name: "team" });
  await credits.topUp(id, 100);
  team = await getTeam(database, id);
});

afterEach(async () => {
  for (const { coordinator, database } of processes) {
    await coordinator.close().catch(() => undefined);
    await database.close();
  }
  await rm(folder, { recursive: true, force: true });
});

async function openProcess(): Promise<Process> {
  const database = await openDatabase(`sqlite:${folder}/test.db`);
  await database.migrate();
  const coordinator = openDatabaseCoordinator({ database, onError: () => undefined });
  const owner = new HoldOwner(coordinator);
  const opened = { database, coordinator, owner, credits: openCredits({ database, owner }) };
  processes.push(opened);
  return opened;
}

/** Credits of work under way, written down. */
async function secured({ credits }: Process, amount: number) {
  const held = await credits.hold({ id: uuidV7(), startedAtMs: Date.now(), payer: { team }, amount });
  await held.secure();
  return held;
}

async function amounts(): Promise<readonly number[]> {
  const rows = await (processes[0] as Process).database
    .prepared<{ amount: number }>("SELECT amount FROM ledger_holds ORDER BY amount")
    .all();
  return rows.map(({ amount }) => amount);
}

/** Whose lease has ended, as that of a crashed process does after its time. */
async function letLeaseEnd(process: Process): Promise<void> {
  const name = await process.owner.name();
  await process.database.prepared("UPDATE leases SET held_until = 0 WHERE name = ?").run(name);
}

test("a process that starts leaves the holds of those that run alone", async () => {
  const [running] = processes as [Process];
  await secured(running, 3);
  const started = await openProcess();
  expect(await releaseAbandonedHolds(started)).toBe(0);
  await secured(started, 4);
  expect(await releaseAbandonedHolds(running)).toBe(0);
  expect(await amounts()).toEqual([3, 4]);
});

test("the holds of a process that died are released once its lease is over, by whoever looks", async () => {
  const [running] = processes as [Process];
  const died = await openProcess();
  await secured(running, 3);
  await secured(died, 4);
  await secured(died, 5);
  await died.database.close();
  expect(await releaseAbandonedHolds(running)).toBe(0);
  await running.database
    .prepared("UPDATE leases SET held_until = 0 WHERE name <> ?")
    .run(await running.owner.name());
  expect(await releaseAbandonedHolds(running)).toBe(2);
  expect(await amounts()).toEqual([3]);
  expect(await running.database.prepared("SELECT name FROM leases").all()).toHaveLength(1);
});

test("a process that ends leaves no lease, so that its holds are known to be nobody's at once", async () => {
  const [running] = processes as [Process];
  const ending = await openProcess();
  await secured(ending, 4);
  await ending.owner.close();
  expect(await releaseAbandonedHolds(running)).toBe(1);
});

test("holds from before there were owners are released", async () => {
  const [{ database, coordinator, owner }] = processes as [Process];
  await database
    .prepared("INSERT INTO ledger_holds (id, team_id, amount, created_at) VALUES (?, ?, ?, ?)")
    .run("old", team.id, 5, 1);
  expect(await releaseAbandonedHolds({ database, coordinator, owner })).toBe(1);
  expect(await amounts()).toEqual([]);
});

test("a process that was taken for dead holds under a new name, and charges as ever", async () => {
  const [stopped] = processes as [Process];
  const other = await openProcess();
  const held = await secured(stopped, 3);
  const before = await stopped.owner.name();
  await letLeaseEnd(stopped);
  expect(await releaseAbandonedHolds(other)).toBe(1);
  await held.charge(2);
  expect((await stopped.credits.balance(team)).remaining).toBe(98);
  await expect.poll(() => stopped.owner.name()).not.toBe(before);
  await secured(stopped, 6);
  expect(await releaseAbandonedHolds(other)).toBe(0);
});

async function identityOf(pid: number): Promise<string> {
  const [boot, space] = ((await processIdentity()) ?? "").split("/");
  const stat = await readFile(`/proc/${pid}/stat`, "utf8");
  return [boot, space, pid, stat.slice(stat.lastIndexOf(")") + 2).split(" ")[19]].join("/");
}

test.runIf(process.platform === "linux")(
  "a process that lives keeps its holds when the database was locked until its lease was over",
  async () => {
    const [looking] = processes as [Process];
    await secured(looking, 3);
    await letLeaseEnd(looking);
    expect(await releaseAbandonedHolds(looking)).toBe(0);
    const beside = `holds ${await identityOf(process.ppid)}#1`;
    const insert = "INSERT INTO ledger_holds (id, team_id, amount, created_at, owner) VALUES (?, ?, ?, ?, ?)";
    await looking.database.prepared(insert).run("beside", team.id, 5, 1, beside);
    expect(await releaseAbandonedHolds(looking)).toBe(0);
    await looking.database
      .prepared("UPDATE ledger_holds SET owner = ? WHERE id = 'beside'")
      .run(beside.replace("#", "0#"));
    expect(await releaseAbandonedHolds(looking)).toBe(1);
    expect(await amounts()).toEqual([3]);
  },
);

test("who holds nothing takes no lease", async () => {
  const [{ database, owner }] = processes as [Process];
  await owner.close();
  expect(await database.prepared("SELECT * FROM leases").all()).toEqual([]);
});

test("a lease that cannot be taken keeps the work from beginning, and is tried again", async () => {
  const [{ database, credits }] = processes as [Process];
  await database.prepared("ALTER TABLE leases RENAME TO elsewhere").run();
  const work = { id: uuidV7(), startedAtMs: Date.now(), payer: { team }, amount: 5 };
  const held = await credits.hold(work);
  await expect(held.secure()).rejects.toMatchObject({ code: "billing_unavailable" });
  await held.release();
  await database.prepared("ALTER TABLE elsewhere RENAME TO leases").run();
  await secured(processes[0] as Process, 5);
  expect(await amounts()).toEqual([5]);
});
