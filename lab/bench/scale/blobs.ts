import { randomBytes } from "node:crypto";

import type { BlobStore } from "../../../src/platform/blobs/blob-store.ts";
import { openBlobs } from "../../../src/platform/blobs/drivers.ts";
import { findS3Server, startS3 } from "../../../src/platform/blobs/s3-server.suite.ts";
import { startBenchServer } from "../processes.ts";
import type { Figure } from "../report.ts";

const CAPTURE_BYTES = 30_000;
const WARM_UP = 300;
const ROUNDS = 5;
const CAPTURES = 300;
const MAX_CPU_MS = 1.5;

/** What a capture costs this process that is put into an S3 store and read again. */
export async function benchBlobs(): Promise<readonly Figure[]> {
  const kept = await startBenchServer("scale/blob-server.ts", {});
  const figures = [
    await benchStore("", kept.url.replace("http://", "s3://key:secret@") + "/bucket", MAX_CPU_MS),
  ];
  await kept.stop();
  const program = findS3Server();
  if (program === undefined) return figures;
  const server = await startS3(program);
  const name = " (moto_server, which closes the connection after each request)";
  return [...figures, await benchStore(name, await server.url()).finally(() => server.stop())];
}

async function benchStore(name: string, url: string, maxCpuMs?: number): Promise<Figure> {
  const store = await openBlobs(url);
  try {
    await putAndGet(store, WARM_UP);
    const costs: number[] = [];
    for (let round = 0; round < ROUNDS; round += 1) {
      const before = process.cpuUsage();
      await putAndGet(store, CAPTURES);
      const { user, system } = process.cpuUsage(before);
      costs.push((user + system) / 1000 / CAPTURES);
    }
    const cpuMs = costs.toSorted((one, other) => one - other)[Math.floor(ROUNDS / 2)] ?? 0;
    return {
      name: `S3: a capture of ${CAPTURE_BYTES / 1000} KB put and read, CPU${name}`,
      value: `${cpuMs.toFixed(2)} ms`,
      limit: maxCpuMs === undefined ? "-" : `<= ${maxCpuMs} ms`,
      isMet: maxCpuMs === undefined || cpuMs <= maxCpuMs,
    };
  } finally {
    await store.close();
  }
}

async function putAndGet(store: BlobStore, times: number): Promise<void> {
  const bytes = randomBytes(CAPTURE_BYTES);
  for (let time = 0; time < times; time += 1) {
    await store.put(`captures/${time}`, bytes);
    const read = await store.get(`captures/${time}`);
    if (read?.byteLength !== CAPTURE_BYTES) throw new Error("The store returned other bytes.");
  }
}
