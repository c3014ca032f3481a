import type { Address } from "@pergamon-dev/kit/address";

import { nextChain } from "../fetch/urls/traps.ts";
import type { Dispatcher } from "../jobs/dispatcher.ts";
import { roomForErrors } from "../jobs/errors.ts";
import { getJob, type Job } from "../jobs/job-rows.ts";
import type { Statements } from "../storage/database/database.ts";
import type { CrawlTask } from "./page.ts";
import { outcomeOf } from "./outcomes.ts";
import { noteSpellings } from "./spellings.ts";
import type { RefusedLink, SortedLinks, WantedLink } from "./url-policy.ts";
import {
  countUrls,
  type Crawl,
  insertUrls,
  isKnown,
  isMarked,
  keyOf,
  markLater,
  markOnce,
  type NewUrl,
  noteBlocked,
  noteRefused,
  reserveNumbers,
  ROWS,
} from "./frontier.ts";

/** Properties of a page with a document that decide about its links. */
interface LinkingPage {
  readonly depth: number;
  readonly chain: number;
  /** Shape of the URL where the visit ended. */
  readonly shape: string;
  readonly textHash: string;
  /** True: links that were written ahead of the others were new. */
  readonly hasLedToNew: boolean;
}

interface Admission {
  readonly crawl: Crawl;
  readonly job: Job;
  readonly dispatcher: Dispatcher;
}

const ROBOTS_WARNING =
  "One or more pages were unable to be crawled because the robots.txt file prevented this. They are listed under errors.";
const TRAP_WARNING = "Some branches were left out: they look endless.";
/** Refusals per transaction. One takes as long to write as several links. */
const REFUSED_ROWS = 100;
/** Maximum number of refusals that clients are shown. */
const MAX_REFUSALS = 10_000;
/** Limit of waiting URLs: a multiple of the documents that are still allowed, and a minimum. */
const WAITING_PER_DOCUMENT = 20;
const LEAST_WAITING = 10_000;

/** Writes the links of a part of a sitemap. */
export async function admitEntries(
  tx: Statements,
  { wanted, refused }: SortedLinks,
  admission: Admission,
): Promise<void> {
  await admitWanted(tx, wanted, 0, { ...admission, depth: 0 });
  await recordRefused(tx, refused, { ...admission, depth: 0 });
}

interface AdmittedAhead {
  readonly left: SortedLinks;
  readonly admitted: readonly WantedLink[];
  readonly hasLedToNew: boolean;
}

/**
 * Writes the links of a page that exceed one transaction, in transactions before the one that ends the page.
 * If the process dies between them, the page is made again, and these links are known then.
 * @returns the links that are left, and those that are in the frontier now, whether they were new or not.
 */
export async function admitAhead(
  page: LinkingPage,
  { wanted, refused }: SortedLinks,
  { crawl, task: { job }, store }: Pick<CrawlTask, "crawl" | "task" | "store">,
): Promise<AdmittedAhead> {
  const isSame = (link: WantedLink) => link.shape === page.shape;
  const links = [...wanted.filter((link) => !isSame(link)), ...wanted.filter(isSame)];
  const refusals = refused.filter(({ why }) => why in TOLD).slice(0, MAX_REFUSALS);
  const others = refused.filter(({ why }) => !(why in TOLD));
  const { database, dispatcher } = store;
  const admitted: WantedLink[] = [];
  let { hasLedToNew } = page;
  while (links.length > ROWS || refusals.length > REFUSED_ROWS || others.length > ROWS) {
    const isMany = links.length > ROWS;
    const rest = others.length > ROWS ? others.splice(0, ROWS) : refusals.splice(0, REFUSED_ROWS);
    const part = { wanted: isMany ? links.splice(0, ROWS) : [], refused: isMany ? [] : rest };
    await database.transaction(async (tx) => {
      const now = await getJob(tx, job.id);
      if (now?.state !== "scraping") return;
      const isTextNew = !(await isMarked(tx, crawl, markOf(page)));
      const admission = { crawl, job: now, dispatcher };
      const written = await admitPart(tx, { ...page, hasLedToNew, isTextNew }, part, admission);
      admitted.push(...written.admitted);
      hasLedToNew = written.hasNew;
      await dispatcher.dispatchNext(tx, now);
    });
  }
  return { left: { wanted: links, refused: [...refusals, ...others] }, admitted, hasLedToNew };
}

/**
 * Writes the links of a page in the transaction that ends it.
 * @returns the links that are in the frontier now, whether they were new or not.
 */
export async function enqueueLinks(
  tx: Statements,
  page: LinkingPage,
  links: SortedLinks,
  admission: Admission,
): Promise<readonly WantedLink[]> {
  const { crawl } = admission;
  // Only links of the page's own shape depend on it.
  const isAsked = links.wanted.some(({ shape }) => shape === page.shape);
  const isTextNew = !isAsked || (await markOnce(tx, crawl, markOf(page)));
  if (!isAsked) await markLater(tx, crawl, markOf(page));
  // Also called without links, because the sitemaps may be next.
  await admission.dispatcher.admit(tx, admission.job.id, 0);
  return (await admitPart(tx, { ...page, isTextNew }, links, admission)).admitted;
}

function markOf({ shape, textHash }: LinkingPage): string {
  return keyOf(`text ${shape} ${textHash}`);
}

/** Links of the page's own shape are admitted only if the page has new content (families, section 4.8). */
async function admitPart(
  tx: Statements,
  page: LinkingPage & { readonly isTextNew: boolean },
  { wanted, refused }: SortedLinks,
  admission: Admission,
): Promise<{ readonly admitted: readonly WantedLink[]; readonly hasNew: boolean }> {
  const others = wanted.filter(({ shape }) => shape !== page.shape);
  const same = wanted.filter(({ shape }) => shape === page.shape);
  const level = { ...admission, depth: page.depth + 1 };
  const hasNew = (await admitWanted(tx, others, 0, level)) || page.hasLedToNew;
  const chain = nextChain({ chain: page.chain, isStale: !page.isTextNew && !hasNew });
  await recordRefused(tx, refused, level);
  if (chain === undefined) await recordRefused(tx, await endless(tx, same, admission.crawl), level);
  else await admitWanted(tx, same, chain, level);
  return { admitted: chain === undefined ? others : wanted, hasNew };
}

/**
 * Links without room are counted but not stored.
 * @returns whether any was new.
 */
async function admitWanted(
  tx: Statements,
  links: readonly WantedLink[],
  chain: number,
  { crawl, job, dispatcher, depth }: Admission & { readonly depth: number },
): Promise<boolean> {
  if (links.length === 0) return false;
  const room = await roomFor(tx, links.length, { crawl, job });
  const kept: readonly NewUrl[] = links.slice(0, room).map((link) => ({ ...link, depth, chain }));
  const first = await reserve(tx, crawl, links);
  const areNew = await insertUrls(tx, crawl, first, kept);
  const known = kept.filter((_link, index) => areNew[index] === false);
  const spellings = await noteSpellings(tx, crawl, first, known);
  const rest = await unknown(tx, links.slice(room), crawl);
  const outcome = { kind: "limit" } as const;
  await noteRefused(
    tx,
    crawl,
    rest.map((link) => ({ ...link, depth, outcome })),
  );
  await dispatcher.admit(tx, job.id, areNew.filter(Boolean).length + spellings + rest.length);
  return areNew.includes(true) || rest.length > 0;
}

/** At most as many URLs wait as were found, so they are counted only for crawls that have found very many. */
async function roomFor(
  tx: Statements,
  count: number,
  { crawl, job }: Pick<Admission, "crawl" | "job">,
): Promise<number> {
  const most = WAITING_PER_DOCUMENT * crawl.limit + LEAST_WAITING;
  if (job.total + count <= most) return count;
  return Math.max(0, Math.min(count, most - (await countUrls(tx, crawl))));
}

/** @returns the first of the numbers reserved for these links. */
function reserve(tx: Statements, crawl: Crawl, links: readonly WantedLink[]): Promise<number> {
  return reserveNumbers(tx, crawl, Math.max(...links.map(({ order }) => order)) + 1);
}

async function unknown(
  tx: Statements,
  links: readonly WantedLink[],
  crawl: Crawl,
): Promise<readonly WantedLink[]> {
  const found: WantedLink[] = [];
  for (const link of links) if (!(await isKnown(tx, crawl, link.identity))) found.push(link);
  return found;
}

/** Links whose chain of stale pages is too long, except those that are known from elsewhere. */
async function endless(
  tx: Statements,
  links: readonly WantedLink[],
  crawl: Crawl,
): Promise<readonly RefusedLink[]> {
  return (await unknown(tx, links, crawl)).map((link) => ({ ...link, why: "trap" }));
}

/** Lists refused links, and tells clients of some kinds among the errors, as many as they are shown. */
async function recordRefused(
  tx: Statements,
  refused: readonly RefusedLink[],
  admission: Admission & { readonly depth: number },
): Promise<void> {
  const told = refused.filter(({ why }) => why in TOLD);
  const room = told.length === 0 ? 0 : await roomForErrors(tx, admission.job.id);
  for (const link of told.slice(0, room)) await TOLD[link.why]?.(tx, link, admission);
  const { crawl, depth } = admission;
  const untold = new Set<RefusedLink>(told.slice(room));
  // The others that robots.txt forbids are listed where they are told.
  const listed = refused.filter((link) => link.why !== "robots" || untold.has(link));
  await noteRefused(
    tx,
    crawl,
    listed.map((link) => ({ ...link, depth, outcome: outcomeOf(link.why, link.rule) })),
  );
}

type Tell = (tx: Statements, link: RefusedLink, admission: Admission) => Promise<void>;

/** Refusals that clients are told among the errors. */
const TOLD: Partial<Record<RefusedLink["why"], Tell>> = {
  robots: recordRobots,
  trap: noteTrap,
  "external-home": noteExternalHome,
};

/** Marks the URL as known, so that it is reported once. */
export async function recordRobots(
  tx: Statements,
  { url, identity, rule }: Pick<RefusedLink, "url" | "identity" | "rule">,
  admission: Admission,
): Promise<void> {
  const outcome = outcomeOf("robots", rule);
  if (await noteBlocked(tx, admission.crawl, { url, identity, outcome }))
    await tellRobots(tx, url, admission);
}

/** Records that robots.txt forbids a URL of the crawl. */
export async function tellRobots(
  tx: Statements,
  url: Address,
  { job, dispatcher }: Omit<Admission, "crawl">,
): Promise<void> {
  await dispatcher.recordRobotsBlocked(tx, job, url);
  await dispatcher.warn(tx, job.id, ROBOTS_WARNING);
}

async function noteTrap(tx: Statements, { url, shape }: WantedLink, admission: Admission): Promise<void> {
  const { crawl, job, dispatcher } = admission;
  if (!(await markOnce(tx, crawl, keyOf(`trap ${shape}`)))) return;
  const message = "This address and those like it look endless, so they were left out.";
  await dispatcher.recordError(tx, job, { url, code: "CRAWL_TRAP", message });
  await dispatcher.warn(tx, job.id, TRAP_WARNING);
}

async function noteExternalHome(
  tx: Statements,
  { url, identity }: WantedLink,
  { crawl, job, dispatcher }: Admission,
): Promise<void> {
  if (!(await markOnce(tx, crawl, keyOf(`home ${identity}`)))) return;
  const message = "Home pages of other sites are not visited.";
  await dispatcher.recordError(tx, job, { url, code: "EXTERNAL_LINK", message });
}
