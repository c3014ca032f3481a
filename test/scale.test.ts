import { beforeAll, describe, expect, test } from "vitest";

import { killNodes } from "./nodes/kills.ts";
import { findPostgres } from "../src/platform/database/postgres-server.suite.ts";
import { build, builtProgram } from "./built.ts";

/** `npm run soak -- scale` has 200. */
const KILLS = 5;
/** Longer than the leases of a process. */
const LONG_PAUSE_MS = 12_000;

describe.runIf(findPostgres())("four nodes over one Postgres", () => {
  beforeAll(build, 120_000);

  test("lose no charge, job or document while they are killed and paused, and their books add up at any moment", async () => {
    const report = await killNodes({ command: builtProgram, kills: KILLS, longPauseMs: LONG_PAUSE_MS });
    expect(report.problems).toEqual([]);
    expect(report.figures).toMatch(/[1-9]\d* kills and [1-9]\d* pauses/);
  }, 180_000);
});
