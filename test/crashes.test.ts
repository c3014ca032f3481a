import { execFile } from "node:child_process";
import { promisify } from "node:util";

import { beforeAll, expect, test } from "vitest";

import { crashAgainAndAgain } from "../soak/crashes.ts";

/** `npm run soak` has a hundred. */
const CRASHES = 4;

beforeAll(async () => {
  const build = `import("./bin/build.mjs").then(({ buildWhenChanged }) => buildWhenChanged())`;
  await promisify(execFile)(process.execPath, ["--input-type=module", "-e", build]);
}, 120_000);

test("killed under load, the service has charged what it answered, once, and nothing is damaged", async () => {
  const report = await crashAgainAndAgain({
    crashes: CRASHES,
    command: ["dist/main.js"],
    mostLoadMs: 500,
  });
  expect(report.problems).toEqual([]);
  expect(report.answered).toBeGreaterThan(CRASHES);
}, 120_000);
