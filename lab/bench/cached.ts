import { startFixture } from "./fixture.ts";
import { runLoad } from "./load.ts";
import { articlePage } from "./page.ts";
import { type ServerProcess, startBenchServer, startService } from "./processes.ts";
import type { Figure } from "./report.ts";

const PAGE_BYTES = 100_000;
const WARM_UP = 3000;
const REQUESTS = 15_000;
const CONNECTIONS = 16;
/** Runs alternate between the two servers, so that noise of the machine meets both. */
const ROUNDS = 3;
/** Processor time against a server that only sends the bytes. */
const MAX_COST = 2.2;

/** A cached scrape of a 100 KB page against a bare server of the same framework answering the same bytes. */
export async function benchCached(): Promise<readonly Figure[]> {
  const fixture = await startFixture({ "/page": articlePage(PAGE_BYTES) });
  const service = await startService();
  const body = JSON.stringify({ url: `${fixture.url}/page` });
  const answer = await cachedAnswer(service.url, body);
  const bare = await startBenchServer("bare-server.ts", {
    ANSWER_BASE64: Buffer.from(answer).toString("base64"),
  });
  try {
    const rounds: (readonly [Measured, Measured])[] = [];
    for (const server of [service, bare]) await measure(server, body, WARM_UP);
    for (let round = 0; round < ROUNDS; round += 1) {
      rounds.push([await measure(service, body, REQUESTS), await measure(bare, body, REQUESTS)]);
    }
    return figuresOf(rounds, answer.length);
  } finally {
    await Promise.all([service.stop(), bare.stop(), fixture.stop()]);
  }
}

interface Measured {
  readonly requestsPerSecond: number;
  readonly cpuMicroseconds: number;
}

async function measure(server: ServerProcess, body: string, requests: number): Promise<Measured> {
  const cpuBefore = server.cpuMs();
  const { requestsPerSecond } = await runLoad({
    url: `${server.url}/v2/scrape`,
    body,
    connections: CONNECTIONS,
    requests,
  });
  return { requestsPerSecond, cpuMicroseconds: ((server.cpuMs() - cpuBefore) * 1000) / requests };
}

async function cachedAnswer(url: string, body: string): Promise<string> {
  let text = "";
  for (let attempt = 0; attempt < 2; attempt += 1) {
    const response = await fetch(`${url}/v2/scrape`, { method: "POST", body });
    text = await response.text();
  }
  if (!text.includes('"cacheState":"hit"')) throw new Error(`Not a cached answer: ${text.slice(0, 200)}`);
  return text;
}

function figuresOf(
  rounds: readonly (readonly [Measured, Measured])[],
  answerBytes: number,
): readonly Figure[] {
  const median = (ratios: readonly number[]) =>
    [...ratios].sort((a, b) => a - b)[Math.floor(ratios.length / 2)] ?? 0;
  const rate = median(rounds.map(([ours, floor]) => ours.requestsPerSecond / floor.requestsPerSecond));
  const cost = median(rounds.map(([ours, floor]) => ours.cpuMicroseconds / floor.cpuMicroseconds));
  const [ours, floor] = rounds.at(-1) ?? [];
  return [
    {
      name: "cached scrape of a 100 KB page, CPU against a bare server of the same framework",
      value: `${cost.toFixed(1)} × (${ours?.cpuMicroseconds.toFixed(0)} against ${floor?.cpuMicroseconds.toFixed(0)} µs, ${answerBytes} bytes)`,
      limit: `≤ ${MAX_COST} ×`,
      isMet: cost <= MAX_COST,
    },
    {
      name: "the same, requests/s",
      value: `${(rate * 100).toFixed(0)} % (${ours?.requestsPerSecond.toFixed(0)} of ${floor?.requestsPerSecond.toFixed(0)})`,
      limit: "printed beside",
      isMet: true,
    },
  ];
}
