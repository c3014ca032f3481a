import { setTimeout as pause } from "node:timers/promises";

import { call, done, startAgentModel } from "../../test/agent-model.ts";
import { AgentClient } from "../../test/agents.ts";
import { RunClient } from "../../test/runs.ts";
import { startFixture } from "./fixture.ts";
import { articlePage } from "./page.ts";
import { type ServerProcess, startService } from "./processes.ts";
import type { Figure } from "./report.ts";

/** Of a run, besides the answer. */
const STEPS = 39;
const RUNS = 10;
const WARM_UP = 5;
const PAGE_BYTES = 30_000;
const POLL_MS = 250;

/** What agents add to the scrapes that they have done: processor time of the service, for each step. */
export async function benchAgents(): Promise<readonly Figure[]> {
  const model = await startAgentModel();
  const fixture = await startFixture({ "/page": articlePage(PAGE_BYTES) });
  const service = await startService(model.settings);
  try {
    const urls = Array.from({ length: STEPS }, (_, index) => `${fixture.url}/page?${index}`);
    model.play("measured", [...urls.map((url) => call("scrape", { url })), done("It is over.")]);
    const agents = new AgentClient({ baseUrl: service.url });
    const run = () => runOnce(agents);
    const scrapes = () => scrapeAll(service.url, urls);
    await cpuMsOf(service, WARM_UP, run);
    await cpuMsOf(service, WARM_UP, scrapes);
    const runMs = await cpuMsOf(service, RUNS, run);
    const scrapeMs = await cpuMsOf(service, RUNS, scrapes);
    const overheadMs = (runMs - scrapeMs) / (STEPS + 1);
    const { text } = await agents.ask(`GET /v2/agent/${await runOnce(agents)}/trace`);
    const traceKilobytes = Buffer.byteLength(text) / 1000;
    return [
      {
        name: "step of an agent, processor time besides its scrape",
        value: `${overheadMs.toFixed(1)} ms`,
        limit: "<= 5 ms",
        isMet: overheadMs <= 5,
      },
      {
        name: `trace of ${STEPS + 1} steps`,
        value: `${traceKilobytes.toFixed(0)} KB`,
        limit: "<= 100 KB",
        isMet: traceKilobytes <= 100,
      },
    ];
  } finally {
    await Promise.all([service.stop(), fixture.stop()]);
    model.close();
  }
}

/** Asked rarely, so that answers about it cost almost nothing. @returns its id. */
async function runOnce(agents: AgentClient): Promise<string> {
  const id = await agents.start({ prompt: "measured" });
  while ((await agents.ask(`GET /v2/agent/${id}`)).body.status === "processing") await pause(POLL_MS);
  return id;
}

/** The same pages, one after the other: as the pages of the run, from the cache and stored. */
async function scrapeAll(baseUrl: string, urls: readonly string[]): Promise<void> {
  const runs = new RunClient({ baseUrl });
  await runs.endedBatch(await runs.batch({ urls, maxConcurrency: 1 }));
}

/** @returns that of each time, in milliseconds. */
async function cpuMsOf(service: ServerProcess, times: number, work: () => Promise<unknown>): Promise<number> {
  const before = service.cpuMs();
  for (let time = 0; time < times; time += 1) await work();
  return (service.cpuMs() - before) / times;
}
