import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout } from "node:timers/promises";

import { ADMIN_KEY } from "../../../test/operator.ts";
import { startSoakService } from "../../../test/service-process.ts";
import { build, builtProgram } from "../../../test/built.ts";
import type { Figure } from "../report.ts";

export const VIEWERS = 5;
const SPAN_MS = 20_000;
const ROUNDS = 3;
const LIMIT_PERCENT = 1;
const LIMIT_MEGABYTES = 10;
/** Linux counts CPU time in hundredths of a second. */
const TICK_MS = 10;

/** What five open dashboards cost a service that has nothing else to do. */
export async function benchViewers(): Promise<readonly Figure[]> {
  await build();
  const dataDir = await mkdtemp(join(tmpdir(), "bench-viewers-"));
  const service = await startSoakService({ command: builtProgram, dataDir, settings: { ADMIN_KEY } });
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
    const percent = Math.max(0, Math.min(...rounds.map((round) => round.percent)));
    const megabytes = Math.max(0, Math.min(...rounds.map((round) => round.megabytes)));
    return [
      figure(`CPU of ${VIEWERS} open dashboards`, percent, { unit: "% of a core", limit: LIMIT_PERCENT }),
      figure(`memory of ${VIEWERS} open dashboards`, megabytes, { unit: "MB", limit: LIMIT_MEGABYTES }),
    ];
  } finally {
    await service.kill();
    await rm(dataDir, { recursive: true, force: true });
  }
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

/** Streams as open pages have them. */
export async function openViewers(url: string): Promise<{ close(): void }> {
  const leaving = new AbortController();
  const streams = await Promise.all(
    Array.from({ length: VIEWERS }, () =>
      fetch(`${url}/admin/api/events`, {
        headers: { authorization: `Bearer ${ADMIN_KEY}` },
        signal: leaving.signal,
      }),
    ),
  );
  for (const { body } of streams) drain(body).catch(() => undefined);
  return { close: () => leaving.abort() };
}

async function drain(body: ReadableStream<Uint8Array> | null): Promise<void> {
  for await (const _chunk of body ?? []);
}
