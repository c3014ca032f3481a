import { ADMIN_KEY, KEYED } from "../../../test/operator.ts";
import { openWorld, type World } from "../../../test/world.ts";
import type { Figure } from "../report.ts";
import { LARGE_JOB, recordRequests, REQUESTS } from "./recorded-requests.ts";

const ROUNDS = 10;
const FILTER_ROUNDS = 3;
const LIMIT_MS = 50;
const FILTER_LIMIT_MS = 60;
/** What the log can be narrowed to, each to next to nothing. */
const FILTERS = [
  "team=team-3",
  "key=rare",
  "team=team-3&key=rare",
  "status=failed&team=team-3",
  "code=RARE",
  "statusCode=418",
  "domain=rare.test",
  "format=audio",
  "way=ftp",
  "kind=agent",
  "search=rare",
];

/** What screens ask when they are opened, at their longest spans. */
const QUERIES = [
  "overview?days=30",
  "requests?limit=100",
  "requests?limit=100&count=true&status=failed&since=SINCE",
  "requests?limit=100&count=true&refused=false&since=SINCE",
  "requests?limit=100&count=true&refused=false&since=SINCE&team=team-3",
  "requests?limit=100&count=true&refused=false&since=SINCE&way=http",
  "failures?since=SINCE&limit=12",
  "failures?since=SINCE&limit=12&team=team-3",
  "usage?step=day&from=SINCE",
  "usage?step=hour&from=SINCE",
  "usage?step=day&by=site&from=SINCE",
  "usage?step=day&by=key&from=SINCE&team=team-3",
  "running",
  "incidents",
  "names?teams=team-1,team-2&keys=key-1",
  "profiles?limit=1000",
  "sessions?limit=200",
  "providers",
  "backups",
  "settings",
  "nodes",
  "teams?limit=1000",
  "keys?limit=100",
  "jobs?limit=200",
  `jobs/${LARGE_JOB}/heat`,
  "monitors?limit=200",
  "audit-log?limit=100",
  "cache?url=rare&limit=200",
  "cache/size",
  "tool-requests?limit=100",
];
const SPAN_MS = 30 * 24 * 60 * 60 * 1000;

/** Processor time of each question of the dashboard, over a million requests of the last thirty days. */
export async function benchQueries(): Promise<readonly Figure[]> {
  const world = await openWorld(KEYED);
  try {
    await recordRequests(world);
    const figures: Figure[] = [];
    for (const query of QUERIES) {
      const since = new Date(Date.now() - SPAN_MS).toISOString();
      const best = await leastOf(() => read(world, `/admin/api/${query.replace("SINCE", since)}`));
      const isMet = best <= FILTER_LIMIT_MS;
      figures.push({ name: query, value: `${best.toFixed(1)} ms CPU`, limit: `${FILTER_LIMIT_MS} ms CPU`, isMet });
    }
    return [...figures, ...(await filters(world))];
  } finally {
    await world.close();
  }
}

/** What the overview costs the service once a million requests have been recorded. */
export async function benchOverview(): Promise<readonly Figure[]> {
  const world = await openWorld(KEYED);
  try {
    await recordRequests(world);
    await overview(world);
    const took: number[] = [];
    for (let round = 0; round < ROUNDS; round += 1) {
      const before = process.cpuUsage();
      await overview(world);
      const { user, system } = process.cpuUsage(before);
      took.push((user + system) / 1000);
    }
    const best = Math.min(...took);
    return [
      ...(await filters(world)),
      {
        name: `overview of 30 days over ${REQUESTS.toLocaleString("en-GB")} recorded requests`,
        value: `${best.toFixed(1)} ms CPU`,
        limit: `${LIMIT_MS} ms CPU`,
        isMet: best <= LIMIT_MS,
      },
    ];
  } finally {
    await world.close();
  }
}

async function overview(world: World): Promise<void> {
  await read(world, "/admin/api/overview?days=30");
}

/** A page of the log with its count, for the slowest filter. */
async function filters(world: World): Promise<readonly Figure[]> {
  const took: (readonly [number, string])[] = [];
  for (const filter of FILTERS) took.push([await costOf(world, filter), filter]);
  const [slowest = [0, ""] as const] = took.toSorted(([a], [b]) => b - a);
  return [
    {
      name: `a page of the log and its count, slowest of ${FILTERS.length} filters (${slowest[1]})`,
      value: `${slowest[0].toFixed(1)} ms CPU`,
      limit: `${FILTER_LIMIT_MS} ms CPU`,
      isMet: slowest[0] <= FILTER_LIMIT_MS,
    },
  ];
}

function costOf(world: World, filter: string): Promise<number> {
  return leastOf(() => read(world, `/admin/api/requests?count=true&${filter}`));
}

async function leastOf(work: () => Promise<void>): Promise<number> {
  const took: number[] = [];
  for (let round = 0; round < FILTER_ROUNDS; round += 1) {
    const before = process.cpuUsage();
    await work();
    const { user, system } = process.cpuUsage(before);
    took.push((user + system) / 1000);
  }
  return Math.min(...took);
}

async function read({ app }: World, url: string): Promise<void> {
  const headers = { authorization: `Bearer ${ADMIN_KEY}` };
  const { statusCode } = await app.server.inject({ url, headers });
  if (statusCode !== 200) throw new Error(`${url} was answered ${statusCode}.`);
}
