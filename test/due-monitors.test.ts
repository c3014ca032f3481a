import { expect, test } from "vitest";

import { makeAllDue, MonitorClient } from "./monitors.ts";
import { KEYED, makeTeam } from "./operator.ts";
import { RunClient } from "./runs.ts";
import { htmlPage } from "./site.ts";
import { openWorld } from "./world.ts";

const MONITORS = 60;

test("of very many monitors that are due at once each is checked once, and those of a small team do not wait for all of a large one", async () => {
  const world = await openWorld({ ...KEYED, HOST_CONCURRENCY: "50" });
  try {
    const url = world.site.page("/page", htmlPage("<main><h1>Page</h1><p>It has a text.</p></main>"));
    const [large, small] = [await makeTeam(world), await makeTeam(world)];
    const of = ({ headers }: typeof large) => new MonitorClient(new RunClient(world, headers));
    const make = (monitors: MonitorClient, path: string) =>
      monitors.create({ targets: [{ type: "scrape", urls: [`${url}?${path}`] }] });
    await Promise.all(Array.from({ length: MONITORS }, (_, index) => make(of(large), String(index))));
    await make(of(small), "small");
    await makeAllDue(world);
    const { database } = world.app.families.jobs.stores.persistent;
    const states = () =>
      database
        .prepared<{ status: string; count: number }>(
          'SELECT status, count(*) AS "count" FROM monitor_checks GROUP BY status',
        )
        .all();
    await expect.poll(states, { timeout: 60_000 }).toEqual([{ status: "completed", count: MONITORS + 1 }]);
    const runs = await database
      .prepared<{ teamId: string }>('SELECT team_id AS "teamId" FROM job_runs ORDER BY created_at, id')
      .all();
    const place = runs.findIndex(({ teamId }) => teamId === small.teamId);
    expect(place).toBeGreaterThanOrEqual(0);
    expect(place).toBeLessThan(MONITORS / 2);
    const twice = await database
      .prepared("SELECT monitor_id FROM monitor_checks GROUP BY monitor_id HAVING count(*) <> 1")
      .all();
    expect(twice).toEqual([]);
  } finally {
    await world.close();
  }
});
