import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";

import { buildOfCommit } from "../../bench/pages/commit-build.ts";
import { auditLedger } from "../../../packages/server/src/accounts/ledger-audit.ts";
import type { Arena } from "../nodes/arena.ts";
import { Cluster } from "../nodes/cluster.ts";
import { loads } from "../nodes/loads.ts";
import { openLoadSite } from "../nodes/load-site.ts";
import type { ScaleOptions, ScaleReport } from "./parts.ts";

const SETTINGS = { HOST_CONCURRENCY: "50", TEAM_QUEUE: "1000", LOG_LEVEL: "warn" };
/** Pages of each stage: the older version alone, both, the newer one alone. */
const PAGES_OF_A_STAGE = 200;
const STAGE_LIMIT_MS = 240_000;
const LOOK_EVERY_MS = 250;

interface Tally {
  readonly rounds: Map<string, number>;
  readonly problems: string[];
}

/** A node of this version joins one of an older version under load, migrates their database, and remains alone. */
export async function upgradeNodes({ command, against }: ScaleOptions): Promise<ScaleReport> {
  if (against === undefined) return { figures: "not run: --against names an older commit", problems: [] };
  const older = [join(buildOfCommit(against), "dist/main.js")];
  const cluster = await Cluster.start({ command: older, nodes: 1, settings: SETTINGS, isEmpty: true });
  const site = await openLoadSite();
  const arena = { cluster, site };
  const tally: Tally = { rounds: new Map(), problems: [] };
  const progress = { isOver: false };
  try {
    const before = await versionOf(cluster);
    const loading = Promise.all(
      Object.keys(loads).map(async (name) => {
        while (!progress.isOver) await runRound(name, arena, tally);
      }),
    );
    const stages = (async () => {
      await stage("the older version", arena, tally);
      await cluster.add(command);
      const after = await versionOf(cluster);
      await stage("both versions", arena, tally);
      await cluster.leave(0);
      await stage("the newer version", arena, tally);
      return after;
    })();
    await Promise.race([loading, stages]);
    const after = await stages;
    progress.isOver = true;
    await loading;
    const made = [...tally.rounds].map(([name, count]) => `${count} rounds of ${name}`).join(", ");
    const figures = `from ${against} with database version ${before} to version ${after} under load: ${made}, ${site.answered()} pages`;
    return { figures, problems: tally.problems };
  } finally {
    progress.isOver = true;
    await cluster.stop();
    await site.close();
  }
}

async function runRound(name: string, arena: Arena, tally: Tally): Promise<void> {
  const round = await loads[name]?.(arena);
  tally.rounds.set(name, (tally.rounds.get(name) ?? 0) + 1);
  tally.problems.push(...(round?.problems ?? []).map((problem) => `${name}: ${problem}`));
}

/** Lasts until so many pages were read; then the books are looked at. */
async function stage(name: string, { cluster, site }: Arena, { problems }: Tally): Promise<void> {
  const untilPages = site.answered() + PAGES_OF_A_STAGE;
  const giveUpAtMs = performance.now() + STAGE_LIMIT_MS;
  while (site.answered() < untilPages && performance.now() < giveUpAtMs) await sleep(LOOK_EVERY_MS);
  if (site.answered() < untilPages)
    problems.push(`${name}: ${PAGES_OF_A_STAGE} pages were not read in time.`);
  const audit = await auditLedger(cluster.database);
  problems.push(...audit.problems.map((problem) => `${name}: ${problem}`));
}

async function versionOf({ database }: Cluster): Promise<number> {
  const row = await database
    .prepared<{ version: number }>("SELECT max(version) AS version FROM schema_versions")
    .get();
  return row?.version ?? 0;
}
