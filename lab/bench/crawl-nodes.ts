import { Client } from "pg";

import { type Cluster, openCluster } from "../../test/cluster.ts";
import type { SoakService } from "../../test/service-process.ts";
import { findPostgres } from "../../packages/server/src/storage/database/postgres-server.suite.ts";
import { crawlAll, siteUrl, startSite } from "./crawl.ts";
import type { Figure } from "./report.ts";

const PAGES = Number(process.env["BENCH_PAGES"] ?? 2000);
const WARM_PAGES = 200;
/** Of everything but the limits of transactions, which are two round trips for each. */
const LEAST_SHARE = 0.15;
const MAX_STATEMENTS = 15;
const MAX_GAP_MS = 3000;
/** Statements that are listed when `BENCH_STATEMENTS=1`. */
const LISTED = 40;

/** What a crawled page takes of Postgres, how nodes share a crawl, and what the death of one costs. */
export async function benchCrawlNodes(count: number): Promise<readonly Figure[]> {
  const programs = findPostgres();
  if (!programs) return [];
  const site = await startSite();
  const cluster = await openCluster(programs, ["dist/main.js"]);
  try {
    await countStatements(cluster);
    const settings = { AUTH: "open", RATE_LIMIT: "off", TEAM_CONCURRENCY: "64" };
    const nodes: SoakService[] = [];
    for (let index = 0; index < count; index += 1) nodes.push(await cluster.start(settings));
    const work = { service: nodes[0]?.url ?? "", site: siteUrl(site) };
    await crawlAll(work, { pages: WARM_PAGES });
    const figures = await measureCrawl(cluster, nodes, work);
    return count === 1 ? figures : [...figures, await measureDeath(nodes, work)];
  } finally {
    await cluster.close();
    site.closeAllConnections();
    site.close();
  }
}

/** The module that counts is loaded when the server starts. */
async function countStatements({ database, databaseUrl }: Cluster): Promise<void> {
  const client = new Client({ connectionString: databaseUrl });
  // On a busy machine the server may still have the connection when it crashes.
  client.on("error", () => undefined);
  await client.connect();
  await client.query("ALTER SYSTEM SET shared_preload_libraries = 'pg_stat_statements'");
  await client.end();
  await database.crash();
  await database.start();
}

type Work = Parameters<typeof crawlAll>[0];

async function measureCrawl(
  { databaseUrl }: Cluster,
  nodes: readonly SoakService[],
  work: Work,
): Promise<readonly Figure[]> {
  const client = new Client({ connectionString: databaseUrl });
  await client.connect();
  await client.query("CREATE EXTENSION IF NOT EXISTS pg_stat_statements");
  const before = await Promise.all(nodes.map(scrapesOf));
  await client.query("SELECT pg_stat_statements_reset()");
  const startMs = performance.now();
  await crawlAll(work, { pages: PAGES });
  const seconds = (performance.now() - startMs) / 1000;
  const { rows } = await client.query<{ calls: string; query: string }>(
    "SELECT calls, query FROM pg_stat_statements ORDER BY calls DESC",
  );
  await client.end();
  const counted = rows.map(({ calls, query }) => ({ aPage: Number(calls) / PAGES, query }));
  if (process.env["BENCH_STATEMENTS"] !== undefined)
    for (const { aPage, query } of counted.slice(0, LISTED))
      process.stdout.write(`${aPage.toFixed(2).padStart(7)} ${query.replaceAll(/\s+/g, " ").slice(0, 150)}\n`);
  const sum = (all: typeof counted) => all.reduce((total, { aPage }) => total + aPage, 0);
  const statements = sum(counted.filter(({ query }) => !/^(BEGIN|COMMIT|ROLLBACK|SET) ?/i.test(query)));
  const shares = await Promise.all(
    nodes.map(async (node, index) => ((await scrapesOf(node)) - (before[index] ?? 0)) / PAGES),
  );
  const where = `${nodes.length} nodes (${(PAGES / seconds).toFixed(0)} pages per second)`;
  return [
    {
      name: `statements a crawled page with ${where}; ${sum(counted).toFixed(1)} with BEGIN, SET, COMMIT`,
      value: statements.toFixed(1),
      limit: `<= ${MAX_STATEMENTS}`,
      isMet: statements <= MAX_STATEMENTS,
    },
    {
      name: `pages of one crawl by node: ${shares.map((share) => `${(share * 100).toFixed(0)} %`).join(", ")}; the least`,
      value: `${(Math.min(...shares) * 100).toFixed(0)} %`,
      limit: `>= ${LEAST_SHARE * 100} %`,
      isMet: Math.min(...shares) >= LEAST_SHARE,
    },
  ];
}

/** Kills the last node in the middle of a crawl. */
async function measureDeath(nodes: readonly SoakService[], work: Work): Promise<Figure> {
  let documents = 0;
  let sinceMs = performance.now();
  let longestMs = 0;
  let killed: Promise<void> | undefined;
  const seen = (now: number) => {
    const nowMs = performance.now();
    if (killed) longestMs = Math.max(longestMs, nowMs - sinceMs);
    if (now > documents) [documents, sinceMs] = [now, nowMs];
    if (now > PAGES / 8) killed ??= nodes.at(-1)?.kill();
  };
  await crawlAll(work, { pages: PAGES, seen });
  await killed;
  return {
    name: "longest time without a document of a crawl after kill -9 of one of its nodes",
    value: `${(longestMs / 1000).toFixed(1)} s`,
    limit: `<= ${MAX_GAP_MS / 1000} s`,
    isMet: longestMs <= MAX_GAP_MS,
  };
}

/** Pages that a node has made. */
async function scrapesOf(node: SoakService): Promise<number> {
  const response = await fetch(`${node.url}/metrics`);
  const figures = (await response.text()).matchAll(/^pergamon_scrapes_total\{[^}]*\} (\d+)/gm);
  return [...figures].reduce((sum, [, figure]) => sum + Number(figure), 0);
}
