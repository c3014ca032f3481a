import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";

import { auditLedger } from "../../../packages/server/src/accounts/ledger-audit.ts";
import { type CutLine, openCutLine } from "../../../test/cut-line.ts";
import type { SoakTeam } from "../../../test/service-process.ts";
import type { ScaleOptions, ScaleReport } from "../scale/parts.ts";
import { type Arena, PLENTY } from "./arena.ts";
import { newTeam } from "./client.ts";
import { Cluster } from "./cluster.ts";
import { type LoadSite, openLoadSite } from "./load-site.ts";
import { loads } from "./loads.ts";

const NODES = 4;
const SETTINGS = { HOST_CONCURRENCY: "50", TEAM_QUEUE: "1000", LOG_LEVEL: "warn" };
const CUT_MS = 30_000;
const BEFORE_MS = 5000;
/** By then, everything has its connections again. */
const AFTER_MS = 20_000;
const TIMEOUT_MS = 10_000;
const MAX_LATE_MS = 1000;
const GIVE_UP_MS = 60_000;
const BETWEEN_REQUESTS_MS = 500;
/** Timed out, too many, and away for now. */
const HONEST = [200, 408, 429, 503, 504];

/** Answers by their status, how late the latest came after its timeout, and what should not be. */
interface Tally {
  readonly statuses: Map<number, number>;
  rounds: number;
  pages: number;
  latestMs: number;
  readonly problems: string[];
}

/**
 * Cuts the lines of one node to Postgres and to S3, and those of all nodes to the site, for half a minute each under a
 * mixed load: no page may be lost, made twice or charged twice, and no request may outlast its timeout.
 */
export async function cutLines({ command }: ScaleOptions): Promise<ScaleReport> {
  const lines = new Map<string, CutLine>();
  const firstNode = async (settings: Readonly<Record<string, string>>) => {
    const folder = new URL(settings["DATABASE_URL"] ?? "").searchParams.get("host") ?? "";
    const database = await openCutLine(join(folder, ".s.PGSQL.5432"));
    lines.set("database", database);
    const own = {
      DATABASE_URL: `postgres://pergamon@127.0.0.1:${database.port}/postgres?schema=public`,
    };
    const blobs = new URL(settings["BLOBS_URL"] ?? "");
    if (blobs.protocol !== "s3:") return own;
    const bucket = await openCutLine(Number(blobs.port));
    lines.set("blobs", bucket);
    return { ...own, BLOBS_URL: settings["BLOBS_URL"]?.replace(`:${blobs.port}/`, `:${bucket.port}/`) ?? "" };
  };
  const cluster = await Cluster.start({ command, nodes: NODES, settings: SETTINGS, firstNode });
  const direct = await openLoadSite();
  const site = await openCutLine(Number(new URL(direct.newPage()).port));
  lines.set("site", site);
  const tally: Tally = { statuses: new Map(), rounds: 0, pages: 0, latestMs: -Infinity, problems: [] };
  const progress = { isOver: false };
  try {
    const arena = { cluster, site: through(direct, site) };
    const team = await newTeam(cluster, PLENTY);
    const working = [...Object.values(loads), () => askInTime(arena, team, tally)].map(async (load) => {
      while (!progress.isOver) await runRound(load, arena, tally);
    });
    for (const [name, line] of lines) {
      await sleep(BEFORE_MS);
      line.cut();
      await sleep(CUT_MS);
      line.mend();
      await sleep(AFTER_MS);
      process.stderr.write(`${name} cut, ${tally.pages} pages, ${tally.problems.length} problems\n`);
    }
    progress.isOver = true;
    await Promise.all(working);
    tally.problems.push(...(await auditLedger(cluster.database)).problems);
    return { figures: figuresOf(tally, [...lines.keys()]), problems: tally.problems };
  } finally {
    progress.isOver = true;
    for (const line of lines.values()) line.mend();
    await cluster.stop();
    for (const line of lines.values()) await line.close();
    await direct.close();
  }
}

/** The same site behind a line. */
function through(site: LoadSite, { port }: CutLine): LoadSite {
  const moved = (url: string) => Object.assign(new URL(url), { port: String(port) }).href;
  return {
    ...site,
    newPage: () => moved(site.newPage()),
    newCrawl() {
      const { url, pages } = site.newCrawl();
      return { url: moved(url), pages: pages.map(moved) };
    },
  };
}

async function runRound(load: (typeof loads)[string], arena: Arena, tally: Tally): Promise<void> {
  try {
    const { pages, problems } = await load(arena);
    tally.rounds += 1;
    tally.pages += pages;
    tally.problems.push(...problems);
  } catch (failure) {
    tally.problems.push(String(failure));
  }
}

/** Asks some node for a page. */
async function askInTime({ cluster, site }: Arena, { apiKey }: SoakTeam, tally: Tally) {
  await sleep(BETWEEN_REQUESTS_MS);
  const startMs = performance.now();
  const response = await fetch(`${cluster.url()}/v2/scrape`, {
    method: "POST",
    headers: { authorization: `Bearer ${apiKey}` },
    body: JSON.stringify({ url: site.newPage(), maxAge: 0, timeout: TIMEOUT_MS }),
    signal: AbortSignal.timeout(GIVE_UP_MS),
  });
  const text = await response.text();
  const lateMs = performance.now() - startMs - TIMEOUT_MS;
  tally.latestMs = Math.max(tally.latestMs, lateMs);
  tally.statuses.set(response.status, (tally.statuses.get(response.status) ?? 0) + 1);
  const problems = HONEST.includes(response.status) ? [] : [`${response.status}: ${text.slice(0, 300)}`];
  if (lateMs > MAX_LATE_MS) problems.push(`A request came ${lateMs.toFixed(0)} ms after its timeout.`);
  return { pages: 0, problems };
}

function figuresOf({ statuses, rounds, pages, latestMs }: Tally, cut: readonly string[]): string {
  const answers = [...statuses].map(([status, count]) => `${count} × ${status}`).join(", ");
  const late = latestMs > 0 ? `${latestMs.toFixed(0)} ms after` : `${(-latestMs).toFixed(0)} ms before`;
  return `${cut.join(", ")} cut for ${CUT_MS / 1000} s each, ${rounds} rounds, ${pages} pages, requests ${answers}, the latest ${late} its timeout`;
}
