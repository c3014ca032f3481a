import type { Address } from "@pergamon-dev/kit/address";

import { nextChain } from "../fetch/urls/traps.ts";
import type { Dispatcher } from "../jobs/dispatcher.ts";
import { roomForErrors } from "../jobs/errors.ts";
import { getRun, type JobRun } from "../jobs/run-rows.ts";
import type { Statements } from "../storage/database/database.ts";
import type { CrawlTask } from "./crawl-page.ts";
import type { RefusedLink, SortedLinks, WantedLink } from "./url-policy.ts";
import {
  countWaiting,
  type Crawl,
  insertUrls,
  isKnown,
  isMarked,
  keyOf,
  markOnce,
  type NewUrl,
  noteBlocked,
  reserveNumbers,
  ROWS,
} from "./frontier.ts";

/** A page that became a document, as far as its links depend on it. */
interface LinkingPage {
  readonly depth: number;
  readonly chain: number;
  /** Of the address where it ended. */
  readonly shape: string;
  readonly textHash: string;
  /** Whether links that were written ahead of the others were new. */
  readonly hasLedToNew: boolean;
}

interface Admission {
  readonly crawl: Crawl;
  readonly run: JobRun;
  readonly dispatcher: Dispatcher;
}

const ROBOTS_WARNING =
  "One or more pages were unable to be crawled because the robots.txt file prevented this. They are listed under errors.";
const TRAP_WARNING = "Some branches were left out: they look endless.";
/** A refusal takes as long to write as some links. */
const REFUSED_ROWS = 100;
/** Clients are shown as many. */
const MAX_REFUSALS = 10_000;
/** Addresses that may wait: so many for each document that the crawl may yet have, and some. */
const WAITING_PER_DOCUMENT = 20;
const LEAST_WAITING = 10_000;

/** Writes where a part of a sitemap leads. */
export async function admitEntries(
  inside: Statements,
  { wanted, refused }: SortedLinks,
  admission: Admission,
): Promise<void> {
  await admitWanted(inside, wanted, 0, { ...admission, depth: 0 });
  await noteRefused(inside, refused, admission);
}

interface AdmittedAhead {
  readonly left: SortedLinks;
  readonly admitted: readonly WantedLink[];
  readonly hasLedToNew: boolean;
}

/**
 * Writes where a page leads, in transactions before the one that ends the page, as far as it is more than that should
 * hold. Where the process ends between them the page is made again, and this is known then.
 * @returns what is left, and the links that are in the frontier now, whether they were new or not.
 */
export async function admitAhead(
  page: LinkingPage,
  { wanted, refused }: SortedLinks,
  { crawl, task: { job }, place }: Pick<CrawlTask, "crawl" | "task" | "place">,
): Promise<AdmittedAhead> {
  const isSame = (link: WantedLink) => link.shape === page.shape;
  const links = [...wanted.filter((link) => !isSame(link)), ...wanted.filter(isSame)];
  const refusals = refused.slice(0, MAX_REFUSALS);
  const { database, dispatcher } = place;
  const admitted: WantedLink[] = [];
  let { hasLedToNew } = page;
  while (links.length > ROWS || refusals.length > REFUSED_ROWS) {
    const isMany = links.length > ROWS;
    const part = {
      wanted: isMany ? links.splice(0, ROWS) : [],
      refused: isMany ? [] : refusals.splice(0, REFUSED_ROWS),
    };
    await database.transaction(async (inside) => {
      const now = await getRun(inside, job.id);
      if (now?.state !== "scraping") return;
      const isTextNew = !(await isMarked(inside, crawl, markOf(page)));
      const admission = { crawl, run: now, dispatcher };
      const written = await admitPart(inside, { ...page, hasLedToNew, isTextNew }, part, admission);
      admitted.push(...written.admitted);
      hasLedToNew = written.hasNew;
      await dispatcher.proceed(inside, job);
    });
  }
  return { left: { wanted: links, refused: refusals }, admitted, hasLedToNew };
}

/**
 * Writes where a page leads, in the transaction that ends it.
 * @returns the links that are in the frontier now, whether they were new or not.
 */
export async function admitLinks(
  inside: Statements,
  page: LinkingPage,
  links: SortedLinks,
  admission: Admission,
): Promise<readonly WantedLink[]> {
  const isTextNew = await markOnce(inside, admission.crawl, markOf(page));
  // Also where there are none: its sitemaps may be next.
  await admission.dispatcher.admit(inside, admission.run.id, 0);
  return (await admitPart(inside, { ...page, isTextNew }, links, admission)).admitted;
}

function markOf({ shape, textHash }: LinkingPage): string {
  return keyOf(`text ${shape} ${textHash}`);
}

/** Links of the page's own shape depend on whether it brought anything new (families, section 4.8). */
async function admitPart(
  inside: Statements,
  page: LinkingPage & { readonly isTextNew: boolean },
  { wanted, refused }: SortedLinks,
  admission: Admission,
): Promise<{ readonly admitted: readonly WantedLink[]; readonly hasNew: boolean }> {
  const others = wanted.filter(({ shape }) => shape !== page.shape);
  const same = wanted.filter(({ shape }) => shape === page.shape);
  const level = { ...admission, depth: page.depth + 1 };
  const hasNew = (await admitWanted(inside, others, 0, level)) || page.hasLedToNew;
  const chain = nextChain({ chain: page.chain, isStale: !page.isTextNew && !hasNew });
  await noteRefused(inside, refused, admission);
  if (chain === undefined) await noteRefused(inside, await endless(inside, same, admission.crawl), admission);
  else await admitWanted(inside, same, chain, level);
  return { admitted: chain === undefined ? others : wanted, hasNew };
}

/**
 * Those for which there is no room are counted, and not kept.
 * @returns whether any was new.
 */
async function admitWanted(
  inside: Statements,
  links: readonly WantedLink[],
  chain: number,
  { crawl, run, dispatcher, depth }: Admission & { readonly depth: number },
): Promise<boolean> {
  if (links.length === 0) return false;
  const room = await roomFor(inside, links.length, { crawl, run });
  const kept: readonly NewUrl[] = links.slice(0, room).map((link) => ({ ...link, depth, chain }));
  const areNew = await insertUrls(inside, crawl, await reserve(inside, crawl, links), kept);
  const rest = await unknown(inside, links.slice(room), crawl);
  await dispatcher.admit(inside, run.id, areNew.filter(Boolean).length + rest.length);
  return areNew.includes(true) || rest.length > 0;
}

/** No more wait than pages were found: only for a crawl that has found very many they are counted. */
async function roomFor(
  inside: Statements,
  count: number,
  { crawl, run }: Pick<Admission, "crawl" | "run">,
): Promise<number> {
  const most = WAITING_PER_DOCUMENT * crawl.limit + LEAST_WAITING;
  if (run.total + count <= most) return count;
  return Math.max(0, Math.min(count, most - (await countWaiting(inside, crawl))));
}

/** @returns the first of the numbers for these links. */
function reserve(inside: Statements, crawl: Crawl, links: readonly WantedLink[]): Promise<number> {
  return reserveNumbers(inside, crawl, Math.max(...links.map(({ order }) => order)) + 1);
}

async function unknown(
  inside: Statements,
  links: readonly WantedLink[],
  crawl: Crawl,
): Promise<readonly WantedLink[]> {
  const found: WantedLink[] = [];
  for (const link of links) if (!(await isKnown(inside, crawl, link.identity))) found.push(link);
  return found;
}

/** Links of a chain that is too long, but for those that are known from elsewhere. */
async function endless(
  inside: Statements,
  links: readonly WantedLink[],
  crawl: Crawl,
): Promise<readonly RefusedLink[]> {
  return (await unknown(inside, links, crawl)).map((link) => ({ ...link, why: "trap" }));
}

/** More than clients are shown are not written. */
async function noteRefused(
  inside: Statements,
  refused: readonly RefusedLink[],
  admission: Admission,
): Promise<void> {
  if (refused.length === 0) return;
  const note = { robots: noteRobots, trap: noteTrap, "external-home": noteExternalHome };
  const room = await roomForErrors(inside, admission.run.id);
  for (const link of refused.slice(0, room)) await note[link.why](inside, link, admission);
}

/** Its identity is known from now on, so that it is reported once. */
export async function noteRobots(
  inside: Statements,
  { url, identity }: Pick<WantedLink, "url" | "identity">,
  admission: Admission,
): Promise<void> {
  if (await noteBlocked(inside, admission.crawl, { url, identity })) await tellRobots(inside, url, admission);
}

/** An address of the crawl may not be visited. */
export async function tellRobots(
  inside: Statements,
  url: Address,
  { run, dispatcher }: Omit<Admission, "crawl">,
): Promise<void> {
  await dispatcher.noteRobotsBlocked(inside, run, url);
  await dispatcher.warn(inside, run.id, ROBOTS_WARNING);
}

async function noteTrap(inside: Statements, { url, shape }: WantedLink, admission: Admission): Promise<void> {
  const { crawl, run, dispatcher } = admission;
  if (!(await markOnce(inside, crawl, keyOf(`trap ${shape}`)))) return;
  const message = "This address and those like it look endless, so they were left out.";
  await dispatcher.noteError(inside, run, { url, code: "CRAWL_TRAP", message });
  await dispatcher.warn(inside, run.id, TRAP_WARNING);
}

async function noteExternalHome(
  inside: Statements,
  { url, identity }: WantedLink,
  { crawl, run, dispatcher }: Admission,
): Promise<void> {
  if (!(await markOnce(inside, crawl, keyOf(`home ${identity}`)))) return;
  const message = "Home pages of other sites are not visited.";
  await dispatcher.noteError(inside, run, { url, code: "EXTERNAL_LINK", message });
}
