import { setTimeout as sleep } from "node:timers/promises";

import { auditLedger } from "../../../src/accounts/ledger-audit.ts";
import { makeTeam, type SoakTeam } from "../../../test/service-process.ts";
import { type Arena, LOOK_EVERY_MS, PLENTY } from "../../../test/nodes/arena.ts";
import { askOnce, newTeam } from "../../../test/nodes/client.ts";
import { Cluster } from "../../../test/nodes/cluster.ts";
import { openLoadSite } from "../../../test/nodes/load-site.ts";
import type { ScaleOptions, ScaleReport } from "./parts.ts";

const NODES = 4;
const TEAMS = 10_000;
const SETTINGS = { HOST_CONCURRENCY: "200", LOG_LEVEL: "warn" };
/** Requests of this program at the same time. */
const CLIENTS = 16;
const END_LIMIT_MS = 900_000;
/** Each of many teams asks for its page: a request besides it, and an account. More would be that they wait for each other. */
const MAX_SLOWDOWN = 4;

interface Ended {
  readonly completed: number;
  readonly failed: number;
}

/** Thousands of teams ask for a page each at the same time; then one team asks for as many. */
export async function serveTeams({ command, beside = [] }: ScaleOptions): Promise<ScaleReport> {
  const cluster = await Cluster.start({ command, nodes: NODES, settings: SETTINGS, beside });
  const site = await openLoadSite();
  const arena = { cluster, site };
  const problems: string[] = [];
  try {
    const made = await timed(() =>
      inParallel(TEAMS, () => makeTeam(cluster.liveUrl(), { name: "team", credits: 1 })),
    );
    const teams = made.value;
    const many = await timed(async () => {
      const asked = await inParallel(TEAMS, (index) => batch(arena, teams[index] as SoakTeam, 1));
      problems.push(...asked.filter((problem) => problem !== undefined));
      return untilAllEnded(arena, TEAMS, problems);
    });
    const paid = await chargedOnce(arena);
    if (paid !== TEAMS) problems.push(`${paid} of ${TEAMS} teams were charged once.`);
    const one = await timed(async () => {
      const refused = await batch(arena, await newTeam(cluster, PLENTY), TEAMS);
      if (refused !== undefined) problems.push(refused);
      return untilAllEnded(arena, TEAMS + 1, problems);
    });
    problems.push(...(await auditLedger(cluster.database)).problems);
    const slowdown = many.ms / one.ms;
    if (slowdown > MAX_SLOWDOWN)
      problems.push(`A page of many teams takes ${slowdown.toFixed(2)} times as long.`);
    const seconds = (ms: number) => (ms / 1000).toFixed(0);
    const figures = `${TEAMS} teams made in ${seconds(made.ms)} s; their batches of a page ended after ${seconds(many.ms)} s, one team's of ${TEAMS} pages after ${seconds(one.ms)} s`;
    return { figures, problems };
  } finally {
    await cluster.stop();
    await site.close();
  }
}

/** @returns what was wrong with the answer. */
async function batch({ cluster, site }: Arena, team: SoakTeam, pages: number): Promise<string | undefined> {
  const urls = Array.from({ length: pages }, () => site.newPage());
  const answer = await askOnce(cluster, team, "POST /v2/batch/scrape", { urls, maxAge: 0 });
  return answer?.status === 200 ? undefined : `A batch was answered with ${JSON.stringify(answer)}.`;
}

async function untilAllEnded({ cluster }: Arena, runs: number, problems: string[]): Promise<void> {
  const giveUpAtMs = performance.now() + END_LIMIT_MS;
  const ended = cluster.database.prepared<Ended>(
    `SELECT sum(CASE WHEN state = 'completed' THEN 1 ELSE 0 END) AS completed,
       sum(CASE WHEN state IN ('failed', 'cancelled') THEN 1 ELSE 0 END) AS failed FROM job_runs`,
  );
  for (;;) {
    const { completed, failed } = (await ended.get()) ?? { completed: 0, failed: 0 };
    if (failed > 0) problems.push(`${failed} batches failed.`);
    if (completed + failed >= runs) return;
    if (performance.now() > giveUpAtMs) return void problems.push(`${completed} of ${runs} batches ended.`);
    await sleep(LOOK_EVERY_MS);
  }
}

async function chargedOnce({ cluster }: Arena): Promise<number> {
  const row = await cluster.database
    .prepared<{ teams: number }>(
      `SELECT count(*) AS teams FROM (SELECT team_id FROM ledger_entries WHERE to_account = 'used'
         GROUP BY team_id HAVING sum(amount) = 1) charged`,
    )
    .get();
  return row?.teams ?? 0;
}

async function timed<Value>(
  work: () => Promise<Value>,
): Promise<{ readonly ms: number; readonly value: Value }> {
  const startMs = performance.now();
  const value = await work();
  return { ms: performance.now() - startMs, value };
}

async function inParallel<Value>(
  count: number,
  work: (index: number) => Promise<Value>,
): Promise<readonly Value[]> {
  const values: Value[] = [];
  let next = 0;
  const client = async () => {
    while (next < count) {
      const index = next;
      next += 1;
      values[index] = await work(index);
    }
  };
  await Promise.all(Array.from({ length: CLIENTS }, client));
  return values;
}
