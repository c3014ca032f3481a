import { afterEach, beforeEach, expect, test, vi } from "vitest";

import type { Database } from "../storage/database/database.ts";
import { openDatabase } from "../storage/database/drivers.ts";
import { insertJob } from "./job-rows.ts";
import { JobPolling, JobWatch } from "./job-watch.ts";

let database: Database;
let looks = 0;

beforeEach(async () => {
  vi.useFakeTimers({ toFake: ["setInterval", "clearInterval"] });
  database = await openDatabase("sqlite::memory:");
  await database.migrate();
  looks = 0;
});

afterEach(async () => {
  vi.useRealTimers();
  await database.close();
});

function openLooks(): JobPolling {
  const counting = new Proxy(database, {
    get(target, name) {
      if (name === "prepared") looks += 1;
      const value: unknown = Reflect.get(target, name);
      return typeof value === "function" ? value.bind(target) : value;
    },
  });
  const onError = (failure: unknown) => expect(failure).toBeUndefined();
  return new JobPolling({ database: counting, watch: new JobWatch(), onError });
}

async function second(): Promise<void> {
  await vi.advanceTimersByTimeAsync(1000);
  for (let turn = 0; turn < 5; turn += 1) await new Promise(setImmediate);
}

const run = {
  id: "run",
  teamId: "team",
  family: "batch",
  options: "",
  linkBase: "",
  total: 3,
  keyId: undefined,
  teamConcurrency: undefined,
} as const;

test("a job that other processes work on is looked at once for all who watch it", async () => {
  await database.transaction((tx) => insertJob(tx, run, 0));
  const watching = openLooks();
  const listeners = Array.from({ length: 100 }, () => vi.fn<() => void>());
  const ends = listeners.map((listener) => watching.watch("run", listener));
  await second();
  await second();
  expect(looks).toBe(2);
  // The first look tells nothing new, and may tell of what was missed.
  for (const listener of listeners) expect(listener).toHaveBeenCalledTimes(1);
  await database.prepared("UPDATE job_runs SET completed = 1 WHERE id = ?").run("run");
  await second();
  for (const listener of listeners) expect(listener).toHaveBeenCalledTimes(2);
  await database.prepared("DELETE FROM job_runs WHERE id = ?").run("run");
  await second();
  for (const listener of listeners) expect(listener).toHaveBeenCalledTimes(3);
  for (const end of ends) end();
  await second();
  expect(looks).toBe(4);
});
