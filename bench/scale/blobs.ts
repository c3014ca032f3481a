import { randomBytes } from "node:crypto";

import type { BlobStore } from "../../src/platform/blobs/blob-store.ts";
import { openBlobs } from "../../src/platform/blobs/drivers.ts";
import { findS3Server, startS3 } from "../../src/platform/blobs/s3-server.suite.ts";
import type { Figure } from "../report.ts";

const CAPTURE_BYTES = 30_000;
const WARM_UP = 100;
const CAPTURES = 300;
const MAX_CPU_MS = 1.5;

/** What a capture costs this process that is put into an S3 store and read again. */
export async function benchBlobs(): Promise<readonly Figure[]> {
  const program = findS3Server();
  if (program === undefined) return [];
  const server = await startS3(program);
  const store = await openBlobs(await server.url());
  try {
    await putAndGet(store, WARM_UP);
    const before = process.cpuUsage();
    await putAndGet(store, CAPTURES);
    const { user, system } = process.cpuUsage(before);
    const cpuMs = (user + system) / 1000 / CAPTURES;
    return [
      {
        name: `S3: a capture of ${CAPTURE_BYTES / 1000} KB put and read, CPU`,
        value: `${cpuMs.toFixed(2)} ms`,
        limit: `<= ${MAX_CPU_MS} ms`,
        isMet: cpuMs <= MAX_CPU_MS,
      },
    ];
  } finally {
    await store.close();
    await server.stop();
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
