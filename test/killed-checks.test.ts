import { beforeAll, expect, test } from "vitest";

import { killChecks } from "./ends/monitor-checks.ts";
import { build, builtProgram } from "./built.ts";

beforeAll(build, 120_000);

test("checks that are killed find every page, difference, charge and webhook once", async () => {
  const { checks, problems } = await killChecks({ kills: 3, command: builtProgram, seed: 3 });
  expect(problems).toEqual([]);
  expect(checks).toBeGreaterThan(1);
}, 300_000);
