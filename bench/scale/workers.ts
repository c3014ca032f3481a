import { startFixture } from "../fixture.ts";
import { articlePage } from "../page.ts";
import { processTree } from "../process-tree.ts";
import { type ServerProcess, startService } from "../processes.ts";
import type { Figure } from "../report.ts";

const PAGE_BYTES = 100_000;
const PROCESSES = 4;
const CONNECTIONS = 16;
/**
 * Of each process: V8 optimises code for thousands of pages, in each process by itself, so that processes are compared that
 * have as many pages behind them.
 */
const WARM_UP = 600;
const REQUESTS = 200;
const ROUNDS = 3;
const MAX_COST = 1.1;

/** What a page costs in several processes that share a port and this machine, against one process. */
export async function benchWorkers(): Promise<readonly Figure[]> {
  const fixture = await startFixture({ "/page": articlePage(PAGE_BYTES) });
  const one = await startService({ HOST_CONCURRENCY: "50" });
  const several = await startService({ HOST_CONCURRENCY: "50", WORKERS: String(PROCESSES) });
  try {
    const url = `${fixture.url}/page`;
    await cost(one, url, WARM_UP);
    await cost(several, url, WARM_UP * PROCESSES);
    const pairs: (readonly [number, number])[] = [];
    for (let round = 0; round < ROUNDS; round += 1)
      pairs.push([await cost(several, url, REQUESTS * PROCESSES), await cost(one, url, REQUESTS)]);
    const [together = 0, alone = 1] = pairs.toSorted(([a, b], [c, d]) => a / b - c / d)[1] ?? [];
    return [
      {
        name: `a page in ${PROCESSES} processes of one machine, CPU against one process that has read as many pages as each of them`,
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
async function cost(service: ServerProcess, url: string, requests: number): Promise<number> {
  const tree = processTree(service.pid);
  const before = tree.cpuMs();
  let begun = 0;
  const client = async () => {
    while (begun < requests) {
      begun += 1;
      // An address of its own each time: a process makes scrapes of the same page at the same time once.
      const body = JSON.stringify({ url: `${url}?${begun}`, maxAge: 0 });
      const response = await fetch(`${service.url}/v2/scrape`, { method: "POST", body });
      if (!response.ok) throw new Error((await response.text()).slice(0, 200));
      await response.arrayBuffer();
    }
  };
  await Promise.all(Array.from({ length: CONNECTIONS }, client));
  return (tree.cpuMs() - before) / requests;
}
