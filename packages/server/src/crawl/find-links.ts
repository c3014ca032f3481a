import { type Address, foundAddress } from "@pergamon-dev/kit/address";
import { identityOf } from "../fetch/urls/identity.ts";
import { type CrawlScope, type FoundLink, type Refusal, refusalOf } from "../fetch/urls/scope.ts";
import { shapeOf } from "../fetch/urls/traps.ts";
import { forEachInTurns } from "@pergamon-dev/kit/loop/in-turns";
import { routeOf } from "@pergamon-dev/kit/url";
import type { MatchPatterns } from "../scrape/page/pattern-matching.ts";
import { patternsOf } from "../fetch/urls/pattern-lists.ts";
import type { CrawlOptions } from "./crawl-request.ts";
import { keyOf } from "./frontier.ts";

/** A link that belongs to the crawl, unless its page is known already. */
export interface WantedLink {
  /** Where it stands among the links it was found with. */
  readonly order: number;
  readonly url: Address;
  readonly identity: string;
  readonly shape: string;
}

/** Where a page or a sitemap leads, sorted. */
export interface SortedLinks {
  /** In document order. */
  readonly wanted: readonly WantedLink[];
  /** Those that clients hear of. */
  readonly refused: readonly RefusedLink[];
}

export interface RefusedLink extends WantedLink {
  readonly why: "robots" | "trap" | "external-home";
}

export const NO_LINKS: SortedLinks = { wanted: [], refused: [] };

/** Links of one page or of a piece of a sitemap. */
export interface LinkOrder {
  readonly urls: readonly Address[];
  readonly depth: number;
  readonly isFromSite: boolean;
}

interface SortContext {
  readonly options: CrawlOptions;
  readonly scope: CrawlScope;
  readonly match: MatchPatterns;
}

const TOLD: ReadonlySet<Refusal | undefined> = new Set<Refusal>(["robots", "trap", "external-home"]);

/**
 * Sorts links by the rules of the crawl, all but whether they are new.
 * @throws the signal's reason, once it is aborted.
 */
export async function sortLinks(
  { urls, depth, isFromSite }: LinkOrder,
  { options, scope, match }: SortContext,
  signal: AbortSignal,
): Promise<SortedLinks> {
  const links = await inScope(urls, { depth, isFromSite }, scope, signal);
  const fits = await fitting(links, { options, match }, signal);
  const wanted: WantedLink[] = [];
  const refused: RefusedLink[] = [];
  await forEachInTurns(links, signal, ({ link, refusal: first }, index) => {
    const isTold = first === "external-home";
    const refusal = isTold
      ? first
      : refusalOf(link, { ...scope, fitsPatterns: () => fits?.[index] !== false });
    if (refusal !== undefined && !TOLD.has(refusal)) return;
    const sorted = describe(link.url, index, options);
    if (sorted && refusal === undefined) wanted.push(sorted);
    else if (sorted) refused.push({ ...sorted, why: refusal as RefusedLink["why"] });
  });
  return { wanted, refused };
}

interface JudgedLink {
  readonly link: FoundLink;
  readonly refusal: Refusal | undefined;
}

/** Patterns may take long, so they see only what the rules before them leave. */
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
    const refusal = refusalOf(link, early);
    if (refusal === "pattern" || refusal === "external-home") links.push({ link, refusal });
  });
  return links;
}

/** Undefined when there are no patterns. */
async function fitting(
  links: readonly JudgedLink[],
  { options, match }: Pick<SortContext, "options" | "match">,
  signal: AbortSignal,
): Promise<readonly boolean[] | undefined> {
  if (options.includePaths.length + options.excludePaths.length === 0) return undefined;
  const urls = links.map(({ link }) => link.url.href);
  return (await match({ patterns: patternsOf(options), urls }, signal)).fits;
}

/** Without what is not a part of a page: fragment unless it is a route, user name and password. */
function pageUrl(text: string): URL {
  const url = new URL(text);
  url.hash = routeOf(url.hash);
  url.username = "";
  url.password = "";
  return url;
}

/** Undefined where the parser's spelling of the address is too long. */
function describe(url: URL, order: number, options: CrawlOptions): WantedLink | undefined {
  const address = foundAddress(url.href);
  return address && { order, url: address, identity: identityKey(url, options), shape: shapeOf(url) };
}

/** What all spellings of a page have in common, in short. */
export function identityKey(url: URL, options: CrawlOptions): string {
  const { deduplicateSimilarURLs: isSimilarSame, ignoreQueryParameters: ignoresQuery } = options;
  return keyOf(identityOf(url, { isSimilarSame, ignoresQuery }));
}
