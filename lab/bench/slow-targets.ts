import { setTimeout as sleep } from "node:timers/promises";

import { startFixture } from "./fixture.ts";
import { percentile, runLoad } from "./load.ts";
import { articlePage } from "./page.ts";
import { startService } from "./processes.ts";
import type { Figure } from "./report.ts";

const SLOW_TARGETS = 200;
const CACHED_REQUESTS = 300;

/** Cached requests while 200 scrapes wait for targets that take five seconds. */
export async function benchSlowTargets(): Promise<readonly Figure[]> {
  const fixture = await startFixture({ "/page": articlePage(100_000) });
  const service = await startService();
  const url = `${service.url}/v2/scrape`;
  const body = JSON.stringify({ url: `${fixture.url}/page` });
  try {
    await runLoad({ url, body, connections: 1, requests: 50 });
    const slow = Array.from({ length: SLOW_TARGETS }, (_, index) =>
      fetch(url, { method: "POST", body: JSON.stringify({ url: `${fixture.url}/slow/${index}` }) }),
    );
    await sleep(500);
    const { latenciesMs } = await runLoad({ url, body, connections: 1, requests: CACHED_REQUESTS });
    const answers = await Promise.all(slow);
    const failed = answers.filter(({ status }) => status !== 200).length;
    if (failed > 0) throw new Error(`${failed} of ${SLOW_TARGETS} slow targets failed.`);
    const p95 = percentile(latenciesMs, 0.95);
    return [
      {
        name: "cached request beside 200 slow targets, p95",
        value: `${p95.toFixed(1)} ms`,
        limit: "≤ 50 ms",
        isMet: p95 <= 50,
      },
    ];
  } finally {
    await Promise.all([service.stop(), fixture.stop()]);
  }
}
