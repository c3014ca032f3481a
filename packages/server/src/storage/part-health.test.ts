import { afterEach, beforeEach, expect, test } from "vitest";

import type { Database } from "./database/database.ts";
import { openDatabase } from "./database/drivers.ts";
import { PartHealth } from "./part-health.ts";

const HOUR_MS = 3_600_000;

let database: Database;
let nowMs: number;
let processes: PartHealth[];

beforeEach(async () => {
  nowMs = Date.UTC(2026, 10, 15, 12);
  processes = [];
  database = await openDatabase("sqlite::memory:");
  await database.migrate();
});

afterEach(async () => {
  for (const one of processes) await one.close();
  await database.close();
});

function openProcess(over: Database = database): PartHealth {
  const opened = new PartHealth({ database: over, clock: () => nowMs, onError: () => undefined });
  processes.push(opened);
  return opened;
}

const model = { part: "Language model", target: "small" };
const broken = { ...model, problem: "It took too long." };

test("uses of all processes are added up: last success, last failure, failures in a row and in the hour", async () => {
  const [one, other] = [openProcess(), openProcess()];
  one.note(model);
  one.note(broken);
  await one.flush();
  nowMs += 1000;
  other.note(broken);
  other.note({ part: "Browser" });
  const states = await other.read();
  expect(states).toEqual([
    expect.objectContaining({ part: "Browser", target: "", failuresInRow: 0, lastFailureMs: null }),
    {
      ...model,
      lastSuccessMs: nowMs - 1000,
      lastFailureMs: nowMs,
      problem: "It took too long.",
      failuresInRow: 2,
      hourMs: Date.UTC(2026, 10, 15, 12),
      successes: 1,
      failures: 2,
    },
  ]);
  nowMs += HOUR_MS;
  other.note(model);
  const [, later] = await other.read();
  expect(later).toMatchObject({ failuresInRow: 0, successes: 1, failures: 0, lastSuccessMs: nowMs });
  expect(one.own()).toHaveLength(1);
});

test("what cannot be written is written later", async () => {
  let isFull = true;
  const full: Database = {
    ...database,
    prepared: (sql) => database.prepared(sql),
    transaction: (work) => (isFull ? Promise.reject(new Error("full")) : database.transaction(work)),
  };
  const one = openProcess(full);
  one.note(broken);
  await expect(one.flush()).rejects.toThrow("full");
  isFull = false;
  expect(await one.read()).toMatchObject([{ failuresInRow: 1 }]);
});

test("names without end take no memory without end", async () => {
  const one = openProcess();
  for (let index = 0; index < 10_000; index += 1) one.note({ part: "Proxies", target: `host-${index}` });
  one.note({ part: "Proxies", target: "x".repeat(100_000), problem: "y".repeat(100_000) });
  expect(one.own().length).toBeLessThanOrEqual(500);
  expect(JSON.stringify(await one.read()).length).toBeLessThan(200_000);
});
