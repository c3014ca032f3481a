import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";

import { processTree } from "../../test/process-tree.ts";
import { startService } from "./processes.ts";
import type { Figure } from "./report.ts";

const STARTS = 5;
/** What a start leaves is collected after two looks of 5 s (packages/kit/src/loop/collect-when-idle.ts). */
const SETTLE_MS = 11_000;

/** From `npm start`'s program to listening, on a built checkout with a data folder, and the memory of an idle service. */
export async function benchStart(): Promise<readonly Figure[]> {
  const times: number[] = [];
  const costs: number[] = [];
  const sizes: number[] = [];
  const folder = await mkdtemp(join(tmpdir(), "pergamon-start-"));
  for (let index = 0; index <= STARTS; index += 1) {
    const startMs = performance.now();
    const service = await startService({ DATA_DIR: folder }, ["bin/run.mjs", "start"]);
    // The first one makes the data folder, and what V8 compiles is kept when it ends.
    if (index === 0) {
      await service.stop();
      continue;
    }
    times.push(performance.now() - startMs);
    const tree = processTree(service.pid);
    costs.push(tree.cpuMs());
    await sleep(SETTLE_MS);
    sizes.push(tree.ownMegabytes());
    await service.stop();
  }
  await rm(folder, { recursive: true, force: true });
  const seconds = median(times) / 1000;
  const megabytes = median(sizes);
  return [
    {
      name: "cold start until listening",
      value: `${seconds.toFixed(2)} s (${(median(costs) / 1000).toFixed(2)} s CPU)`,
      limit: "≤ 0.45 s",
      isMet: seconds <= 0.45,
    },
    {
      name: "idle memory (Pss_Anon)",
      value: `${megabytes.toFixed(0)} MB`,
      limit: "≤ 58 MB",
      isMet: megabytes <= 58,
    },
  ];
}

function median(values: readonly number[]): number {
  return [...values].sort((a, b) => a - b)[Math.floor(values.length / 2)] ?? Number.NaN;
}
