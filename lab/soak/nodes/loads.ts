import { setTimeout as sleep } from "node:timers/promises";

import type { SoakTeam } from "../../../test/service-process.ts";
import { type Arena, LOOK_EVERY_MS, PLENTY, type Round, RUN_LIMIT_MS } from "./arena.ts";
import { askOnce, chargesOf, newTeam, read } from "./client.ts";
import type { Cluster } from "./cluster.ts";
import { checkMonitor } from "./monitor-load.ts";

/** One line per kind of load. Each round has a team of its own. */
export const loads: Readonly<Record<string, (arena: Arena) => Promise<Round>>> = {
  scrapes: scrapeAtOnce,
  "last credits": useLastCredits,
  batches: runBatch,
  crawls: runCrawl,
  checks: checkMonitor,
};

const SCRAPES = 20;
const LAST_CREDITS = 5;
const LAST_ATTEMPTS = 50;
const BATCHED_PAGES = 40;
/** Pages outlast a line that is cut for half a minute. */
const FRESH = { maxAge: 0, timeout: 90_000 };

interface Scrape {
  readonly success: boolean;
  readonly data?: { readonly metadata: { readonly scrapeId: string } };
}

/** Scrapes of a page each. @returns ids of those that were answered. */
async function scrape({ cluster, site }: Arena, team: SoakTeam, count: number): Promise<readonly string[]> {
  const answers = await Promise.all(
    Array.from({ length: count }, () =>
      askOnce<Scrape>(cluster, team, "POST /v2/scrape", { url: site.newPage(), maxAge: 0 }),
    ),
  );
  return answers.flatMap((answer) => answer?.body.data?.metadata.scrapeId ?? []);
}

async function scrapeAtOnce(arena: Arena): Promise<Round> {
  const team = await newTeam(arena.cluster, PLENTY);
  const answered = await scrape(arena, team, SCRAPES);
  return { pages: answered.length, problems: await unpaid(arena, team, answered, SCRAPES) };
}

async function useLastCredits(arena: Arena): Promise<Round> {
  const team = await newTeam(arena.cluster, LAST_CREDITS);
  const answered = await scrape(arena, team, LAST_ATTEMPTS);
  return { pages: answered.length, problems: await unpaid(arena, team, answered, LAST_CREDITS) };
}

/** What was answered and not charged once, and charges beyond what may be. */
async function unpaid(
  { cluster }: Arena,
  team: SoakTeam,
  answered: readonly string[],
  maxCharges: number,
): Promise<readonly string[]> {
  const charges = await chargesOf(cluster, team);
  const lost = answered.filter((id) => charges.get(id) !== 1);
  const problems = lost.map((id) => `Scrape ${id} was answered and charged ${charges.get(id) ?? "nothing"}.`);
  if (charges.size > maxCharges)
    problems.push(`Team ${team.teamId} was charged ${charges.size} times, ${maxCharges} at most are right.`);
  return problems;
}

interface Started {
  readonly id?: string;
}

interface Status {
  readonly status: string;
  readonly creditsUsed: number;
  readonly next?: string;
  readonly data: readonly { readonly metadata: { readonly sourceURL: string } }[];
}

async function runBatch(arena: Arena): Promise<Round> {
  const urls = Array.from({ length: BATCHED_PAGES }, () => arena.site.newPage());
  return runToItsEnd(arena, "/v2/batch/scrape", { urls, ...FRESH }, urls);
}

async function runCrawl(arena: Arena): Promise<Round> {
  const { url, pages } = arena.site.newCrawl();
  const body = { url, scrapeOptions: FRESH };
  return runToItsEnd(arena, "/v2/crawl", body, pages);
}

async function runToItsEnd(
  { cluster }: Arena,
  path: string,
  body: object,
  wanted: readonly string[],
): Promise<Round> {
  const team = await newTeam(cluster, PLENTY);
  const started = await askOnce<Started>(cluster, team, `POST ${path}`, body);
  // Without an answer its id is unknown: the next round is another one.
  if (started?.body.id === undefined) return { pages: 0, problems: [] };
  const at = `${path}/${started.body.id}`;
  const giveUpAtMs = performance.now() + RUN_LIMIT_MS;
  for (;;) {
    const { status, creditsUsed } = await read<Status>(cluster, team, `${at}?limit=1`);
    if (status === "completed") return compare(cluster, team, { at, wanted, creditsUsed });
    if (status !== "scraping") return { pages: 0, problems: [`${at} ended as ${status}.`] };
    if (performance.now() > giveUpAtMs) return { pages: 0, problems: [`${at} did not end.`] };
    await sleep(LOOK_EVERY_MS);
  }
}

interface Ended {
  readonly at: string;
  readonly wanted: readonly string[];
  readonly creditsUsed: number;
}

interface Errors {
  readonly errors: readonly { readonly url: string; readonly code?: string; readonly error: string }[];
}

/** A page that three nodes died with is given up, and reported. */
const GIVEN_UP = "SCRAPE_RETRY_LIMIT";
const DIED = "The process ended while this was under way.";

async function compare(cluster: Cluster, team: SoakTeam, { at, wanted, creditsUsed }: Ended): Promise<Round> {
  const { data } = await read<Status>(cluster, team, `${at}?limit=1000`);
  const { errors } = await read<Errors>(cluster, team, `${at}/errors`);
  const found = data.map(({ metadata }) => metadata.sourceURL);
  const told = errors.flatMap(({ url, code }) => (code === GIVEN_UP ? [url] : []));
  const otherwise = errors.flatMap(({ error }) => (error.includes(DIED) ? [] : [error]));
  const missing = wanted.filter((url) => !found.includes(url) && !told.includes(url));
  const charges = await chargesOf(cluster, team);
  const charged = [...charges.values()].reduce((sum, amount) => sum + amount, 0);
  const problems: string[] = [];
  const tell = (what: string, urls: readonly string[]) => {
    if (urls.length > 0)
      problems.push(`${at}: ${urls.length} documents ${what}: ${urls.slice(0, 3).join(", ")}`);
  };
  if (otherwise.length > 0) problems.push(`${at}: ${otherwise.length} pages failed: ${otherwise[0]}`);
  // The links of a page that was given up are unknown.
  const isCut = told.length > 0 && at.startsWith("/v2/crawl");
  if (!isCut) tell("missing", missing);
  tell(
    "too many",
    found.filter((url) => !wanted.includes(url)),
  );
  tell(
    "twice",
    [...found, ...told].filter((url, index, all) => all.indexOf(url) !== index),
  );
  if (charged !== found.length || creditsUsed !== found.length)
    problems.push(`${at}: ${found.length} documents cost ${charged}; the status says ${creditsUsed}.`);
  return { pages: found.length, givenUp: told.length, problems };
}
