import { beforeAll, describe, expect, test } from "vitest";

import { restartInTurn } from "./ends/rolling-restart.ts";
import { findPostgres } from "../packages/server/src/storage/database/postgres-server.suite.ts";
import { build, builtProgram } from "./built.ts";

const programs = findPostgres();

describe.runIf(programs)("nodes behind a balancer", () => {
  beforeAll(build);

  test("are restarted in turn under load without a failed request", async () => {
    const report = await restartInTurn({
      programs: programs ?? "",
      command: builtProgram,
      nodes: 2,
      rounds: 1,
      clients: 4,
    });
    expect(report.problems).toEqual([]);
    expect(report.restarts).toBe(2);
    expect(report.answered).toBeGreaterThan(20);
    expect(report.closes.get(1012) ?? 0).toBeGreaterThan(0);
  });
});
