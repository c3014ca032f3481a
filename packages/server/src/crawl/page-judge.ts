import { type Address, givenAddress } from "@pergamon-dev/kit/address";
import type { PageOutline } from "@pergamon-dev/html/selection/page-outline";
import { type CrawlScope, isOfSite, type Refusal, refusalOf, refusalOfArrival } from "../fetch/urls/scope.ts";
import type { MatchPatterns } from "../scrape/page/pattern-matching.ts";
import type { ScrapeJob } from "../scrape/request/job.ts";
import { CRAWL_PATIENCE_MS, type Robots } from "../fetch/site/robots.ts";
import { patternsOf } from "../fetch/urls/pattern-lists.ts";
import { scopeOf, siteAfterStart } from "./crawl-scope.ts";
import type { CrawlStep } from "./crawl-step.ts";
import { identityKey, NO_LINKS, sortLinks, type SortedLinks, type WantedLink } from "./find-links.ts";
import type { FrontierUrl } from "./frontier.ts";
import type { KnownLinks } from "./known-links.ts";

export interface JudgeServices {
  readonly robots: Robots;
  readonly matchPatterns: MatchPatterns;
  readonly knownLinks: KnownLinks;
}

interface JudgedPage {
  readonly step: CrawlStep;
  readonly page: FrontierUrl;
  /** As whom files of the site are fetched; undefined if no key may ask for them any more. */
  readonly siteJob: () => Promise<ScrapeJob | undefined>;
}

/** Where a page of a crawl is, or where its visit ended. */
export interface Arrival {
  readonly url: Address;
  readonly identity: string;
}

/** Why a page does not belong to the crawl after all. */
export interface Refused {
  /** What robots.txt keeps from being visited. */
  readonly robots?: Arrival;
  readonly error?: { readonly url: Address; readonly code: string; readonly message: string };
  /** Whether nothing else is visited, either. */
  readonly isWholeCrawl?: boolean;
}

/** What is wrong with a start that may not be crawled. */
const DENIALS: Partial<Record<Refusal, string>> = {
  kind: "The start is a kind of file that crawls leave out. Scrape it instead.",
  pattern: "The start does not fit includePaths and excludePaths, which hold for it, too.",
  robots: "The robots.txt of the site keeps robots from the start.",
};
const ELSEWHERE = "The page leads to a place that does not belong to the crawl.";

/** Tells whether a page of a crawl may be visited, and kept where the visit ended, and where it leads. */
export class PageJudge {
  readonly #judged: JudgedPage;
  readonly #services: JudgeServices;
  readonly #scopes = new Map<string, CrawlScope>();

  constructor(judged: JudgedPage, services: JudgeServices) {
    this.#judged = judged;
    this.#services = services;
  }

  /** Robots of hosts that had not been asked when the page was found, and the rules for the start. */
  async refusedBefore(): Promise<Refused | undefined> {
    const { step, page } = this.#judged;
    const url = new URL(page.url);
    const scope = await this.#scopeAt(url, step.crawl.siteUrl);
    const isBlocked = isOfSite(url, scope) && !scope.isAllowedByRobots(url);
    const robots = isBlocked ? this.arrivalAt(url) : undefined;
    if (!this.#isStart) return robots && { robots };
    const fits = await this.#fitsPatterns(url);
    const why = refusalOf({ url, depth: 0, isFromSite: true }, { ...scope, fitsPatterns: () => fits });
    const message = why && DENIALS[why];
    if (message === undefined) return undefined;
    const error = { url: page.url, code: "CRAWL_DENIAL", message };
    return { ...(why === "robots" && robots && { robots }), error, isWholeCrawl: true };
  }

  /** Redirects lead anywhere. */
  async refusedAt(arrived: URL): Promise<Refused | undefined> {
    const { page } = this.#judged;
    const scope = await this.#scopeAt(arrived, this.siteUrlAt(arrived));
    const wasOfSite = this.#wasOfSite(scope);
    const fits = await this.#fitsPatterns(arrived);
    const why = refusalOfArrival(arrived, { wasOfSite }, { ...scope, fitsPatterns: () => fits });
    if (why === undefined) return undefined;
    if (why === "robots") return { robots: this.arrivalAt(arrived) };
    return { error: { url: page.url, code: "EXTERNAL_LINK", message: ELSEWHERE } };
  }

  /** What decides what belongs to the crawl, once this page has ended there. */
  siteUrlAt(arrived: URL): string {
    const { step, page } = this.#judged;
    return this.#isStart ? siteAfterStart(new URL(page.url), arrived) : step.crawl.siteUrl;
  }

  /** Links that are not known already, as far as is remembered. */
  async linksOf(arrived: URL, outline: PageOutline | undefined): Promise<SortedLinks> {
    const { step, page } = this.#judged;
    const { options } = step.plan;
    const found = options.sitemap === "only" ? [] : (outline?.links ?? []);
    const urls = this.#services.knownLinks.without(step.crawl, found);
    if (urls.length === 0) return NO_LINKS;
    const scope = await this.#scopeAt(arrived, this.siteUrlAt(arrived));
    const order = { urls, depth: page.depth + 1, isFromSite: this.#wasOfSite(scope) };
    return sortLinks(
      order,
      { options, scope, match: this.#services.matchPatterns },
      this.#judged.step.signal,
    );
  }

  /** To be called when it is kept that these links are known. */
  remember(links: readonly WantedLink[]): void {
    const urls = links.map(({ url }) => url);
    this.#services.knownLinks.add(this.#judged.step.crawl, urls);
  }

  arrivalAt(url: URL): Arrival {
    return { url: givenAddress(url.href), identity: identityKey(url, this.#judged.step.plan.options) };
  }

  /** How far apart visits to the page's host have to begin. */
  get gapMs(): number {
    const { step, page } = this.#judged;
    const { options } = step.plan;
    const rules = this.#services.robots.known(new URL(page.url).origin, step.run.id);
    return options.ignoreRobotsTxt ? 0 : (rules?.crawlDelayMs ?? 0);
  }

  get #isStart(): boolean {
    return this.#judged.step.crawl.stage === "start";
  }

  #wasOfSite(scope: CrawlScope): boolean {
    return this.#isStart || isOfSite(new URL(this.#judged.page.url), scope);
  }

  /** The rules of the crawl, and what robots.txt of the host says where it is of the site. @throws RobotsUnreachable. */
  async #scopeAt(url: URL, siteUrl: string): Promise<CrawlScope> {
    const { step, siteJob } = this.#judged;
    const { run, place, plan, signal } = step;
    const { robots } = this.#services;
    const { ignoreRobotsTxt, robotsUserAgent: agent } = plan.options;
    const scope = this.#scopeOf(siteUrl);
    const isAsked = !ignoreRobotsTxt && isOfSite(url, scope) && !robots.known(url.origin, run.id);
    const job = isAsked ? await siteJob() : undefined;
    if (!job) return scope;
    const order = { job, asker: run.id, agent, patienceMs: CRAWL_PATIENCE_MS };
    await place.dispatcher.withoutPlace(run, robots.rulesOf(url.origin, order, signal));
    return scope;
  }

  #scopeOf(siteUrl: string): CrawlScope {
    const known = this.#scopes.get(siteUrl);
    if (known) return known;
    const { run, plan } = this.#judged.step;
    const scope = scopeOf({ siteUrl }, plan.options, (origin) => this.#services.robots.known(origin, run.id));
    this.#scopes.set(siteUrl, scope);
    return scope;
  }

  async #fitsPatterns(url: URL): Promise<boolean> {
    const { options } = this.#judged.step.plan;
    if (options.includePaths.length + options.excludePaths.length === 0) return true;
    const task = { patterns: patternsOf(options), urls: [url.href] };
    const { fits } = await this.#services.matchPatterns(task, this.#judged.step.signal);
    return fits[0] === true;
  }
}
