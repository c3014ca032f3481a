import { expect, test } from "vitest";

import type { NewQueuedTask } from "../../jobs/queue/task-queue.ts";
import { openDatabase } from "../../storage/database/drivers.ts";
import { PARTS, type PartState } from "../../storage/part-health.ts";
import { Alerts } from "./alerts.ts";
import { runDoctor } from "./check.ts";
import { checks } from "./checks.ts";
import { Incidents } from "./incidents.ts";
import { withLastUse } from "./last-use.ts";
import { askedParts, readinessOf } from "./readiness.ts";

const NAMES = checks.map(({ name }) => name);
const nowMs = Date.now();
const isAway = () => Promise.reject(new Error("away"));

/** A service in which everything that can be asked, and all that was used, fails. */
const asked = askedParts({
  database: { ping: isAway },
  blobs: { ping: isAway },
  jobs: { lacking: "disk" },
  pressure: { wasBlocked: () => true },
  records: { flush: isAway },
}).map((part) => ({ ...part, ask: isAway }));
const uses = Object.values(PARTS).map((part): PartState => {
  const failed = { successes: 0, failures: 3, failuresInRow: 3, lastSuccessMs: null, lastFailureMs: nowMs };
  return { part, target: "", problem: "away", hourMs: nowMs, ...failed };
});
const FAILED = [...asked.map(({ name }) => name), ...Object.values<string>(PARTS)].toSorted();

/** Where an operator reads of parts → the names of those that fail. */
const PLACES: Readonly<Record<string, () => Promise<readonly string[]>>> = {
  async "/readyz"() {
    const parts = await readinessOf(asked, uses, { warn: () => undefined });
    return parts.filter(({ ok }) => !ok).map(({ name }) => name);
  },
  async "the incident strip"() {
    const incidents = new Incidents({ asked, used: async () => uses, looked: async () => [] });
    return (await incidents.read()).map(({ part }) => part);
  },
  async "messages of alerts"() {
    const database = await openDatabase("sqlite::memory:");
    await database.migrate();
    const sent: NewQueuedTask[] = [];
    const queue = {
      add: async (_tx: unknown, tasks: readonly NewQueuedTask[]) => void sent.push(...tasks),
      work: () => ({ stop: async () => undefined }) as never,
    };
    const alerts = new Alerts({
      database,
      queue,
      clock: () => nowMs,
      channels: new Map([["mail", async () => undefined]]),
      asked,
      used: async () => uses,
      onLost: () => undefined,
    });
    await alerts.look();
    await database.close();
    return sent.flatMap(({ payload }) => JSON.parse(payload).data.map(({ part }: PartState) => part));
  },
  async "the doctor and the set-up"() {
    const rows = checks.map(({ name }) => ({ name, check: isAway }));
    const results = withLastUse(await runDoctor({} as never, rows), uses, nowMs);
    return results.map(({ name }) => name).filter((name) => FAILED.includes(name));
  },
};

test.each(Object.entries(PLACES))("%s calls parts by their names in the one table", async (_place, read) => {
  expect((await read()).toSorted()).toEqual(FAILED);
});

test("each name stands once in the table", () => {
  expect(new Set(NAMES).size).toBe(NAMES.length);
  expect(FAILED.filter((name) => !NAMES.includes(name))).toEqual([]);
});
