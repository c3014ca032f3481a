import { startFixture } from "../fixture.ts";
import { articlePage } from "../page.ts";
import { processTree } from "../../../test/process-tree.ts";
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

/**
 * What a page costs in several processes that share a port, a database and this machine, against one process, and against
 * as many that share only the machine: what these cost more than one is the price of its caches.
 */
export async function benchWorkers(): Promise<readonly Figure[]> {
  const fixture = await startFixture({ "/page": articlePage(PAGE_BYTES) });
  const settings = { HOST_CONCURRENCY: "50" };
  const one = [await startService(settings)];
  const several = [await startService({ ...settings, WORKERS: String(PROCESSES) })];
  const apart = await Promise.all(Array.from({ length: PROCESSES }, () => startService(settings)));
  try {
    const url = `${fixture.url}/page`;
    await cost(one, url, WARM_UP);
    for (const services of [several, apart]) await cost(services, url, WARM_UP * PROCESSES);
    const rounds: (readonly [number, number, number])[] = [];
    for (let round = 0; round < ROUNDS; round += 1)
      rounds.push([
        await cost(several, url, REQUESTS * PROCESSES),
        await cost(one, url, REQUESTS),
        await cost(apart, url, REQUESTS * PROCESSES),
      ]);
    const alone = middle(rounds, ([together, single]) => [together, single]);
    const unshared = middle(rounds, ([together, , separate]) => [together, separate]);
    return [
      {
        name: `a page in ${PROCESSES} processes of one machine, CPU against one process that has read as many pages as each of them`,
        value: alone.text,
        limit: `<= ${MAX_COST} ×`,
        isMet: alone.ratio <= MAX_COST,
      },
      {
        name: `a page in ${PROCESSES} processes of one machine, CPU against as many that share nothing but the machine`,
        value: unshared.text,
        limit: "-",
        isMet: true,
      },
    ];
  } finally {
    await Promise.all([...one, ...several, ...apart].map((service) => service.stop()));
    await fixture.stop();
  }
}

/** The round whose ratio is the middle one. */
function middle<Round>(rounds: readonly Round[], pairOf: (round: Round) => readonly [number, number]) {
  const pairs = rounds.map(pairOf).toSorted(([a, b], [c, d]) => a / b - c / d);
  const [these = 0, those = 1] = pairs[Math.floor(pairs.length / 2)] ?? [];
  const ratio = these / those;
  return { ratio, text: `${ratio.toFixed(2)} × (${these.toFixed(2)} against ${those.toFixed(2)} ms)` };
}

/** Milliseconds of processor time per request, of all processes of these services. */
async function cost(services: readonly ServerProcess[], url: string, requests: number): Promise<number> {
  const trees = services.map(({ pid }) => processTree(pid));
  const cpuMs = () => trees.reduce((sum, tree) => sum + tree.cpuMs(), 0);
  const before = cpuMs();
  let begun = 0;
  const client = async (index: number) => {
    const service = services[index % services.length];
    while (begun < requests) {
      begun += 1;
      // An address of its own each time: a process makes scrapes of the same page at the same time once.
      const body = JSON.stringify({ url: `${url}?${begun}`, maxAge: 0 });
      const response = await fetch(`${service?.url}/v2/scrape`, { method: "POST", body });
      if (!response.ok) throw new Error((await response.text()).slice(0, 200));
      await response.arrayBuffer();
    }
  };
  await Promise.all(Array.from({ length: CONNECTIONS }, (_, index) => client(index)));
  return (cpuMs() - before) / requests;
}
