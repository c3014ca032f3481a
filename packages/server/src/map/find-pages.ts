import { type Address, foundAddress, givenAddress } from "@pergamon-dev/kit/address";
import { mayRead } from "../api/key-restrictions.ts";
import type { PageIndex } from "../history/page-index/page-index.ts";
import { isBlockedByLists } from "../accounts/threat-policy.ts";
import { bareHost } from "../fetch/urls/identity.ts";
import { siteOf } from "../fetch/urls/site.ts";
import { forEachInTurns } from "@pergamon-dev/kit/loop/in-turns";
import { type Robots, type RobotsRules, RobotsUnreachable } from "../fetch/site/robots.ts";
import type { SiteFileServices } from "../fetch/site/site-file.ts";
import { readSitemaps, type SitemapEntry } from "../fetch/site/sitemaps.ts";
import type { ScrapeJob } from "../scrape/request/job.ts";
import { patternsOf } from "../fetch/urls/pattern-lists.ts";
import type { MatchPatterns } from "../scrape/page/pattern-matching.ts";
import { type FoundPage, type MapLink, MapLinks } from "./links.ts";
import type { MapRequest } from "./request.ts";
import { rarity } from "@pergamon-dev/facts/answers/unit-index";
import { stemOf, wordsOf } from "@pergamon-dev/facts/answers/words";

export interface FindServices extends SiteFileServices {
  readonly robots: Robots;
  readonly matchPatterns: MatchPatterns;
  readonly pageIndex: Pick<PageIndex, "copies">;
}

interface MapOrder {
  readonly request: MapRequest;
  /** Visit of the start page. */
  readonly job: ScrapeJob;
  /** True: pages that robots.txt forbids are neither visited nor listed. */
  readonly obeysRobots: boolean;
  /** Makes that visit. Undefined when the page does not answer. */
  readonly visitStart: (signal: AbortSignal) => Promise<StartPage | undefined>;
}

/** Start page of a map. */
export interface StartPage {
  /** URL after redirects. */
  readonly url: Address;
  readonly links: readonly Address[];
  readonly title?: string | undefined;
  readonly description?: string | undefined;
}

/** Maximum stored pages that are read. */
const MAX_STORED = 10_000;

/** Finds the pages of a site. Its results can be read at any time. */
export class PageFinder {
  readonly #order: MapOrder;
  readonly #services: FindServices;
  #start: URL;
  #links: MapLinks;
  /** Found entries that are not processed yet. */
  #waiting: SitemapEntry[] = [];
  #sources = 0;
  #forbidden = 0;

  constructor(order: MapOrder, services: FindServices) {
    this.#order = order;
    this.#services = services;
    this.#start = new URL(order.job.plan.visit.url);
    this.#links = this.#begin();
  }

  /**
   * The pages found so far. With search words, the best come first.
   * @throws PatternsTooSlow; the signal's reason, once it is aborted.
   */
  async links(signal: AbortSignal): Promise<readonly MapLink[]> {
    await this.#list(signal);
    await this.#describe(signal);
    const { search, limit } = this.#order.request;
    const links = this.#links.all();
    const ranked = search === undefined ? links : await rankLinks(links, search, signal);
    return ranked.slice(0, Math.floor(limit));
  }

  /** Number of addresses that robots.txt forbids. */
  get forbidden(): number {
    return this.#forbidden;
  }

  /** Whether the start page or a sitemap answered. */
  get hasAnswer(): boolean {
    return this.#sources > 0;
  }

  /** Whether there is a result: a source answered, or a page besides the start was found. */
  get hasFound(): boolean {
    const found = this.#links.size + this.#waiting.length;
    return this.hasAnswer || found > (this.#order.request.sitemap === "only" ? 0 : 1);
  }

  /**
   * Reads the sources in the order in which they are listed: the start, sitemaps, links of the start page,
   * and stored pages. Redirects of the start page decide the site.
   * @throws the signal's reason, once it is aborted; exceptions of the visit of the start page.
   */
  async find(signal: AbortSignal): Promise<void> {
    const early = new AbortController();
    const sitemaps = this.#addSitemaps(AbortSignal.any([signal, early.signal]));
    sitemaps.catch(() => undefined);
    const isForbidden = (await this.#forbiddenOf([this.#start], signal)).has(this.#start);
    const page = isForbidden ? undefined : await this.#order.visitStart(signal);
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

  /** Lists waiting entries, as far as they fit. */
  async #list(signal: AbortSignal): Promise<void> {
    const links = this.#links;
    const { request } = this.#order;
    const pages: FoundPage[] = [];
    await forEachInTurns(this.#waiting.splice(0), signal, (entry) => {
      const page = links.read(entry);
      if (page) pages.push(page);
    });
    const task = { patterns: patternsOf(request), urls: pages.map(({ link }) => link.url) };
    const rules = this.#hasPatterns ? (await this.#services.matchPatterns(task, signal)).rules : [];
    const urls = pages.map(({ link }) => new URL(link.url));
    const forbidden = await this.#forbiddenOf(urls, signal);
    this.#forbidden += forbidden.size;
    await forEachInTurns(pages, signal, (page, index) => {
      if (rules[index] === undefined && !forbidden.has(urls[index])) links.add(page);
    });
    if (links.isTooLarge) links.keepFirst(await rankLinks(links.all(), request.search ?? "", signal));
  }

  /** Of these addresses, those that robots.txt forbids. Of a site that does not return it, all. */
  async #forbiddenOf(urls: readonly URL[], signal: AbortSignal): Promise<ReadonlySet<URL | undefined>> {
    const forbidden = new Set<URL>();
    if (!this.#order.obeysRobots) return forbidden;
    const { job } = this.#order;
    const rules = new Map<string, RobotsRules | undefined>();
    for (const origin of new Set(urls.map((url) => url.origin))) {
      const asking = this.#services.robots.rulesOf(origin, { job, asker: job.id }, signal);
      rules.set(origin, await asking.catch(ignoreUnreachable));
    }
    await forEachInTurns(urls, signal, (url) => {
      if (!rules.get(url.origin)?.allows(url)) forbidden.add(url);
    });
    return forbidden;
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
      // With search words, the best page may be found last.
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

  /** Adds what the team's own copies of pages say to links that have no title. */
  async #describe(signal: AbortSignal): Promise<void> {
    const { request, job } = this.#order;
    if (!request.useIndex) return;
    const { teamId, restrictions } = job.caller;
    const untitled = this.#links.all().filter(({ title }) => title === undefined);
    const urls = untitled.slice(0, MAX_STORED).map(({ url }) => url);
    const { pageIndex, log } = this.#services;
    const copies = await pageIndex.copies({ teamId, urls }, signal).catch((failure: unknown) => {
      signal.throwIfAborted();
      log.warn({ failure }, "Stored pages could not be read for the titles of a map.");
    });
    for (const { url, title, description } of copies?.values() ?? [])
      this.#links.describe({
        url: givenAddress(url),
        title,
        ...(mayRead(restrictions, "markdown") && { description }),
      });
  }

  /** Stored pages are keyed without `www.`, for every site. */
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

/** A map lists pages without visiting them, so it does not depend on robots.txt rules. */
function ignoreUnreachable(failure: unknown): undefined {
  if (!(failure instanceof RobotsUnreachable)) throw failure;
}

/** Common parameters of BM25: saturation of repeated words, and weight of the length. */
const SATURATION = 1.2;
const LENGTH_WEIGHT = 0.75;
/** Further words of a query are ignored. */
const MAX_WORDS = 32;
/** Scores are compared to a millionth. */
const SCORE_STEPS = 1e6;
/** More links than a map can hold. A number has room for a score and a position. */
const MAX_LINKS = 2 ** 20;

/**
 * Ranks links by how well the words of their path, title and description match a query, the best first
 * (BM25). Links without any of its words keep their order and come last.
 * @throws the signal's reason, once it is aborted.
 */
export async function rankLinks(
  links: readonly MapLink[],
  query: string,
  signal: AbortSignal,
): Promise<readonly MapLink[]> {
  const asked = askedWords(query);
  const { stems } = asked;
  /** How often each word of the query is in each link, in halves: similar words count half. */
  const counts = new Uint16Array(links.length * stems.length);
  const lengths = new Uint16Array(links.length);
  const linksWith = stems.map(() => 0);
  let words = 0;
  await forEachInTurns(links, signal, (link, index) => {
    const own = counts.subarray(index * stems.length, (index + 1) * stems.length);
    lengths[index] = countWords(link, asked, own);
    words += lengths[index] ?? 0;
    for (const [place, count] of own.entries()) if (count > 0) linksWith[place] = (linksWith[place] ?? 0) + 1;
  });
  const weights = linksWith.map((count) => rarity(count, links.length));
  const averageLength = Math.max(1, words) / Math.max(1, links.length);
  // Sorting numbers takes some milliseconds, sorting objects as many tenths of a second.
  const keys = new Float64Array(links.length);
  await forEachInTurns(links, signal, (_link, index) => {
    const size = 1 - LENGTH_WEIGHT + (LENGTH_WEIGHT * (lengths[index] ?? 0)) / averageLength;
    const score = weights.reduce(
      (sum, weight, place) =>
        sum + weight * saturated((counts[index * stems.length + place] ?? 0) / EXACT, size),
      0,
    );
    keys[index] = index - Math.round(score * SCORE_STEPS) * MAX_LINKS;
  });
  return Array.from(keys.sort(), (key) => links[((key % MAX_LINKS) + MAX_LINKS) % MAX_LINKS] as MapLink);
}

function saturated(count: number, size: number): number {
  return (count * (SATURATION + 1)) / (count + SATURATION * size);
}

const EXACT = 2;
const SIMILAR = 1;
/** A shorter beginning says little about a word. */
const MIN_BEGINNING = 4;

interface AskedWords {
  readonly stems: readonly string[];
  /** Stem → position among the stems. */
  readonly places: ReadonlyMap<string, number>;
  /** Two neighbours of the query in one word → their positions. */
  readonly joined: ReadonlyMap<string, readonly number[]>;
}

function askedWords(query: string): AskedWords {
  const words = wordsOf(query);
  const stems = [...new Set(words.map(stemOf))].slice(0, MAX_WORDS);
  const places = new Map(stems.map((stem, place) => [stem, place]));
  const pairs = words.slice(1, MAX_WORDS).map((word, before) => [words[before] ?? "", word] as const);
  const joined = pairs.map(([one, other]) => {
    const own = [one, other].flatMap((word) => places.get(stemOf(word)) ?? []);
    return [one + other, own] as const;
  });
  return { stems, places, joined: new Map(joined) };
}

/** @returns the number of words. */
function countWords(link: MapLink, asked: AskedWords, counts: Uint16Array): number {
  const words = wordsOf(textOf(link));
  const count = (place: number, halves: number) => (counts[place] = (counts[place] ?? 0) + halves);
  for (const [at, word] of words.entries()) {
    const place = asked.places.get(stemOf(word));
    if (place !== undefined) count(place, EXACT);
    else for (const similar of similarTo(word, words[at + 1], asked)) count(similar, SIMILAR);
  }
  return words.length;
}

/** Places of words that this one begins with or begins, or that it and its neighbour make together. */
function similarTo(
  word: string,
  next: string | undefined,
  { stems, places, joined }: AskedWords,
): readonly number[] {
  const together = next === undefined ? undefined : places.get(stemOf(word + next));
  if (together !== undefined) return [together];
  const apart = joined.get(word);
  if (apart) return apart;
  const found = stems.findIndex((stem) => isBeginning(stem, word) || isBeginning(word, stem));
  return found < 0 ? [] : [found];
}

function isBeginning(short: string, long: string): boolean {
  return short.length >= MIN_BEGINNING && long.startsWith(short);
}

function textOf({ url, title = "", description = "" }: MapLink): string {
  const { pathname, search } = new URL(url);
  return `${readable(pathname + search)} ${title} ${description}`;
}

function readable(path: string): string {
  try {
    return decodeURIComponent(path);
  } catch {
    return path;
  }
}
