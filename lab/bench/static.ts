import { startFixture } from "./fixture.ts";
import { runLoad } from "./load.ts";
import { type ServerProcess, startService } from "./processes.ts";
import type { Figure } from "./report.ts";

const TINY_PAGE = "<!doctype html><title>Tiny</title><h1>Tiny</h1><p>A page with next to nothing.</p>";
const WARM_UP = 300;
const REQUESTS = 1500;
const ROUNDS = 3;
const MAX_MS = 1.5;

/** What the smallest scrape costs by itself, in processor time. */
export async function tinyPageFigure(): Promise<Figure> {
  const fixture = await startFixture({ "/tiny": TINY_PAGE });
  const service = await startService();
  try {
    const scrapes = (requests: number) => scrapeAgain(service, `${fixture.url}/tiny`, requests);
    await scrapes(WARM_UP);
    const rounds: number[] = [];
    for (let round = 0; round < ROUNDS; round += 1) rounds.push(await scrapes(REQUESTS));
    const milliseconds = Math.min(...rounds);
    return {
      name: "static scrape of a tiny page, CPU",
      value: `${milliseconds.toFixed(2)} ms`,
      limit: `≤ ${MAX_MS} ms`,
      isMet: milliseconds <= MAX_MS,
    };
  } finally {
    await Promise.all([service.stop(), fixture.stop()]);
  }
}

/** Milliseconds of processor time per request. */
async function scrapeAgain(service: ServerProcess, url: string, requests: number): Promise<number> {
  const before = service.cpuMs();
  const body = JSON.stringify({ url, maxAge: 0 });
  await runLoad({ url: `${service.url}/v2/scrape`, body, connections: 1, requests });
  return (service.cpuMs() - before) / requests;
}
