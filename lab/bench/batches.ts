import { RunClient } from "../../test/runs.ts";
import { htmlPage } from "../../test/site.ts";
import { openWorld, type World } from "../../test/world.ts";
import type { Figure } from "./report.ts";

const URLS = 100_000;
const DOCUMENTS = 100;
const READS = 10;

/** Batches in a whole service in this process, client and site included. */
export async function benchBatches(): Promise<readonly Figure[]> {
  const world = await openWorld({ HOST_CONCURRENCY: "50" });
  try {
    const url = world.site.page("/page", htmlPage("<main><h1>Page</h1><p>Some words.</p></main>"));
    return [await benchStart(world, url), await benchStatus(world, url)];
  } finally {
    await world.close();
  }
}

/** The answer to a large batch, of which one page at a time is made meanwhile. */
async function benchStart(world: World, url: string): Promise<Figure> {
  const runs = new RunClient(world);
  const urls = Array.from({ length: URLS }, (_, index) => `${url}?number=${index}&text=${"x".repeat(50)}`);
  const body = { urls, maxConcurrency: 1 };
  const before = process.cpuUsage();
  const id = await runs.batch(body);
  const spentMs = cpuMsSince(before);
  await runs.ask(`DELETE /v2/batch/scrape/${id}`);
  return {
    name: `batch of ${URLS.toLocaleString("en")} URLs accepted, processor time`,
    value: `${Math.round(spentMs)} ms`,
    limit: "<= 2,000 ms",
    isMet: spentMs <= 2000,
  };
}

async function benchStatus(world: World, url: string): Promise<Figure> {
  const runs = new RunClient(world);
  const urls = Array.from({ length: DOCUMENTS }, (_, index) => `${url}?status=${index}`);
  const id = await runs.batch({ urls });
  await runs.endedBatch(id);
  const times: number[] = [];
  for (let read = 0; read < READS; read += 1) {
    const before = process.cpuUsage();
    await (await fetch(`${world.baseUrl}/v2/batch/scrape/${id}`)).arrayBuffer();
    times.push(cpuMsSince(before));
  }
  const spentMs = Math.min(...times);
  return {
    name: `status with ${DOCUMENTS} small documents, processor time`,
    value: `${spentMs.toFixed(1)} ms`,
    limit: "<= 20 ms",
    isMet: spentMs <= 20,
  };
}

function cpuMsSince(before: NodeJS.CpuUsage): number {
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1000;
}
