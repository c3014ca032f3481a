import { setImmediate as nextTurn } from "node:timers/promises";

import { nextChain } from "../../crawl-rules/traps.ts";
import type { Dispatcher } from "../../job-runs/dispatcher.ts";
import type { JobRun } from "../../job-runs/job-run.ts";
import type { Statements } from "../../platform/database/database.ts";
import { type Crawl, reserveNumbers } from "./crawl-rows.ts";
import type { RefusedLink, SortedLinks, WantedLink } from "./find-links.ts";
import { insertUrls, isKnown, keyOf, markOnce, type NewUrl, noteBlocked } from "./frontier.ts";

/** A page that became a document, as far as its links depend on it. */
export interface LinkingPage {
  readonly depth: number;
  readonly chain: number;
  /** Of the address where it ended. */
  readonly shape: string;
  readonly textHash: string;
}

interface Admission {
  readonly crawl: Crawl;
  readonly run: JobRun;
  readonly dispatcher: Dispatcher;
}

const ROBOTS_WARNING =
  "One or more pages were unable to be crawled because the robots.txt file prevented this. They are listed under errors.";
const TRAP_WARNING = "Some branches were left out: they look endless.";
/** Refusals that are written in one turn. */
const SLICE = 100;
/** Clients are shown as many. */
const MAX_REFUSALS = 10_000;

/** Writes where a sitemap leads. */
export async function admitEntries(
  inside: Statements,
  { wanted, refused }: SortedLinks,
  admission: Admission,
): Promise<void> {
  const { crawl } = admission;
  const urls = wanted.map((link) => ({ ...link, depth: 0, chain: 0 }));
  const areNew = await insertUrls(inside, crawl, await reserve(inside, crawl, wanted), urls);
  await noteRefused(inside, refused, admission);
  await admitted(inside, areNew, admission);
}

/**
 * Writes where a page leads. Links of its own shape depend on whether it brought anything new (families, section 4.8).
 * @returns the links that are in the frontier now, whether they were new or not.
 */
export async function admitLinks(
  inside: Statements,
  page: LinkingPage,
  { wanted, refused }: SortedLinks,
  admission: Admission,
): Promise<readonly WantedLink[]> {
  const { crawl } = admission;
  const depth = page.depth + 1;
  const others = wanted.filter(({ shape }) => shape !== page.shape);
  const same = wanted.filter(({ shape }) => shape === page.shape);
  const first = await reserve(inside, crawl, wanted);
  const urlsOf = (links: readonly WantedLink[], chain: number): readonly NewUrl[] =>
    links.map((link) => ({ ...link, depth, chain }));
  const areNew = await insertUrls(inside, crawl, first, urlsOf(others, 0));
  const isTextNew = await markOnce(inside, crawl, keyOf(`text ${page.shape} ${page.textHash}`));
  const isStale = !isTextNew && !areNew.includes(true);
  const chain = nextChain({ chain: page.chain, isStale });
  await noteRefused(inside, refused, admission);
  if (chain === undefined) {
    await noteRefused(inside, await unknown(inside, same, crawl), admission);
    await admitted(inside, areNew, admission);
    return others;
  }
  const areNewToo = await insertUrls(inside, crawl, first, urlsOf(same, chain));
  await admitted(inside, [...areNew, ...areNewToo], admission);
  return wanted;
}

/** @returns the first of the numbers for these links. */
function reserve(inside: Statements, crawl: Crawl, links: readonly WantedLink[]): Promise<number> {
  return reserveNumbers(inside, crawl, (links.at(-1)?.order ?? -1) + 1);
}

async function admitted(
  inside: Statements,
  areNew: readonly boolean[],
  { run, dispatcher }: Admission,
): Promise<void> {
  await dispatcher.admit(inside, run.id, areNew.filter(Boolean).length);
}

/** Links of a chain that is too long, but for those that are known from elsewhere. */
async function unknown(
  inside: Statements,
  links: readonly WantedLink[],
  crawl: Crawl,
): Promise<readonly RefusedLink[]> {
  const refused: RefusedLink[] = [];
  for (const link of links) {
    if (!(await isKnown(inside, crawl, link.identity))) refused.push({ ...link, why: "trap" });
  }
  return refused;
}

async function noteRefused(
  inside: Statements,
  refused: readonly RefusedLink[],
  admission: Admission,
): Promise<void> {
  const note = { robots: noteRobots, trap: noteTrap, "external-home": noteExternalHome };
  for (const [index, link] of refused.slice(0, MAX_REFUSALS).entries()) {
    if (index % SLICE === SLICE - 1) await nextTurn();
    await note[link.why](inside, link, admission);
  }
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
  url: string,
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
