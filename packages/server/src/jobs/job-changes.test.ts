import { afterEach, beforeEach, expect, test } from "vitest";

import { givenAddress } from "@pergamon-dev/kit/address";
import type { Statements } from "../storage/database/database.ts";
import { readDocuments } from "./documents.ts";
import type { Dispatcher } from "./dispatcher.ts";
import { getJob, takeBackTask } from "./job-rows.ts";
import { JobsWorld } from "./service.suite.ts";

let world: JobsWorld;
let dispatcher: Dispatcher;

beforeEach(async () => {
  world = await JobsWorld.open();
  const service = await world.openService();
  ({ dispatcher } = service);
  for (const id of ["a", "b"]) await service.start({ id }, 4);
});

afterEach(() => world.close());

/** Runs the work as one of several that share a transaction. */
async function inGroup(work: (tx: Statements, asked: string[]) => Promise<void>): Promise<readonly string[]> {
  const asked: string[] = [];
  await world.database.transaction(async (tx) => {
    const last: (() => Promise<void>)[] = [];
    const prepared: Statements["prepared"] = (sql) => {
      asked.push(sql);
      return tx.prepared(sql);
    };
    await work({ prepared, last: (write) => void last.push(write) }, asked);
    for (const write of last) await write();
  });
  return asked;
}

test("pages that share a transaction write the row of their job once, and its documents in their order", async () => {
  const asked = await inGroup(async (tx) => {
    for (const page of [0, 1, 2])
      for (const id of ["a", "b"]) {
        const job = await takeBackTask(tx, id);
        if (!job) throw new Error("The job has ended.");
        await dispatcher.addDocument(tx, job, { scrapeId: `${id}${page}`, sizeBytes: 10, creditsUsed: 2 });
        await dispatcher.admit(tx, id, 1);
        await dispatcher.dispatchNext(tx, job);
      }
    const job = await takeBackTask(tx, "a");
    await dispatcher.addFailure(tx, job ?? never(), {
      url: givenAddress("https://shop.test/"),
      message: "no",
    });
  });
  expect(asked.filter((sql) => sql.includes("document_bytes ="))).toHaveLength(2);
  for (const id of ["a", "b"]) {
    const { rows } = await readDocuments(world.database, id, { skip: 0, limit: 9 });
    expect(rows.map(({ position, scrapeId }) => `${position} ${scrapeId}`)).toEqual([
      `0 ${id}0`,
      `1 ${id}1`,
      `2 ${id}2`,
    ]);
    // Nothing is left of the first one.
    const totals = id === "a" ? { state: "completed", total: 4, failed: 1 } : { state: "scraping", total: 7 };
    expect(await getJob(world.database, id)).toMatchObject({ ...totals, completed: 3, creditsUsed: 6 });
  }
});

test("a job that is completed in the middle has what was added before", async () => {
  await inGroup(async (tx) => {
    const job = await takeBackTask(tx, "a");
    await dispatcher.addDocument(tx, job ?? never(), { scrapeId: "a0", sizeBytes: 10, creditsUsed: 2 });
    await dispatcher.complete(tx, "a");
    expect(await takeBackTask(tx, "a")).toBeUndefined();
  });
  expect(await getJob(world.database, "a")).toMatchObject({ state: "completed", total: 1, completed: 1 });
});

function never(): never {
  throw new Error("The job has ended.");
}
