import { startFixture } from "../fixture.ts";
import { runLoad } from "../load.ts";
import { articlePage } from "../page.ts";
import { processTree } from "../process-tree.ts";
import { type ServerProcess, startService } from "../processes.ts";
import type { Figure } from "../report.ts";

const PAGE_BYTES = 100_000;
const PROCESSES = 4;
const CONNECTIONS = 16;
/** Enough that each of the processes has compiled its code. */
const WARM_UP = 1200;
const REQUESTS = 400;
const ROUNDS = 3;
const MAX_COST = 1.1;

/** What a page costs in several processes that share a port and this machine, against one process. */
export async function benchWorkers(): Promise<readonly Figure[]> {
  const fixture = await startFixture({ "/page": articlePage(PAGE_BYTES) });
  const one = await startService({ HOST_CONCURRENCY: "50" });
  const several = await startService({ HOST_CONCURRENCY: "50", WORKERS: String(PROCESSES) });
  try {
    const body = JSON.stringify({ url: `${fixture.url}/page`, maxAge: 0 });
    for (const service of [one, several]) await cost(service, body, WARM_UP);
    const pairs: (readonly [number, number])[] = [];
    for (let round = 0; round < ROUNDS; round += 1)
      pairs.push([await cost(several, body, REQUESTS), await cost(one, body, REQUESTS)]);
    const [together = 0, alone = 1] = pairs.toSorted(([a, b], [c, d]) => a / b - c / d)[1] ?? [];
    return [
      {
        name: `a page in ${PROCESSES} processes of one machine, CPU against one process`,
        value: `${(together / alone).toFixed(2)} × (${together.toFixed(2)} against ${alone.toFixed(2)} ms)`,
        limit: `<= ${MAX_COST} ×`,
        isMet: together / alone <= MAX_COST,
      },
    ];
  } finally {
    await Promise.all([one.stop(), several.stop()]);
    await fixture.stop();
  }
}

/** Milliseconds of processor time per request, of all processes. */
async function cost(service: ServerProcess, body: string, requests: number): Promise<number> {
  const tree = processTree(service.pid);
  const before = tree.cpuMs();
  await runLoad({ url: `${service.url}/v2/scrape`, body, connections: CONNECTIONS, requests });
  return (tree.cpuMs() - before) / requests;
}
