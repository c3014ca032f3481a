import { afterEach, beforeEach, describe, expect, test } from "vitest";

import { type ManualClock, othersHadTheirTurn } from "../storage/clock/manual-clock.suite.ts";
import type { Database } from "../storage/database/database.ts";
import type { MakePage } from "./counting-family.suite.ts";
import { dropFirst, readDocuments } from "./documents.ts";
import { readErrors } from "./errors.ts";
import { getJob, type Job, SERVICE_GROUP } from "./job-rows.ts";
import { type JobsProcess, JobsWorld } from "./service.suite.ts";

let world: JobsWorld;
let database: Database;
let clock: ManualClock;

beforeEach(async () => {
  world = await JobsWorld.open();
  ({ database, clock } = world);
});

afterEach(() => world.close());

async function openService(make?: MakePage, slots?: number): Promise<JobsProcess> {
  return world.openService({ make, ...(slots !== undefined && { slots }) });
}

async function runOf(id: string): Promise<Job> {
  const job = await getJob(database, id);
  if (!job) throw new Error(`There is no run ${id}.`);
  return job;
}

async function expectState(id: string, state: Job["state"]): Promise<void> {
  for (let turn = 0; turn < 5000 && (await runOf(id)).state !== state; turn += 1) await othersHadTheirTurn(1);
  expect(await runOf(id)).toMatchObject({ state });
}

async function scrapeIdsOf(id: string): Promise<readonly string[]> {
  const { rows } = await readDocuments(database, id, { skip: 0, limit: 1000 });
  return rows.map(({ scrapeId }) => scrapeId);
}

/** Pages that wait until they are let go, and how many there are at once. */
function heldPages() {
  const waiting: (() => void)[] = [];
  const make: MakePage = async (_page, _step, signal) => {
    await new Promise<void>((resolve, reject) => {
      waiting.push(resolve);
      signal.addEventListener("abort", () => reject(signal.reason as Error));
    });
    return "made";
  };
  return { waiting, make };
}

test("a job makes each of its pages once, in order, and is completed", async () => {
  const { dispatcher, start, family } = await openService();
  dispatcher.work();
  await start({ id: "run" }, 30);
  await expectState("run", "completed");
  expect(await runOf("run")).toMatchObject({
    total: 30,
    completed: 30,
    failed: 0,
    creditsUsed: 30,
    inFlight: 0,
    endedAtMs: clock.now(),
  });
  expect(family.begun).toEqual(Array.from({ length: 30 }, (_one, page) => `run ${page}`));
  expect(new Set(await scrapeIdsOf("run")).size).toBe(30);
});

test("pages that fail are errors, and the job is completed all the same", async () => {
  const { dispatcher, start } = await openService(async (page) => (Number(page) % 2 ? "failed" : "made"));
  dispatcher.work();
  await start({ id: "run" }, 4);
  await expectState("run", "completed");
  expect(await runOf("run")).toMatchObject({ total: 4, completed: 2, failed: 2, creditsUsed: 2 });
  expect(await readErrors(database, "run")).toMatchObject({
    errors: [
      { url: "https://shop.test/1", error: "It failed.", timestamp: new Date(clock.now()).toISOString() },
      { url: "https://shop.test/3", error: "It failed." },
    ],
    robotsBlocked: [],
  });
});

test("a page that throws is tried thrice, then given up", async () => {
  const { dispatcher, start, family } = await openService(async () => Promise.reject(new Error("broken")));
  dispatcher.work();
  await start({ id: "run" }, 1);
  await clock.advance(60_000);
  await expectState("run", "completed");
  expect(family.begun).toHaveLength(3);
  expect((await readErrors(database, "run")).errors).toMatchObject([
    { error: "An unexpected error occurred." },
  ]);
});

test("a job whose page has ended three processes, the last time alone, has failed and is not continued", async () => {
  const never = () => new Promise<never>(() => undefined);
  const first = await openService(never);
  await first.start({ id: "run", teamConcurrency: 1 }, 5);
  first.dispatcher.work();
  await othersHadTheirTurn(50);
  first.process.kill();
  for (let death = 1; death < 3; death += 1) {
    const next = await openService(never);
    next.dispatcher.work();
    await othersHadTheirTurn(50);
    next.process.kill();
  }
  const last = await openService();
  last.dispatcher.work();
  await expectState("run", "failed");
  expect((await runOf("run")).error).toMatch("The service ended unexpectedly each of the three times");
  expect(last.family.begun).toEqual([]);
});

test("pages of a block have attempts of their own", async () => {
  const tries = new Map<string, number>();
  const { dispatcher, start, family } = await openService(async (page) => {
    tries.set(page, (tries.get(page) ?? 0) + 1);
    if (page === "3" || (page === "4" && tries.get(page) === 1)) throw new Error("broken");
    return "made";
  });
  family.maxBlock = 8;
  dispatcher.work();
  await start({ id: "run", teamConcurrency: 1 }, 20);
  await clock.advance(60_000);
  await expectState("run", "completed");
  expect(await runOf("run")).toMatchObject({ total: 20, completed: 19, failed: 1, creditsUsed: 19 });
  const several = [...tries].filter(([, count]) => count > 1);
  expect(several).toEqual([
    ["3", 3],
    ["4", 2],
  ]);
});

test("a page of a block ends once, and those behind it are made", async () => {
  const { process, dispatcher, start, family } = await openService(async (page, task) => {
    if (page === "1") await process.database.transaction((tx) => task.end(tx));
    return "made";
  });
  family.maxBlock = 8;
  dispatcher.work();
  await start({ id: "run", teamConcurrency: 1 }, 20);
  await expectState("run", "completed");
  expect(family.begun).toHaveLength(20);
  expect(await scrapeIdsOf("run")).not.toContain("run 1");
  expect(await runOf("run")).toMatchObject({ completed: 19, creditsUsed: 19 });
});

test("what a process that dies leaves of a block goes on in another one, once", async () => {
  const first = await openService(async (page) => (page === "2" ? new Promise(() => undefined) : "made"));
  first.family.maxBlock = 8;
  first.dispatcher.work();
  await first.start({ id: "run", teamConcurrency: 1 }, 20);
  await othersHadTheirTurn(50);
  first.process.kill();
  const { dispatcher, family } = await openService();
  dispatcher.work();
  await expectState("run", "completed");
  expect(first.family.begun).toEqual(["run 0", "run 1", "run 2"]);
  expect(family.begun).toEqual(Array.from({ length: 18 }, (_one, page) => `run ${page + 2}`));
  expect(new Set(await scrapeIdsOf("run")).size).toBe(20);
});

test("a job without pages is completed at once", async () => {
  const { start } = await openService();
  await start({ id: "run" }, 0);
  expect(await runOf("run")).toMatchObject({ state: "completed", total: 0 });
});

test("a job that was not kept hands out nothing", async () => {
  const { process, dispatcher, family } = await openService();
  dispatcher.work();
  const failing = process.database.transaction(async (tx) => {
    await family.write(tx, "run", 3);
    const linkBase = "http://service.test";
    const given = { keyId: undefined, family: "batch", options: "{}", linkBase, teamConcurrency: 4 };
    await dispatcher.start(tx, { ...given, id: "run", teamId: "team", total: 3 });
    throw new Error("undone");
  });
  await expect(failing).rejects.toThrow("undone");
  await clock.advance(5000);
  expect(family.begun).toEqual([]);
});

test("the first documents go where a job may have no more", async () => {
  const { dispatcher, start, process } = await openService();
  dispatcher.work();
  await start({ id: "run" }, 5);
  await expectState("run", "completed");
  const { rows } = await readDocuments(database, "run", { skip: 0, limit: 10 });
  const keptBytes = rows.slice(2).reduce((sum, { sizeBytes }) => sum + sizeBytes, 0);
  const drop = () => process.database.transaction((tx) => dropFirst(tx, "run", keptBytes));
  expect([await drop(), await drop()]).toEqual([true, false]);
  const left = await readDocuments(database, "run", { skip: 0, limit: 10 });
  expect(left.rows.map(({ position }) => position)).toEqual([2, 3, 4]);
});

describe("how many at once", () => {
  test("a team has no more under way than it may, in all its jobs together", async () => {
    const { waiting, make } = heldPages();
    const { dispatcher, start } = await openService(make);
    dispatcher.work();
    await start({ id: "a", teamConcurrency: 3 }, 10);
    await start({ id: "b", teamConcurrency: 3 }, 10);
    await othersHadTheirTurn(100);
    expect(waiting).toHaveLength(3);
    waiting[0]?.();
    await othersHadTheirTurn(100);
    expect(waiting).toHaveLength(4);
  });

  test("tasks that wait for their host leave their places to other jobs of the team, also to one that had none", async () => {
    const { waiting, make } = heldPages();
    const group = { teamId: "team", workerGroup: SERVICE_GROUP };
    const { dispatcher, start, family } = await openService(async (page, task, signal) => {
      if (task.job.id !== "slow") return "made";
      await dispatcher.withoutSlot(group, make(page, task, signal));
      return "made";
    });
    await start({ id: "slow" }, 10);
    await start({ id: "quick" }, 20);
    dispatcher.work();
    await othersHadTheirTurn(100);
    expect(family.begun.filter((begun) => begun.startsWith("quick"))).toEqual([]);
    await clock.advance(100);
    await expectState("quick", "completed");
    expect(waiting).toHaveLength(4);
    for (const goOn of waiting) goOn();
    await othersHadTheirTurn(100);
    expect(await runOf("slow")).toMatchObject({ completed: 4, inFlight: 4 });
  });

  test("slow tasks of one job leave the others of the team their share of places", async () => {
    const { waiting, make } = heldPages();
    const { dispatcher, start } = await openService(async (page, task, signal) =>
      task.job.id === "slow" ? make(page, task, signal) : "made",
    );
    await start({ id: "slow" }, 50);
    dispatcher.work();
    await othersHadTheirTurn(100);
    await start({ id: "quick" }, 20);
    expect(await runOf("quick")).toMatchObject({ inFlight: 0 });
    for (const goOn of waiting.slice(0, 2)) goOn();
    await expectState("quick", "completed");
    expect(await runOf("slow")).toMatchObject({ completed: 2 });
  });

  test("a team whose tasks all wait for hosts has no more than four times its places", async () => {
    const { waiting, make } = heldPages();
    const { dispatcher, start } = await openService((page, task, signal) =>
      dispatcher.withoutSlot({ teamId: "team", workerGroup: SERVICE_GROUP }, make(page, task, signal)),
    );
    dispatcher.work();
    for (let run = 0; run < 8; run += 1) {
      await start({ id: `run ${run}` }, 50);
      await clock.advance(100);
    }
    expect(waiting).toHaveLength(16);
  });

  test("a job has no more than it asked for", async () => {
    const { waiting, make } = heldPages();
    const { dispatcher, start } = await openService(make);
    dispatcher.work();
    await start({ id: "a", maxConcurrency: 2 }, 10);
    await othersHadTheirTurn(100);
    expect(waiting).toHaveLength(2);
  });

  test("the queue holds few of a job's pages, however many there are", async () => {
    const { start } = await openService(heldPages().make);
    await start({ id: "a" }, 500);
    const row = await database.prepared<{ jobs: number }>("SELECT count(*) AS jobs FROM jobs").get();
    expect(row?.jobs).toBe(4);
  });

  test.each([1, 8])("the jobs of a team take turns page by page, also in blocks of %d", async (maxBlock) => {
    const { dispatcher, start, family } = await openService(undefined, 1);
    family.maxBlock = maxBlock;
    await start({ id: "a", teamConcurrency: 1 }, 50);
    await start({ id: "b", teamConcurrency: 1 }, 3);
    dispatcher.work();
    await expectState("b", "completed");
    expect(family.begun.slice(0, 6)).toEqual(["a 0", "b 0", "a 1", "b 1", "a 2", "b 2"]);
  });

  test("teams take turns, also where one has far more to do", async () => {
    const { dispatcher, start, family } = await openService(undefined, 2);
    for (const id of ["a1", "a2", "a3"]) await start({ id, teamId: "a" }, 100);
    await start({ id: "b", teamId: "b" }, 12);
    dispatcher.work();
    await expectState("b", "completed");
    const before = family.begun.indexOf("b 11");
    expect(before).toBeLessThan(12 * 2 + 8);
  });
});

describe("cancelling", () => {
  test("aborts what is under way, begins nothing more, and keeps what is there", async () => {
    const aborted: string[] = [];
    const { process, dispatcher, start, family } = await openService(async (page, _step, signal) => {
      if (Number(page) < 2) return "made";
      await new Promise((resolve) => signal.addEventListener("abort", resolve));
      aborted.push(page);
      return "made";
    });
    dispatcher.work();
    await start({ id: "run" }, 20);
    await othersHadTheirTurn(200);
    expect(family.begun).toHaveLength(6);
    await process.database.transaction((tx) => dispatcher.cancel(tx, "run"));
    await othersHadTheirTurn(200);
    expect(aborted).toHaveLength(4);
    expect(await runOf("run")).toMatchObject({ state: "cancelled", completed: 2, total: 20, inFlight: 0 });
    expect(await scrapeIdsOf("run")).toHaveLength(2);
    await clock.advance(60_000);
    expect(family.begun).toHaveLength(6);
  });

  test("changes nothing where the job has ended", async () => {
    const { process, dispatcher, start } = await openService();
    dispatcher.work();
    await start({ id: "run" }, 1);
    await expectState("run", "completed");
    await process.database.transaction((tx) => dispatcher.cancel(tx, "run"));
    expect(await runOf("run")).toMatchObject({ state: "completed" });
  });

  test("lets the next job of the team begin", async () => {
    const { make } = heldPages();
    const { process, dispatcher, start, family } = await openService(make);
    dispatcher.work();
    await start({ id: "a" }, 20);
    await start({ id: "b" }, 20);
    await othersHadTheirTurn(100);
    await process.database.transaction((tx) => dispatcher.cancel(tx, "a"));
    await othersHadTheirTurn(100);
    expect(family.begun.filter((page) => page.startsWith("b"))).toHaveLength(4);
  });
});

test("a job that fails says why, one that ends early is completed with what it has", async () => {
  const { process, dispatcher, start } = await openService(heldPages().make);
  dispatcher.work();
  await start({ id: "a" }, 5);
  await start({ id: "b" }, 5);
  await process.database.transaction(async (tx) => {
    await dispatcher.fail(tx, "a", "The engine gave up.");
    await dispatcher.warn(tx, "b", "Stopped.");
    await dispatcher.warn(tx, "b", "Stopped.");
    await dispatcher.complete(tx, "b");
  });
  expect(await runOf("a")).toMatchObject({ state: "failed", error: "The engine gave up.", total: 5 });
  expect(await runOf("b")).toMatchObject({ state: "completed", warnings: ["Stopped."], total: 0 });
});

describe("appending", () => {
  test("has a completed job go on with the same id, its new documents after the others", async () => {
    const { process, dispatcher, start, family } = await openService();
    dispatcher.work();
    await start({ id: "run" }, 3);
    await expectState("run", "completed");
    const isAppended = await process.database.transaction(async (tx) => {
      await family.write(tx, "run", 2, 3);
      return dispatcher.append(tx, "run", { pages: 2, maxConcurrency: 1 });
    });
    expect(isAppended).toBe(true);
    expect(await runOf("run")).toMatchObject({
      state: "scraping",
      total: 5,
      endedAtMs: undefined,
      maxInFlight: 1,
    });
    await expectState("run", "completed");
    expect(await scrapeIdsOf("run")).toEqual(["run 0", "run 1", "run 2", "run 3", "run 4"]);
  });

  test("is refused where the job was cancelled", async () => {
    const { process, dispatcher, start } = await openService(heldPages().make);
    await start({ id: "run" }, 3);
    const isAppended = await process.database.transaction(async (tx) => {
      await dispatcher.cancel(tx, "run");
      return dispatcher.append(tx, "run", { pages: 2 });
    });
    expect(isAppended).toBe(false);
    expect(await runOf("run")).toMatchObject({ state: "cancelled", total: 3 });
  });
});

test("pages that a page finds are made, too", async () => {
  const { process, dispatcher, start, family } = await openService(async (page) => {
    if (page !== "0") return "made";
    await process.database.transaction(async (tx) => {
      await family.write(tx, "run", 5, 1);
      await dispatcher.admit(tx, "run", 5);
    });
    return "made";
  });
  dispatcher.work();
  await start({ id: "run" }, 1);
  await expectState("run", "completed");
  expect(await runOf("run")).toMatchObject({ total: 6, completed: 6 });
});

test("killed between any two tasks, a job makes every page once", async () => {
  for (let steps = 0; ; steps += 3) {
    const id = `run ${steps}`;
    const first = await openService(async (page) => (page === "3" ? "failed" : "made"));
    await first.start({ id, teamConcurrency: 2 }, 6);
    first.process.killAfter(steps);
    first.dispatcher.work();
    await othersHadTheirTurn(300);
    const wasKilled = first.process.isKilled;
    first.process.kill();
    const second = await openService(async (page) => (page === "3" ? "failed" : "made"));
    second.dispatcher.work();
    await expectState(id, "completed");
    expect(await runOf(id)).toMatchObject({ total: 6, completed: 5, failed: 1, creditsUsed: 5 });
    expect([...(await scrapeIdsOf(id))].sort()).toEqual([0, 1, 2, 4, 5].map((page) => `${id} ${page}`));
    second.process.kill();
    if (!wasKilled) break;
  }
}, 120_000);
