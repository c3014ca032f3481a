import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";

import { startFixture } from "../fixture.ts";
import { runLoad } from "../load.ts";
import { articlePage } from "../page.ts";
import { buildOfCommit } from "../pages/commit-build.ts";
import { processTree } from "../../../test/process-tree.ts";
import { type ServerProcess, startService } from "../processes.ts";
import type { Figure } from "../report.ts";
import type { ScaleOptions } from "./parts.ts";

const ROUNDS = 3;
const SETTLE_MS = 3000;
const WARM_UP = 300;
const REQUESTS = 600;
/** What a cluster needs may cost one process nothing; more than this is not noise. */
const MAX_GROWTH = 1.02;
const ROOT = join(import.meta.dirname, "../../..");

/** What one process by itself costs. */
interface Costs {
  readonly startMs: number;
  readonly megabytes: number;
  readonly cachedMs: number;
  readonly staticMs: number;
}

/** One process with its own database and folder, against the build of another commit. @throws when that cannot be built. */
export async function benchOneProcess({ against }: ScaleOptions): Promise<readonly Figure[]> {
  if (against === undefined) return [];
  const roots = [ROOT, buildOfCommit(against)] as const;
  const fixture = await startFixture({ "/page": articlePage(100_000) });
  try {
    const rounds: (readonly [Costs, Costs])[] = [];
    for (let round = 0; round < ROUNDS; round += 1)
      rounds.push([await costsOf(roots[0], fixture.url), await costsOf(roots[1], fixture.url)]);
    return [
      growthFigure("until it listens, CPU", "ms", pairsOf(rounds, "startMs")),
      growthFigure("idle memory (PSS)", "MB", pairsOf(rounds, "megabytes")),
      growthFigure("cached scrape, CPU", "ms", pairsOf(rounds, "cachedMs")),
      growthFigure("static scrape, CPU", "ms", pairsOf(rounds, "staticMs")),
    ];
  } finally {
    await fixture.stop();
  }
}

async function costsOf(root: string, origin: string): Promise<Costs> {
  const service = await startService({}, [join(root, "bin/run.mjs"), "start"]);
  try {
    const tree = processTree(service.pid);
    const startMs = tree.cpuMs();
    await sleep(SETTLE_MS);
    const megabytes = tree.proportionalMegabytes();
    const url = `${origin}/page`;
    const cachedMs = await perRequest(service, { url });
    const staticMs = await perRequest(service, { url, maxAge: 0 });
    return { startMs, megabytes, cachedMs, staticMs };
  } finally {
    await service.stop();
  }
}

async function perRequest(service: ServerProcess, request: object): Promise<number> {
  const load = { url: `${service.url}/v2/scrape`, body: JSON.stringify(request), connections: 4 };
  await runLoad({ ...load, requests: WARM_UP });
  const tree = processTree(service.pid);
  const before = tree.cpuMs();
  await runLoad({ ...load, requests: REQUESTS });
  return (tree.cpuMs() - before) / REQUESTS;
}

function pairsOf(rounds: readonly (readonly [Costs, Costs])[], what: keyof Costs) {
  return rounds.map(([now, before]) => [now[what], before[what]] as const);
}

function growthFigure(what: string, unit: string, pairs: readonly (readonly [number, number])[]): Figure {
  // The least of each: other work of the machine only adds to it.
  const [now, before] = [0, 1].map((index) => Math.min(...pairs.map((pair) => pair[index] ?? 0)));
  const growth = (now ?? 0) / (before ?? 1);
  return {
    name: `one process, ${what}, against the other commit`,
    value: `${growth.toFixed(3)} × (${now?.toFixed(2)} against ${before?.toFixed(2)} ${unit})`,
    limit: `<= ${MAX_GROWTH} ×`,
    isMet: growth <= MAX_GROWTH,
  };
}
