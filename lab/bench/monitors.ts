import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";

import { openApp } from "../../src/app/app.ts";
import { readConfig } from "../../src/config/config.ts";
import { openLog } from "../../src/kit/log/log.ts";
import { makeAllDue, MonitorClient } from "../../test/monitors.ts";
import { RunClient } from "../../test/runs.ts";
import { startFixture } from "./fixture.ts";
import { benchIdleMonitors } from "./idle-monitors.ts";
import { articlePage } from "./page.ts";
import type { Figure } from "./report.ts";

const MONITORS = 1000;
const AT_ONCE = 50;
const PAGE_BYTES = 3000;
const POLL_MS = 20;
const UNENDED = `SELECT count(*) AS "count" FROM monitor_checks WHERE status IN ('queued', 'running')`;

/** Monitors that are due at once: until all their checks are known, and the first page is visited. And idle ones. */
export async function benchMonitors(): Promise<readonly Figure[]> {
  const folder = await mkdtemp(join(tmpdir(), "bench-monitors-"));
  const fixture = await startFixture({ "/page": articlePage(PAGE_BYTES) });
  const config = readConfig({
    DATA_DIR: join(folder, "data"),
    PORT: "0",
    EGRESS_ALLOW: "127.0.0.1",
    LOG_LEVEL: "silent",
    RATE_LIMIT: "off",
  });
  const app = await openApp(config, await openLog(config.logging));
  try {
    const baseUrl = await app.server.listen({ host: "127.0.0.1", port: 0 });
    const monitors = new MonitorClient(new RunClient({ baseUrl }));
    const make = (index: number) =>
      monitors.create({ targets: [{ type: "scrape", urls: [`${fixture.url}/page?${index}`] }] });
    for (let made = 0; made < MONITORS; made += AT_ONCE)
      await Promise.all(Array.from({ length: AT_ONCE }, (_, index) => make(made + index)));
    // As in a service that has worked before: its code is loaded.
    await monitors.check(await make(MONITORS));
    const { database } = app.families.agent.places.lasting;
    const countOf = async (sql: string) =>
      (await database.prepared<{ count: number }>(sql).get())?.count ?? 0;
    const visitsBefore = fixture.requests();
    const startMs = performance.now();
    await makeAllDue({ app });
    const until = async (isThere: () => boolean | Promise<boolean>) => {
      while (!(await isThere())) await pause(POLL_MS);
      return performance.now() - startMs;
    };
    const [knownMs, begunMs, visitedMs] = await Promise.all([
      until(async () => (await countOf('SELECT count(*) AS "count" FROM monitor_checks')) >= MONITORS + 2),
      until(() => fixture.requests() > visitsBefore),
      until(async () => (await countOf('SELECT count(*) AS "count" FROM monitor_pages')) >= 2),
    ]);
    await until(async () => (await countOf(UNENDED)) === 0);
    return [
      figure("checks of 1,000 monitors due at once are queued", knownMs),
      figure("the first page of them is asked for", begunMs),
      { ...figure("the first page of them is stored", visitedMs), limit: "", isMet: true },
      ...(await benchIdleMonitors(app)),
    ];
  } finally {
    await app.close();
    await fixture.stop();
    await rm(folder, { recursive: true, force: true });
  }
}

function figure(name: string, ms: number): Figure {
  return { name, value: `${(ms / 1000).toFixed(2)} s`, limit: "<= 2 s", isMet: ms <= 2000 };
}
