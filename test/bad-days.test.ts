import { beforeAll, expect, test } from "vitest";

import { liveThroughBadDays } from "./ends/bad-days.ts";
import { build, builtProgram } from "./built.ts";

beforeAll(build, 120_000);

const AWAY_MS = 2000;
const PAGES = 8;

/** The long form takes away more, and for longer: `npm run soak -- bad-days`. */
test.each(["blobs", "disk", "files", "names"])(
  "without its %s for a while a service loses no page of a crawl, a batch and a monitor, and charges each once",
  async (name) => {
    const report = await liveThroughBadDays({
      command: builtProgram,
      awayMs: AWAY_MS,
      pages: PAGES,
      only: [name],
    });
    expect(report.problems).toEqual([]);
    expect(report.days).toEqual([expect.stringContaining(`${3 * PAGES} pages`)]);
  },
  90_000,
);
