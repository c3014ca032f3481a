import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout } from "node:timers/promises";

import { ADMIN_KEY } from "../../../test/operator.ts";
import { htmlPage, openSite } from "../../../test/site.ts";
import { startSoakService } from "../../../test/service-process.ts";
import { build, builtProgram } from "../../../test/built.ts";
import type { Figure } from "../report.ts";

export const VIEWERS = 5;
const SPAN_MS = 20_000;
const ROUNDS = 3;
const LIMIT_PERCENT = 1;
const LIMIT_MEGABYTES = 10;
/** Answered from the cache: what a dashboard costs is the largest part of these. */
const REQUESTS = 3000;
const AT_ONCE = 8;
const LIMIT_REQUEST_PERCENT = 3;
/** So often the overview asks who uses the service. */
const LOOK_MS = 3000;
/** Linux counts CPU time in hundredths of a second. */
const TICK_MS = 10;

/** What five open dashboards cost a service that has nothing else to do. */
export async function benchViewers(): Promise<readonly Figure[]> {
  await build();
  const dataDir = await mkdtemp(join(tmpdir(), "bench-viewers-"));
  const service = await startSoakService({ command: builtProgram, dataDir, settings: { ADMIN_KEY, AUTH: "open" } });
  try {
    await setTimeout(3000);
    const rounds: { readonly percent: number; readonly megabytes: number }[] = [];
    for (let round = 0; round < ROUNDS; round += 1) {
      const idle = await cost(service.pid);
      const viewers = await openViewers(service.url);
      await setTimeout(1000);
      const watched = await cost(service.pid);
      viewers.close();
      await setTimeout(1000);
      const percent = (100 * (watched.cpuMs - idle.cpuMs)) / SPAN_MS;
      rounds.push({ percent, megabytes: (watched.rssBytes - idle.rssBytes) / 1e6 });
    }
    const dearer = await requestsBeside(service);
    const percent = Math.max(0, Math.min(...rounds.map((round) => round.percent)));
    const megabytes = Math.max(0, Math.min(...rounds.map((round) => round.megabytes)));
    return [
      figure(`CPU of ${VIEWERS} open dashboards`, percent, { unit: "% of a core", limit: LIMIT_PERCENT }),
      figure(`memory of ${VIEWERS} open dashboards`, megabytes, { unit: "MB", limit: LIMIT_MEGABYTES }),
      figure(`cached requests beside ${VIEWERS} open dashboards`, dearer, {
        unit: "% more CPU each",
        limit: LIMIT_REQUEST_PERCENT,
      }),
    ];
  } finally {
    await service.kill();
    await rm(dataDir, { recursive: true, force: true });
  }
}

/** @returns percent of processor time that a request takes more while dashboards are open, of the cheapest rounds. */
async function requestsBeside({ pid, url }: Service): Promise<number> {
  const site = await openSite();
  const page = site.page("/", htmlPage("<main><h1>Page</h1><p>Words of this page.</p></main>"));
  try {
    await scrapeOften(url, page);
    const [alone, beside]: [number[], number[]] = [[], []];
    for (let round = 0; round < ROUNDS; round += 1) {
      alone.push(await spentOn(pid, () => scrapeOften(url, page)));
      // What is asked by the clock counts above: a busy machine makes requests rarer, and not the clock slower.
      const viewers = await openViewers(url, false);
      beside.push(await spentOn(pid, () => scrapeOften(url, page)));
      viewers.close();
    }
    return Math.max(0, 100 * (Math.min(...beside) / Math.min(...alone) - 1));
  } finally {
    await site.close();
  }
}

type Service = Pick<Awaited<ReturnType<typeof startSoakService>>, "pid" | "url">;

async function spentOn(pid: number, work: () => Promise<unknown>): Promise<number> {
  const before = await cpuMsOf(pid);
  await work();
  return (await cpuMsOf(pid)) - before;
}

async function scrapeOften(url: string, page: string): Promise<void> {
  const body = JSON.stringify({ url: page, formats: ["markdown"] });
  const headers = { "content-type": "application/json" };
  const caller = async () => {
    for (let at = 0; at < REQUESTS / AT_ONCE; at += 1) {
      const answer = await fetch(`${url}/v2/scrape`, { method: "POST", headers, body });
      if (!answer.ok) throw new Error(`A scrape was answered ${answer.status}: ${await answer.text()}`);
      await answer.arrayBuffer();
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, caller));
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
