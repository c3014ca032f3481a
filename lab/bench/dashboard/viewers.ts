import { mkdtemp, readdir, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout } from "node:timers/promises";

import { ADMIN_KEY } from "../../../test/operator.ts";
import { htmlPage, openSite } from "../../../test/site.ts";
import { startSoakService } from "../../../test/service-process.ts";
import { build, builtProgram } from "../../../test/built.ts";
import { runLoad } from "../load.ts";
import type { Figure } from "../report.ts";

export const VIEWERS = 5;
const SPAN_MS = 8000;
const ROUNDS = 2;
const LIMIT_PERCENT = 1;
const LIMIT_MEGABYTES = 10;
/** Answered from the cache: what a dashboard costs is the largest part of these. */
const REQUESTS = 5000;
const AT_ONCE = 8;
const [MIN_TURNS, MAX_TURNS, TURNS_MS] = [4, 12, 60_000];
const LIMIT_REQUEST_PERCENT = 3;
/** So often the overview asks who uses the service. */
const LOOK_MS = 3000;
/** Linux counts CPU time in hundredths of a second. */
const TICK_MS = 10;

/** What five open dashboards cost a service that has nothing else to do, and what they cost requests. */
export async function benchViewers(): Promise<readonly Figure[]> {
  await build();
  const dataDir = await mkdtemp(join(tmpdir(), "bench-viewers-"));
  const service = await startSoakService({ command: builtProgram, dataDir, settings: { ADMIN_KEY, AUTH: "open" } });
  try {
    await setTimeout(3000);
    const dearer = await requestsBeside(service);
    return [...(await idleBeside(service)), dearer];
  } finally {
    await service.kill();
    await rm(dataDir, { recursive: true, force: true });
  }
}

async function idleBeside({ pid, url }: Service): Promise<readonly Figure[]> {
  const rounds: { readonly percent: number; readonly megabytes: number }[] = [];
  for (let round = 0; round < ROUNDS; round += 1) {
    const idle = await cost(pid);
    const viewers = await openViewers(url);
    await setTimeout(1000);
    const watched = await cost(pid);
    viewers.close();
    await setTimeout(1000);
    const percent = (100 * (watched.cpuMs - idle.cpuMs)) / SPAN_MS;
    rounds.push({ percent, megabytes: (watched.rssBytes - idle.rssBytes) / 1e6 });
    progress(`idle, round ${round + 1} of ${ROUNDS}: ${percent.toFixed(2)} % of a core`);
  }
  const percent = Math.max(0, Math.min(...rounds.map((round) => round.percent)));
  const megabytes = Math.max(0, Math.min(...rounds.map((round) => round.megabytes)));
  return [
    figure(`CPU of ${VIEWERS} open dashboards`, percent, { unit: "% of a core", limit: LIMIT_PERCENT }),
    figure(`memory of ${VIEWERS} open dashboards`, megabytes, { unit: "MB", limit: LIMIT_MEGABYTES }),
  ];
}

/**
 * Percent of processor time that a request takes more while dashboards are open. Rounds take turns, so that what else
 * the machine does meets all alike; of each kind the cheaper half counts. Half of the rounds without dashboards against
 * the other half tell how far such figures of the same work differ.
 */
async function requestsBeside({ pid, url }: Service): Promise<Figure> {
  const site = await openSite();
  const page = site.page("/", htmlPage("<main><h1>Page</h1><p>Words of this page.</p></main>"));
  const load = { url: `${url}/v2/scrape`, body: JSON.stringify({ url: page, formats: ["markdown"] }), connections: AT_ONCE };
  const spend = () => spentOn(pid, () => runLoad({ ...load, requests: REQUESTS }));
  const [first, beside, second]: [number[], number[], number[]] = [[], [], []];
  try {
    for (let warming = 0; warming < 3; warming += 1) await spend();
    const endsAtMs = Date.now() + TURNS_MS;
    while (first.length < MIN_TURNS || (first.length < MAX_TURNS && Date.now() < endsAtMs)) {
      first.push(await spend());
      // What is asked by the clock counts above: a busy machine makes requests rarer, and not the clock slower.
      const viewers = await openViewers(url, false);
      beside.push(await spend());
      viewers.close();
      second.push(await spend());
      progress(`requests, turn ${first.length}: ${[first, beside, second].map((kind) => kind.at(-1)?.toFixed(0)).join(", ")} ms of CPU`);
    }
  } finally {
    await site.close();
  }
  const percent = Math.max(0, 100 * (cheaperOf(beside) / cheaperOf([...first, ...second]) - 1));
  const same = Math.abs(100 * (cheaperOf(first) / cheaperOf(second) - 1));
  return figure(`cached requests beside ${VIEWERS} open dashboards (the same work differs by ${same.toFixed(1)} %)`, percent, {
    unit: "% more CPU each",
    limit: LIMIT_REQUEST_PERCENT,
  });
}

/** The mean of the cheaper half. */
function cheaperOf(costs: readonly number[]): number {
  const half = costs.toSorted((a, b) => a - b).slice(0, Math.ceil(costs.length / 2));
  return half.reduce((sum, value) => sum + value, 0) / half.length;
}

function progress(line: string): void {
  process.stderr.write(`${line}\n`);
}

type Service = Pick<Awaited<ReturnType<typeof startSoakService>>, "pid" | "url">;

async function spentOn(pid: number, work: () => Promise<unknown>): Promise<number> {
  const before = await ranMsOf(pid);
  await work();
  return (await ranMsOf(pid)) - before;
}

/** How long the threads of a process ran, which the scheduler of Linux counts in nanoseconds. */
async function ranMsOf(pid: number): Promise<number> {
  const threads = await readdir(`/proc/${pid}/task`);
  // A thread may end meanwhile.
  const read = (thread: string) => readFile(`/proc/${pid}/task/${thread}/schedstat`, "utf8").catch(() => "0");
  const ran = await Promise.all(threads.map(read));
  return ran.reduce((sum, text) => sum + Number(text.split(" ")[0]) / 1e6, 0);
}

function figure(
  name: string,
  value: number,
  { unit, limit }: { readonly unit: string; readonly limit: number },
): Figure {
  return { name, value: `${value.toFixed(2)} ${unit}`, limit: `${limit} ${unit}`, isMet: value <= limit };
}

/** CPU time of a process within the span, and its memory at the end. */
async function cost(pid: number): Promise<{ readonly cpuMs: number; readonly rssBytes: number }> {
  const before = await cpuMsOf(pid);
  await setTimeout(SPAN_MS);
  const cpuMs = (await cpuMsOf(pid)) - before;
  const status = await readFile(`/proc/${pid}/status`, "utf8");
  return { cpuMs, rssBytes: Number(/VmRSS:\s+(\d+) kB/.exec(status)?.[1] ?? 0) * 1024 };
}

/** CPU time that a process has used so far. */
export async function cpuMsOf(pid: number): Promise<number> {
  const fields = (await readFile(`/proc/${pid}/stat`, "utf8")).split(") ")[1]?.split(" ") ?? [];
  return TICK_MS * (Number(fields[11]) + Number(fields[12]));
}

/** Streams as open pages have them; `looks` also at who uses the service, again and again, as the overview does. */
async function openViewers(url: string, looks = true): Promise<{ close(): void }> {
  const leaving = new AbortController();
  const headers = { authorization: `Bearer ${ADMIN_KEY}` };
  const streams = await Promise.all(
    Array.from({ length: VIEWERS }, () =>
      fetch(`${url}/admin/api/events`, {
        headers,
        signal: leaving.signal,
      }),
    ),
  );
  for (const { body } of streams) drain(body).catch(() => undefined);
  const look = (path: string) =>
    Array.from({ length: VIEWERS }, () =>
      fetch(`${url}/admin/api/${path}`, { headers, signal: leaving.signal })
        .then((answer) => answer.arrayBuffer())
        .catch(() => undefined),
    );
  if (looks) await Promise.all(["overview?days=30", "incidents", "running"].flatMap(look));
  const looking = looks ? setInterval(() => look("running"), LOOK_MS) : undefined;
  return {
    close() {
      clearInterval(looking);
      leaving.abort();
    },
  };
}

async function drain(body: ReadableStream<Uint8Array> | null): Promise<void> {
  for await (const _chunk of body ?? []);
}
