import { setTimeout as sleep } from "node:timers/promises";

import { auditLedger } from "../../../packages/server/src/accounts/ledger-audit.ts";
import type { Arena } from "./arena.ts";
import { newTeam } from "./client.ts";
import { Cluster } from "./cluster.ts";
import { loads } from "./loads.ts";
import { openLoadSite } from "./load-site.ts";
import type { ScaleOptions, ScaleReport } from "../scale/parts.ts";
import { staleLocks } from "./stale-locks.ts";

const NODES = 4;
const SETTINGS = { HOST_CONCURRENCY: "50", TEAM_QUEUE: "1000", LOG_LEVEL: "warn" };
/** How many nodes may be away at the same time. */
const MAX_AWAY = 2;
const BETWEEN_KILLS_MS = 300;
/** Pages. */
const WORK_BETWEEN_KILLS = 20;
const WORK_LIMIT_MS = 10_000;
/** Each fourth is a pause; of those, one of so many is a long one, and the first is. */
const PAUSES = 4;
const LONG_PAUSES = 8;
const MAX_PAUSE_MS = 5000;
/** Longer than every lease. */
const LONG_PAUSE_MS = 40_000;
/** By then a request has begun and is not answered. */
const BEGUN_MS = 50;

interface Tally {
  killed: number;
  paused: number;
  readonly rounds: Map<string, number>;
  pages: number;
  givenUp: number;
  audits: number;
  readonly problems: string[];
}

/** Nodes over one database are killed and paused under a mixed load; then the books say what became of it. */
export async function killNodes({
  command,
  kills,
  longPauseMs = LONG_PAUSE_MS,
  beside = [],
}: ScaleOptions): Promise<ScaleReport> {
  const cluster = await Cluster.start({ command, nodes: NODES, settings: SETTINGS, beside });
  const site = await openLoadSite();
  const tally: Tally = {
    killed: 0,
    paused: 0,
    rounds: new Map(),
    pages: 0,
    givenUp: 0,
    audits: 0,
    problems: [],
  };
  const progress = { isOver: false };
  try {
    const arena = { cluster, site };
    const loading = Promise.all(
      Object.entries(loads).map(async ([name, load]) => {
        while (!progress.isOver) await runRound({ name, load, arena, tally });
      }),
    );
    // A load that ends by a fault of its own ends the soak.
    await Promise.race([loading, killAgainAndAgain({ ...arena, kills, longPauseMs, tally })]);
    progress.isOver = true;
    await cluster.untilNonePaused();
    await loading;
    const { waitedMs, left } = await afterTheLastDeath(arena);
    for (const what of left) tally.problems.push(`A minute after its owner died there are ${what}.`);
    await audit(cluster, tally);
    return { figures: figuresOf(tally, waitedMs), problems: tally.problems };
  } finally {
    progress.isOver = true;
    await cluster.stop();
    await site.close();
  }
}

interface LoadRound {
  readonly name: string;
  readonly load: (typeof loads)[string];
  readonly arena: Arena;
  readonly tally: Tally;
}

async function runRound({ name, load, arena, tally }: LoadRound): Promise<void> {
  const { pages, givenUp = 0, problems } = await load(arena);
  tally.rounds.set(name, (tally.rounds.get(name) ?? 0) + 1);
  tally.pages += pages;
  tally.givenUp += givenUp;
  tally.problems.push(...problems);
}

interface Killing extends Arena {
  readonly kills: number;
  readonly longPauseMs: number;
  readonly tally: Tally;
}

async function killAgainAndAgain({ cluster, site, kills, longPauseMs, tally }: Killing): Promise<void> {
  const restarts = new Set<Promise<void>>();
  for (let kill = 0; kill < kills; kill += 1) {
    const before = site.answered();
    await untilEnoughRun(cluster);
    const running = cluster.running();
    const index = running[Math.floor(Math.random() * running.length)] ?? 0;
    if (kill % PAUSES === PAUSES - 1) {
      const isLong = Math.random() < 1 / LONG_PAUSES || tally.paused === 0;
      cluster.pause(index, isLong ? longPauseMs : Math.random() * MAX_PAUSE_MS);
      tally.paused += 1;
    } else {
      const restart = cluster.kill(index).catch((failure: unknown) => {
        tally.problems.push(String(failure));
      });
      restarts.add(restart);
      void restart.finally(() => restarts.delete(restart));
      tally.killed += 1;
    }
    await sleep(Math.random() * BETWEEN_KILLS_MS);
    await audit(cluster, tally);
    await untilWorkWasDone(site, before + WORK_BETWEEN_KILLS);
    tellProgress(kill + 1, tally);
  }
  await Promise.all(restarts);
}

/** On a busy machine, pages would end as errors else: a page that dies with a node is given up the third time. */
async function untilWorkWasDone(site: Arena["site"], answered: number): Promise<void> {
  const giveUpAtMs = performance.now() + WORK_LIMIT_MS;
  while (site.answered() < answered && performance.now() < giveUpAtMs) await sleep(BETWEEN_KILLS_MS);
}

/** All kills take many minutes: their progress is printed. */
function tellProgress(kills: number, { pages, problems }: Tally): void {
  if (kills % 10 === 0)
    process.stderr.write(
      `${kills} kills and pauses, ${pages} pages, ${problems.length} problems: ${problems.at(-1) ?? "none"}\n`,
    );
}

async function untilEnoughRun(cluster: Cluster): Promise<void> {
  while (cluster.running().length <= cluster.size - MAX_AWAY) await sleep(BETWEEN_KILLS_MS);
}

async function audit({ database }: Cluster, tally: Tally): Promise<void> {
  tally.audits += 1;
  tally.problems.push(...(await auditLedger(database)).problems);
}

/** All nodes but one die with work under way. */
async function afterTheLastDeath({ cluster, site }: Arena) {
  const team = await newTeam(cluster, NODES);
  const [, ...others] = cluster.running();
  const requests = Array.from({ length: NODES }, () =>
    fetch(`${cluster.url()}/v2/scrape`, {
      method: "POST",
      headers: { authorization: `Bearer ${team.apiKey}` },
      body: JSON.stringify({ url: site.newPage(), maxAge: 0 }),
    }).catch(() => undefined),
  );
  await sleep(BEGUN_MS);
  for (const index of others) await cluster.end(index);
  await Promise.all(requests);
  return staleLocks(cluster.database);
}

function figuresOf({ killed, paused, rounds, pages, givenUp, audits }: Tally, waitedMs: number): string {
  const made = [...rounds].map(([name, count]) => `${count} rounds of ${name}`).join(", ");
  const seconds = (waitedMs / 1000).toFixed(0);
  return `${killed} kills and ${paused} pauses of ${NODES} nodes, ${made}, ${pages} pages and ${givenUp} that were given up, ${audits} audits, nothing of dead nodes was left after ${seconds} s`;
}
