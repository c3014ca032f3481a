import type { PageOutline } from "@pergamon-dev/html/selection/page-outline";
import { type Address, foundAddress, givenAddress } from "@pergamon-dev/kit/address";
import { forEachInTurns } from "@pergamon-dev/kit/loop/in-turns";
import { routeOf } from "@pergamon-dev/kit/url";
import { LRUCache } from "lru-cache";

import { CRAWL_PATIENCE_MS, type Robots, type RobotsRules } from "../fetch/site/robots.ts";
import { identityOf } from "../fetch/urls/identity.ts";
import { patternsOf } from "../fetch/urls/pattern-lists.ts";
import {
  type CrawlScope,
  type FoundLink,
  isOfSite,
  type Refusal,
  refusalOf,
  refusalOfArrival,
} from "../fetch/urls/scope.ts";
import { siteOf } from "../fetch/urls/site.ts";
import { shapeOf } from "../fetch/urls/traps.ts";
import type { MatchPatterns } from "../scrape/page/pattern-matching.ts";
import type { ScrapeJob } from "../scrape/request/job.ts";
import type { CrawlOptions } from "./request.ts";
import type { CrawlTask } from "./page.ts";
import { type Crawl, type FrontierUrl, keyOf } from "./frontier.ts";
import { type Outcome, outcomeOf, type RobotsState } from "./outcomes.ts";

interface UrlPolicyContext {
  readonly scraping: { readonly robots: Robots };
  readonly matchPatterns: MatchPatterns;
  readonly knownLinks: KnownLinks;
}

interface JudgedPage {
  readonly crawling: CrawlTask;
  readonly page: FrontierUrl;
  /** Job for fetching robots.txt and sitemaps. Undefined if no key may ask for them any more. */
  readonly siteJob: () => Promise<ScrapeJob | undefined>;
}

/** URL and identity of a page, or those where its visit ended. */
export interface Arrival {
  readonly url: Address;
  readonly identity: string;
}

export interface DocumentMark {
  readonly why: "canonical" | "content";
  readonly mark: string;
}

/** Why a page does not belong to the crawl. */
export interface Refused {
  readonly outcome: Outcome;
  /** URL that robots.txt forbids. */
  readonly robots?: Arrival;
  readonly error?: { readonly url: Address; readonly code: string; readonly message: string };
  /** True: no other page is visited either. */
  readonly isWholeCrawl?: boolean;
}

/** Errors of a start that must not be crawled. */
const DENIALS: Partial<Record<Refusal, string>> = {
  kind: "The start is a kind of file that crawls leave out. Scrape it instead.",
  pattern: "The start does not fit includePaths and excludePaths, which hold for it, too.",
  robots: "The robots.txt of the site keeps robots from the start.",
};
const ELSEWHERE = "The page leads to a place that does not belong to the crawl.";

export class UrlPolicy {
  readonly #judged: JudgedPage;
  readonly #services: UrlPolicyContext;
  readonly #scopes = new Map<string, CrawlScope>();
  readonly #origins = new Map<string, RobotsState>();

  constructor(judged: JudgedPage, services: UrlPolicyContext) {
    this.#judged = judged;
    this.#services = services;
  }

  /** Checks robots.txt of hosts that were unknown when the page was found, and the rules for the start. */
  async refusedBefore(): Promise<Refused | undefined> {
    const { crawling, page } = this.#judged;
    const url = new URL(page.url);
    if (this.#isStart && crawling.plan.options.ignoreRobotsTxt) this.#origins.set(url.origin, "ignored");
    const scope = await this.#scopeAt(url, crawling.crawl.siteUrl);
    const rule = isOfSite(url, scope) ? scope.robotsRule(url) : undefined;
    const robots = rule === undefined ? undefined : this.arrivalAt(url);
    if (!this.#isStart) return robots && { robots, outcome: outcomeOf("robots", rule) };
    const pattern = await this.#patternAgainst(url);
    const fitsPatterns = () => pattern === undefined;
    const why = refusalOf({ url, depth: 0, isFromSite: true }, { ...scope, fitsPatterns });
    const message = why && DENIALS[why];
    if (!why || message === undefined) return undefined;
    const error = { url: page.url, code: "CRAWL_DENIAL", message };
    const outcome = outcomeOf(why, why === "robots" ? rule : pattern);
    return { ...(why === "robots" && robots && { robots }), error, outcome, isWholeCrawl: true };
  }

  /** Checks the final URL, because redirects may lead anywhere. */
  async refusedAt(arrived: URL): Promise<Refused | undefined> {
    const { page } = this.#judged;
    const scope = await this.#scopeAt(arrived, this.siteUrlAt(arrived));
    const wasOfSite = this.#wasOfSite(scope);
    const pattern = await this.#patternAgainst(arrived);
    const fitsPatterns = () => pattern === undefined;
    const why = refusalOfArrival(arrived, { wasOfSite }, { ...scope, fitsPatterns });
    if (why === undefined) return undefined;
    const outcome = { kind: "redirected", detail: arrived.href } as const;
    if (why === "robots") return { robots: this.arrivalAt(arrived), outcome };
    return { error: { url: page.url, code: "EXTERNAL_LINK", message: ELSEWHERE }, outcome };
  }

  /** URL that decides which pages belong to the crawl after this page has ended at `arrived`. */
  siteUrlAt(arrived: URL): string {
    const { crawling, page } = this.#judged;
    return this.#isStart ? siteAfterStart(new URL(page.url), arrived) : crawling.crawl.siteUrl;
  }

  /** Links of the page without those that are remembered as known. */
  async linksOf(arrived: URL, outline: PageOutline | undefined): Promise<SortedLinks> {
    const { crawling, page } = this.#judged;
    const { options } = crawling.plan;
    const found = options.sitemap === "only" ? [] : (outline?.links ?? []);
    const urls = this.#services.knownLinks.without(crawling.task.job.id, found);
    if (urls.length === 0) return NO_LINKS;
    const scope = await this.#scopeAt(arrived, this.siteUrlAt(arrived));
    const order = { urls, depth: page.depth + 1, isFromSite: this.#wasOfSite(scope) };
    return sortLinks(
      order,
      { options, scope, match: this.#services.matchPatterns },
      this.#judged.crawling.task.signal,
    );
  }

  /** Call this when the transaction that wrote these links has committed. */
  remember(links: readonly Pick<WantedLink, "url">[]): void {
    const urls = links.map(({ url }) => url);
    this.#services.knownLinks.add(this.#judged.crawling.task.job.id, urls);
  }

  arrivalAt(url: URL): Arrival {
    return { url: givenAddress(url.href), identity: identityKey(url, this.#judged.crawling.plan.options) };
  }

  /** Origins whose robots.txt was asked for now. */
  get origins(): ReadonlyMap<string, RobotsState> {
    return this.#origins;
  }

  /** Refused links that no other page can make wanted. */
  lasting(refused: readonly RefusedLink[]): readonly RefusedLink[] {
    if (!this.#judged.crawling.plan.options.allowExternalLinks) return refused;
    return refused.filter(({ why }) => why !== "host");
  }

  /** Marks of a document: pages that name the same address as their own and have the same text are one. */
  marksOf(outline: PageOutline | undefined): readonly DocumentMark[] {
    if (!outline) return [];
    const { options } = this.#judged.crawling.plan;
    const { canonical, exactHash } = outline;
    const marks: DocumentMark[] = [];
    if (options.deduplicateSimilarURLs && canonical !== undefined) {
      const { identity } = this.arrivalAt(new URL(canonical));
      marks.push({ why: "canonical", mark: keyOf(`canonical ${identity} ${exactHash}`) });
    }
    if (options.deduplicateContent) marks.push({ why: "content", mark: keyOf(`content ${exactHash}`) });
    return marks;
  }

  /** Minimum time between the beginnings of two visits to the page's host. */
  get gapMs(): number {
    const { crawling, page } = this.#judged;
    const { options } = crawling.plan;
    const rules = this.#services.scraping.robots.known(new URL(page.url).origin, crawling.task.job.id);
    return options.ignoreRobotsTxt ? 0 : (rules?.crawlDelayMs ?? 0);
  }

  get #isStart(): boolean {
    return this.#judged.crawling.crawl.stage === "start";
  }

  #wasOfSite(scope: CrawlScope): boolean {
    return this.#isStart || isOfSite(new URL(this.#judged.page.url), scope);
  }

  /**
   * The rules of the crawl with the robots.txt of the host, if it belongs to the site. @throws
   * RobotsUnreachable.
   */
  async #scopeAt(url: URL, siteUrl: string): Promise<CrawlScope> {
    const { crawling, siteJob } = this.#judged;
    const { task, store, plan } = crawling;
    const { job, signal } = task;
    const { robots } = this.#services.scraping;
    const { ignoreRobotsTxt, robotsUserAgent: agent } = plan.options;
    const scope = this.#scopeOf(siteUrl);
    const isAsked = !ignoreRobotsTxt && isOfSite(url, scope) && !robots.known(url.origin, job.id);
    const siteScrape = isAsked ? await siteJob() : undefined;
    if (!siteScrape) return scope;
    const order = { job: siteScrape, asker: job.id, agent, patienceMs: CRAWL_PATIENCE_MS };
    const asking = robots.rulesOf(url.origin, order, signal);
    this.#origins.set(url.origin, "unreachable");
    const { isThere } = await store.dispatcher.withoutSlot(job, asking);
    this.#origins.set(url.origin, isThere ? "found" : "missing");
    return scope;
  }

  #scopeOf(siteUrl: string): CrawlScope {
    const known = this.#scopes.get(siteUrl);
    if (known) return known;
    const { task, plan } = this.#judged.crawling;
    const scope = scopeOf({ siteUrl }, plan.options, (origin) =>
      this.#services.scraping.robots.known(origin, task.job.id),
    );
    this.#scopes.set(siteUrl, scope);
    return scope;
  }

  async #patternAgainst(url: URL): Promise<string | undefined> {
    const { plan, task } = this.#judged.crawling;
    const services = { options: plan.options, match: this.#services.matchPatterns };
    return (await patternsAgainst([url.href], services, task.signal))[0];
  }
}

/** A link that belongs to the crawl. Its page may be known already. */
export interface WantedLink {
  /** Position among the links that were found with it. */
  readonly order: number;
  readonly url: Address;
  readonly identity: string;
  readonly shape: string;
}

/** Links of a page or a sitemap, sorted by the rules. */
export interface SortedLinks {
  /** In document order. */
  readonly wanted: readonly WantedLink[];
  readonly refused: readonly RefusedLink[];
}

export interface RefusedLink extends WantedLink {
  readonly why: Refusal;
  /** Rule of robots.txt, or pattern. */
  readonly rule?: string | undefined;
}

export const NO_LINKS: SortedLinks = { wanted: [], refused: [] };

/** Links of one page or of a part of a sitemap. */
interface LinkOrder {
  readonly urls: readonly Address[];
  readonly depth: number;
  readonly isFromSite: boolean;
}

interface SortContext {
  readonly options: CrawlOptions;
  readonly scope: CrawlScope;
  readonly match: MatchPatterns;
}

/**
 * Sorts links by all rules of the crawl. It does not check whether they are new.
 * @throws the signal's reason once it is aborted.
 */
export async function sortLinks(
  { urls, depth, isFromSite }: LinkOrder,
  { options, scope, match }: SortContext,
  signal: AbortSignal,
): Promise<SortedLinks> {
  const judged = await inScope(urls, { depth, isFromSite }, scope, signal);
  const inPlace = judged.filter(({ refusal }) => refusal === "pattern");
  const urlsInPlace = inPlace.map(({ link }) => link.url.href);
  const patterns = await patternsAgainst(urlsInPlace, { options, match }, signal);
  let matched = 0;
  const wanted: WantedLink[] = [];
  const refused: RefusedLink[] = [];
  await forEachInTurns(judged, signal, ({ link, refusal: first }) => {
    const pattern = first === "pattern" ? patterns[matched++] : undefined;
    const fitsPatterns = () => pattern === undefined;
    const refusal = first === "pattern" ? refusalOf(link, { ...scope, fitsPatterns }) : first;
    const sorted = describe(link.url, wanted.length, options);
    if (!sorted || refusal === "scheme") return;
    if (refusal === undefined) wanted.push(sorted);
    else {
      const rule = refusal === "robots" ? scope.robotsRule(link.url) : pattern;
      refused.push({ ...sorted, why: refusal, rule });
    }
  });
  return { wanted, refused };
}

interface JudgedLink {
  readonly link: FoundLink;
  readonly refusal: Refusal | undefined;
}

/** Patterns may be slow, so the other rules come first. */
async function inScope(
  urls: readonly Address[],
  found: Omit<FoundLink, "url">,
  scope: CrawlScope,
  signal: AbortSignal,
): Promise<readonly JudgedLink[]> {
  const early = { ...scope, fitsPatterns: () => false };
  const links: JudgedLink[] = [];
  await forEachInTurns(urls, signal, (text) => {
    if (!URL.canParse(text)) return;
    const link = { ...found, url: pageUrl(text) };
    links.push({ link, refusal: refusalOf(link, early) });
  });
  return links;
}

/** For each URL the pattern that leaves it out. Empty when there are no patterns. */
async function patternsAgainst(
  urls: readonly string[],
  { options, match }: Pick<SortContext, "options" | "match">,
  signal: AbortSignal,
): Promise<readonly (string | undefined)[]> {
  if (options.includePaths.length + options.excludePaths.length === 0) return [];
  return (await match({ patterns: patternsOf(options), urls }, signal)).rules;
}

/** Removes the user name, the password, and a fragment that is not a route. */
function pageUrl(text: string): URL {
  const url = new URL(text);
  url.hash = routeOf(url.hash);
  url.username = "";
  url.password = "";
  return url;
}

/** Undefined when the normalised URL is too long. */
function describe(url: URL, order: number, options: CrawlOptions): WantedLink | undefined {
  const address = foundAddress(url.href);
  return address && { order, url: address, identity: identityKey(url, options), shape: shapeOf(url) };
}

/** Short key that all spellings of a page share. */
export function identityKey(url: URL, options: CrawlOptions): string {
  const { deduplicateSimilarURLs: isSimilarSame, ignoreQueryParameters: ignoresQuery } = options;
  return keyOf(identityOf(url, { isSimilarSame, ignoresQuery }));
}

/** Returns the robots.txt rules of an origin. Undefined when they were not fetched yet. */
type KnownRobots = (origin: string) => RobotsRules | undefined;

/**
 * Decides which pages belong to the crawl, as far as that is possible synchronously. Patterns are checked
 * elsewhere. Unknown robots.txt files are fetched when the first page of their host is visited.
 */
export function scopeOf({ siteUrl }: Pick<Crawl, "siteUrl">, options: CrawlOptions, known: KnownRobots) {
  return {
    site: siteOf(new URL(siteUrl)),
    hasAllPaths: options.crawlEntireDomain,
    hasSubdomains: options.allowSubdomains,
    hasExternalLinks: options.allowExternalLinks,
    maxDepth: options.maxDiscoveryDepth,
    fitsPatterns: () => true,
    robotsRule: (url) => (options.ignoreRobotsTxt ? undefined : known(url.origin)?.ruleAgainst(url)),
  } satisfies CrawlScope;
}

/**
 * URL that decides which pages belong to the crawl after its start has ended: on the host where it ended, and
 * below the requested path unless the site has moved that.
 */
function siteAfterStart(asked: URL, arrived: URL): string {
  const moved = new URL(asked.pathname, arrived.origin);
  return siteOf(moved).isBelow(arrived) ? moved.href : arrived.href;
}

/** Some 3 MB for short URLs, and no more for long ones. More would hardly be asked for: a page has few links that its site has not on most pages. */
/** What a remembered link takes beside its characters. */
const LINK_OVERHEAD = 150;
const REMEMBERED_LENGTH = 2 * 1024 * 1024;

/**
 * Caches links that are in the frontier already, in the spelling of pages. Most links of a page are in the
 * menu that all pages of its site share, and known links need not be judged and written again.
 */
export class KnownLinks {
  readonly #urls = new LRUCache<string, true>({
    maxSize: REMEMBERED_LENGTH,
    sizeCalculation: (_isKnown, key) => key.length + LINK_OVERHEAD,
  });

  /** Links that may be new. */
  without(jobId: string, urls: readonly Address[]): readonly Address[] {
    return urls.filter((url) => this.#urls.get(`${jobId} ${url}`) === undefined);
  }

  /** Call this when the transaction that wrote them has committed. */
  add(jobId: string, urls: readonly string[]): void {
    for (const url of urls) this.#urls.set(`${jobId} ${url}`, true);
  }

  letGo(): void {
    this.#urls.clear();
  }
}
