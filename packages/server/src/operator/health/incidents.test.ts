import { PartAway } from "@pergamon-dev/kit/process/own-failure";
import { expect, test } from "vitest";

import type { PartState } from "../../storage/part-health.ts";
import { checks } from "./checks.ts";
import { Incidents } from "./incidents.ts";
import { askedParts } from "./readiness.ts";

const NOW_MS = Date.UTC(2026, 0, 2, 12);
const MINUTE_MS = 60_000;

const failedModel: PartState = {
  part: "Language model",
  target: "small",
  lastSuccessMs: NOW_MS - 9 * MINUTE_MS,
  lastFailureMs: NOW_MS - MINUTE_MS,
  problem: "connection refused",
  failuresInRow: 4,
  hourMs: NOW_MS,
  successes: 1,
  failures: 4,
};

/** A service in which everything works until a test says otherwise. */
function openIncidents() {
  const wrong: { database?: Error; records?: Error; uses: readonly PartState[]; freeSpace?: string } = {
    uses: [],
  };
  const works = async (failure: Error | undefined) => {
    if (failure) throw failure;
  };
  let nowMs = NOW_MS;
  const incidents = new Incidents({
    asked: askedParts({
      database: { ping: () => works(wrong.database) },
      blobs: { ping: () => works(undefined) },
      jobs: { lacking: undefined },
      pressure: { wasBlocked: () => false },
      records: { flush: () => works(wrong.records) },
    }),
    used: async () => wrong.uses,
    looked: async () => [
      wrong.freeSpace === undefined
        ? { name: "Disk space", status: "found", detail: "9.0 GiB free" }
        : { name: "Disk space", status: "problem", detail: wrong.freeSpace, cost: "cost", remedy: "remedy" },
    ],
    clock: () => nowMs,
  });
  return { wrong, incidents, pass: (ms: number) => (nowMs += ms) };
}

test("an incident says what is wrong, since when, whom it hits and what to do, in the words of the health table, and goes when it is over", async () => {
  const { wrong, incidents, pass } = openIncidents();
  expect(await incidents.read()).toEqual([]);
  wrong.database = new PartAway("database", new Error("ECONNREFUSED /var/run/secret"));
  wrong.records = new PartAway("disk", undefined);
  wrong.uses = [failedModel];
  wrong.freeSpace = "0.0 GiB free";
  pass(MINUTE_MS);
  const found = await incidents.read();
  expect(found.map(({ part }) => part)).toEqual(["database", "history", "Disk space", "Language model"]);
  const rowOf = (name: string) => checks.find((check) => check.name === name);
  expect(found[0]).toEqual({
    part: "database",
    problem: "The database does not answer.",
    since: new Date(NOW_MS + MINUTE_MS).toISOString(),
    cost: rowOf("database")?.cost,
    remedy: rowOf("database")?.remedy,
  });
  expect(found[1]?.problem).toBe("The disk is full, or cannot be written to.");
  expect(found[3]).toMatchObject({
    problem: expect.stringContaining("small failed 2 min ago (connection refused)"),
    since: new Date(NOW_MS - MINUTE_MS).toISOString(),
    remedy: rowOf("Language model")?.remedy,
  });
  pass(MINUTE_MS);
  expect((await incidents.read())[0]?.since).toBe(new Date(NOW_MS + MINUTE_MS).toISOString());
  Object.assign(wrong, { database: undefined, records: undefined, uses: [], freeSpace: undefined });
  pass(MINUTE_MS);
  expect(await incidents.read()).toEqual([]);
});
