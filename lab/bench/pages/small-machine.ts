import { mkdirSync, rmdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";

import { startService } from "../processes.ts";
import type { Figure } from "../report.ts";
import type { SamplePages } from "../sample.ts";
import { type Contender, wholeProcess } from "./contenders.ts";
import { totalOf } from "./figures.ts";
import { type Round, runRound } from "./rounds.ts";

const MEMORY_BYTES = 512 * 1024 * 1024;
/** 1,000 pages. */
const ROUNDS = 5;
const MAX_COST = 1.3;
/** Where version 1 or 2 of the kernel's control groups keeps a limit of memory. */
const LIMITS = [
  ["/sys/fs/cgroup/memory", "memory.limit_in_bytes"],
  ["/sys/fs/cgroup", "memory.max"],
] as const;

/** The same pages on one processor with 512 MB, beside a service that has the machine. */
export async function smallMachineFigures(pages: SamplePages, origin: string): Promise<readonly Figure[]> {
  const group = makeGroup();
  const name = `1,000 pages, four at a time, with ${MEMORY_BYTES / 1024 ** 2} MB and one processor`;
  if (group === undefined) return [{ name, value: "not tried: no control group can be made", limit: "-", isMet: true }];
  const contenders: Contender[] = [];
  try {
    const inside = { BENCH_GROUP: group, NODE_OPTIONS: `--import ${join(import.meta.dirname, "in-group.mjs")}` };
    for (const [title, settings] of [
      ["small", inside],
      ["whole", {}],
    ] as const) {
      const service = await startService(settings, ["bin/run.mjs", "start"]);
      contenders.push({ name: title, service, ...wholeProcess(service) });
    }
    const costs = [0, 0];
    let small: Round | undefined;
    for (let round = 0; round < ROUNDS; round += 1) {
      const results = await runRound(pages, origin, contenders);
      for (const [index, { times }] of results.entries()) costs[index] = (costs[index] ?? 0) + totalOf(times);
      [small] = results;
    }
    const ratio = (costs[0] ?? 0) / (costs[1] ?? 0);
    return [
      {
        name: `${name}: processor time beside the whole machine (none was killed; ${(small?.megabytes ?? 0).toFixed(0)} MB at the end)`,
        value: `× ${ratio.toFixed(2)}`,
        limit: `<= × ${MAX_COST}`,
        isMet: ratio <= MAX_COST,
      },
    ];
  } catch (failure) {
    return [{ name, value: String(failure), limit: "none killed", isMet: false }];
  } finally {
    await Promise.all(contenders.map(({ service }) => service.stop()));
    rmdirSync(group);
  }
}

/** @returns a control group; undefined where this user may not make one. */
function makeGroup(): string | undefined {
  for (const [parent, file] of LIMITS) {
    const group = join(parent, `pergamon-bench-${process.pid}`);
    try {
      mkdirSync(group);
    } catch {
      continue;
    }
    try {
      writeFileSync(join(group, file), String(MEMORY_BYTES));
      return group;
    } catch {
      rmdirSync(group);
    }
  }
  return undefined;
}
