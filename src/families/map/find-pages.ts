import { isBlockedByLists } from "../../accounts/threat-policy.ts";
import { bareHost } from "../../crawl-rules/identity.ts";
import { siteOf } from "../../crawl-rules/site.ts";
import type { ScrapeJob } from "../../scrape/request/job.ts";
import type { SiteFileServices } from "../site-files/site-files.ts";
import { readRobots } from "../site-files/site-robots.ts";
import { readSitemaps } from "../site-files/site-sitemaps.ts";
import { patternsOf } from "../request/pattern-lists.ts";
import type { MatchPatterns } from "../../page/pattern-matching.ts";
import { type MapLink, MapLinks } from "./map-links.ts";
import type { MapRequest } from "./map-request.ts";

export interface FindServices extends SiteFileServices {
  /** What this service is called in robots.txt. */
  readonly robotsAgent: string;
  readonly matchPatterns: MatchPatterns;
}

/** What is mapped, and for whom. */
export interface MapOrder {
  readonly request: MapRequest;
  /** The visit of the start page. */
  readonly job: ScrapeJob;
  /** Makes that visit; undefined when the page does not answer. */
  readonly visitStart: (signal: AbortSignal) => Promise<StartPage | undefined>;
}

/** The page that a map starts from. */
export interface StartPage {
  /** After redirects. */
  readonly url: string;
  readonly links: readonly string[];
  readonly title?: string | undefined;
  readonly description?: string | undefined;
}

/** Pages of the own store that are looked at. */
const MAX_STORED = 10_000;

/** Finds the pages of a site. What it found so far can be read at any time. */
export class PageFinder {
  readonly #order: MapOrder;
  readonly #services: FindServices;
  #start: URL;
  #links: MapLinks;
  #sources = 0;

  constructor(order: MapOrder, services: FindServices) {
    this.#order = order;
    this.#services = services;
    this.#start = new URL(order.job.plan.visit.url);
    this.#links = this.#begin();
  }

  /**
   * The pages found so far that fit the patterns.
   * @throws the signal's reason, once it is aborted.
   */
  async links(signal: AbortSignal): Promise<readonly MapLink[]> {
    const links = this.#links.all();
    if (!this.#hasPatterns) return links;
    const task = { patterns: patternsOf(this.#order.request), urls: links.map(({ url }) => url) };
    const { fits } = await this.#services.matchPatterns(task, signal);
    return links.filter((_link, index) => fits[index] === true);
  }

  /** Whether anything answered: the start page, or a sitemap. */
  get hasAnswer(): boolean {
    return this.#sources > 0;
  }

  /** Whether there is anything to tell: the start alone is nothing that was found. */
  get hasFound(): boolean {
    return this.hasAnswer || this.#links.size > (this.#order.request.sitemap === "only" ? 0 : 1);
  }

  /**
   * Looks at the sources in the order in which they are listed: the start, sitemaps, links of the start page, and pages
   * that are stored. The site is the one that the start page ends at.
   * @throws the signal's reason, once it is aborted; what the visit of the start page throws.
   */
  async find(signal: AbortSignal): Promise<void> {
    const early = new AbortController();
    const sitemaps = this.#addSitemaps(AbortSignal.any([signal, early.signal]));
    sitemaps.catch(() => undefined);
    const page = await this.#order.visitStart(signal);
    if (page) this.#sources += 1;
    if (page && !siteOf(this.#start).isHost(new URL(page.url))) {
      early.abort();
      await sitemaps.catch(() => signal.throwIfAborted());
      this.#start = new URL(page.url);
      this.#links = this.#begin();
      await this.#addSitemaps(signal);
    } else {
      await sitemaps;
    }
    if (this.#order.request.sitemap === "only") return;
    if (page) this.#addPage(page);
    await this.#addStored();
  }

  get #hasPatterns(): boolean {
    const { includePaths, excludePaths } = this.#order.request;
    return includePaths.length + excludePaths.length > 0;
  }

  #begin(): MapLinks {
    const { sitemap, ignoreQueryParameters, limit, search } = this.#order.request;
    // The best may be found last, and patterns are looked at in the end.
    const isOpen = search !== undefined || this.#hasPatterns;
    const links = new MapLinks({
      accepts: this.#filter(),
      ignoresQuery: ignoreQueryParameters,
      limit: isOpen ? Number.POSITIVE_INFINITY : Math.floor(limit),
    });
    if (sitemap !== "only") links.add({ url: this.#start.href });
    return links;
  }

  #filter(): (url: URL) => boolean {
    const { job, request } = this.#order;
    const { includeSubdomains, allowExternalLinks } = request;
    const site = siteOf(this.#start);
    const isBelowPath = request.filterByPath && !allowExternalLinks && this.#start.pathname !== "/";
    const { threatPolicy } = job;
    const { blockedSites } = this.#services;
    return (url) =>
      (allowExternalLinks || (includeSubdomains ? site.isDomain(url) : site.isHost(url))) &&
      (!isBelowPath || site.isBelow(url)) &&
      !blockedSites.has(url.href) &&
      !(threatPolicy && isBlockedByLists(threatPolicy, url.href));
  }

  async #addSitemaps(signal: AbortSignal): Promise<void> {
    const { job, request } = this.#order;
    if (request.sitemap === "skip") return;
    const { robotsAgent } = this.#services;
    const start = this.#start;
    const links = this.#links;
    const order = { job, ignoresCache: request.ignoreCache };
    const agent = { agent: robotsAgent, isNamed: false };
    const robots = await readRobots(start.origin, { ...order, ...agent }, this.#services, signal);
    const files = await readSitemaps(
      { ...order, start, named: robots.sitemaps, onPage: (entry) => links.add(entry) },
      this.#services,
      signal,
    );
    this.#sources += files;
  }

  #addPage({ url, links, title, description }: StartPage): void {
    for (const link of links) this.#links.add({ url: link });
    this.#links.describe({ url, ...(title && { title }), ...(description && { description }) });
  }

  /** Stored pages are kept without `www.`, for every site. */
  async #addStored(): Promise<void> {
    const { request, job } = this.#order;
    if (!request.useIndex || this.#links.isFull) return;
    const { host } = this.#start;
    for (const url of await this.#services.cache.pagesOf(bareHost(host), job.caller.teamId, MAX_STORED)) {
      const page = new URL(url);
      page.host = host;
      this.#links.add({ url: page.href });
    }
  }
}
