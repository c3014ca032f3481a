import { type Address, foundAddress, givenAddress } from "@pergamon-dev/kit/address";
import { isBlockedByLists } from "../accounts/threat-policy.ts";
import { bareHost } from "../fetch/urls/identity.ts";
import { siteOf } from "../fetch/urls/site.ts";
import { forEachInTurns } from "@pergamon-dev/kit/loop/in-turns";
import { type Robots, RobotsUnreachable } from "../fetch/site/robots.ts";
import type { SiteFileServices } from "../fetch/site/site-file.ts";
import { readSitemaps } from "../fetch/site/sitemaps.ts";
import type { ScrapeJob } from "../scrape/request/job.ts";
import { patternsOf } from "../fetch/urls/pattern-lists.ts";
import type { MatchPatterns } from "../scrape/page/pattern-matching.ts";
import type { SitemapEntry } from "../fetch/site/sitemaps.ts";
import { type FoundPage, type MapLink, MapLinks } from "./map-links.ts";
import type { MapRequest } from "./map-request.ts";
import { rankLinks } from "./rank-links.ts";

export interface FindServices extends SiteFileServices {
  readonly robots: Robots;
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
  readonly url: Address;
  readonly links: readonly Address[];
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
  /** What was found, and not looked at yet. */
  #waiting: SitemapEntry[] = [];
  #sources = 0;

  constructor(order: MapOrder, services: FindServices) {
    this.#order = order;
    this.#services = services;
    this.#start = new URL(order.job.plan.visit.url);
    this.#links = this.#begin();
  }

  /**
   * The pages found so far, the best first where they were searched for.
   * @throws PatternsTooSlow; the signal's reason, once it is aborted.
   */
  async links(signal: AbortSignal): Promise<readonly MapLink[]> {
    await this.#list(signal);
    const { search, limit } = this.#order.request;
    const links = this.#links.all();
    const ranked = search === undefined ? links : await rankLinks(links, search, signal);
    return ranked.slice(0, Math.floor(limit));
  }

  /** Whether anything answered: the start page, or a sitemap. */
  get hasAnswer(): boolean {
    return this.#sources > 0;
  }

  /** Whether there is anything to tell: the start alone is nothing that was found. */
  get hasFound(): boolean {
    const found = this.#links.size + this.#waiting.length;
    return this.hasAnswer || found > (this.#order.request.sitemap === "only" ? 0 : 1);
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
    if (page) await this.#addPage(page, signal);
    await this.#addStored();
    await this.#list(signal);
  }

  /** Lists what waits, as far as it fits. */
  async #list(signal: AbortSignal): Promise<void> {
    const links = this.#links;
    const { request } = this.#order;
    const pages: FoundPage[] = [];
    await forEachInTurns(this.#waiting.splice(0), signal, (entry) => {
      const page = links.read(entry);
      if (page) pages.push(page);
    });
    const task = { patterns: patternsOf(request), urls: pages.map(({ link }) => link.url) };
    const fits = this.#hasPatterns ? (await this.#services.matchPatterns(task, signal)).fits : undefined;
    await forEachInTurns(pages, signal, (page, index) => {
      if (fits?.[index] !== false) links.add(page);
    });
    if (links.isTooLarge) links.keepFirst(await rankLinks(links.all(), request.search ?? "", signal));
  }

  get #hasPatterns(): boolean {
    const { includePaths, excludePaths } = this.#order.request;
    return includePaths.length + excludePaths.length > 0;
  }

  #begin(): MapLinks {
    const { sitemap, ignoreQueryParameters, limit, search } = this.#order.request;
    this.#waiting = sitemap === "only" ? [] : [{ url: givenAddress(this.#start.href) }];
    return new MapLinks({
      accepts: this.#filter(),
      ignoresQuery: ignoreQueryParameters,
      // The best may be found last.
      limit: search === undefined ? Math.floor(limit) : Number.POSITIVE_INFINITY,
    });
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
    const start = this.#start;
    const links = this.#links;
    const order = { job, ignoresCache: request.ignoreCache };
    const asking = { ...order, asker: job.id };
    const robots = await this.#services.robots.rulesOf(start.origin, asking, signal).catch(ignoreUnreachable);
    const files = await readSitemaps(
      {
        ...order,
        start,
        named: robots?.sitemaps ?? [],
        onPage: (entry) => {
          this.#waiting.push(entry);
          return !links.isFull;
        },
        onPiece: () => this.#list(signal),
      },
      this.#services,
      signal,
    );
    this.#sources += files;
  }

  async #addPage({ url, links, title, description }: StartPage, signal: AbortSignal): Promise<void> {
    this.#waiting.push(...links.map((link) => ({ url: link })));
    await this.#list(signal);
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
      const address = foundAddress(page.href);
      if (address) this.#waiting.push({ url: address });
    }
  }
}

/** A map lists pages without visiting them, so rules do not matter to it. */
function ignoreUnreachable(failure: unknown): undefined {
  if (!(failure instanceof RobotsUnreachable)) throw failure;
}
