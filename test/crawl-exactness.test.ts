import { beforeAll, expect, test } from "vitest";

import { killCrawls } from "./ends/crawls.ts";
import { build, builtProgram } from "./built.ts";
import { crawl } from "./crawls.ts";
import { openTrapSite, type TrapSite } from "./trap-site.ts";
import { openWorld, type World } from "./world.ts";

let world: World;
let site: TrapSite;

beforeAll(async () => {
  await build();
  world = await openWorld({ HOST_CONCURRENCY: "50", TEAM_CONCURRENCY: "64" });
  site = await openTrapSite({ pages: 120 });
}, 120_000);

test.each([1, 50])(
  "a site full of traps is visited exactly, %i pages at once",
  async (maxConcurrency) => {
    const { paths, status, blocked } = await crawl(world, { url: site.url, maxConcurrency });
    // Sessions have a new spelling each time.
    const known = paths.map((path) => path.replace(/^\/state\/cart.*/, "/state/cart"));
    expect(known).toEqual([...site.expected, "/state/cart"].toSorted());
    expect(blocked).toEqual(["/private/found", "/private/plans"]);
    expect(status.creditsUsed).toBe(paths.length);
    for (const path of site.forbidden) expect(site.hits(path)).toBe(0);
  },
  120_000,
);

test("F-53 crawls survive kills: no page is lost, none is there or charged twice", async () => {
  const report = await killCrawls({ kills: 3, command: builtProgram, pages: 300, workMs: 1000 });
  expect(report.problems).toEqual([]);
  expect(report.documents).toBeGreaterThan(300);
}, 180_000);
