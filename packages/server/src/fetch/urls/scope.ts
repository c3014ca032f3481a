import type { Site } from "./site.ts";
import { isTrap } from "./traps.ts";

const FILES_WITHOUT_TEXT = new Set(
  (
    "png jpg jpeg gif svg ico webp avif bmp tiff css js mjs json map woff woff2 ttf otf eot zip gz tar rar 7z exe dmg " +
    "iso apk mp3 mp4 m4a wav ogg avi mov mkv webm flv swf inc"
  ).split(" "),
);

/** Whether the extension of a URL's path names a kind of file that crawls leave out: pictures, styles, archives, films. */
function isFileWithoutText({ pathname }: URL): boolean {
  const name = pathname.slice(pathname.lastIndexOf("/") + 1);
  const dot = name.lastIndexOf(".");
  return dot >= 0 && FILES_WITHOUT_TEXT.has(name.slice(dot + 1).toLowerCase());
}

/** Which pages belong to a crawl. */
export interface CrawlScope {
  /** Of the start page, where it ended. */
  readonly site: Site;
  /** Whether all paths of the start's host belong to it, not only those below its own. */
  readonly hasAllPaths: boolean;
  readonly hasSubdomains: boolean;
  /** Whether pages of other sites belong to it that pages of this one link to. */
  readonly hasExternalLinks: boolean;
  /** Undefined when there is no limit. */
  readonly maxDepth: number | undefined;
  fitsPatterns(url: URL): boolean;
  /** By robots.txt of the URL's host. Only asked about hosts of the site. */
  isAllowedByRobots(url: URL): boolean;
}

/** A link on a page, or an entry of a sitemap. */
export interface FoundLink {
  readonly url: URL;
  readonly depth: number;
  /** Whether the page that it was found on belongs to the start's site. */
  readonly isFromSite: boolean;
}

/** Why a link is not visited. */
export type Refusal =
  | "scheme"
  | "kind"
  | "host"
  /** The home page of another site. */
  | "external-home"
  | "path"
  | "depth"
  | "pattern"
  | "robots"
  | "trap";

/** In the order of families, section 4.5: the first rule that refuses decides. */
const RULES: readonly (readonly [Refusal, (link: FoundLink, scope: CrawlScope) => boolean])[] = [
  ["scheme", ({ url }) => url.protocol !== "http:" && url.protocol !== "https:"],
  ["kind", ({ url }) => isFileWithoutText(url)],
  ["host", (link, scope) => !isOfSite(link.url, scope) && !(scope.hasExternalLinks && link.isFromSite)],
  ["external-home", ({ url }, scope) => isHome(url) && !isOfSite(url, scope)],
  ["path", ({ url }, scope) => isOutsidePath(url, scope)],
  ["depth", ({ depth }, { maxDepth }) => maxDepth !== undefined && depth > maxDepth],
  ["pattern", ({ url }, scope) => !scope.fitsPatterns(url)],
  ["robots", ({ url }, scope) => isRefusedByRobots(url, scope)],
  ["trap", ({ url }) => isTrap(url)],
];

/** Why a link is not visited; undefined when it is, unless its page is known already. */
export function refusalOf(link: FoundLink, scope: CrawlScope): Refusal | undefined {
  return RULES.find(([, refuses]) => refuses(link, scope))?.[0];
}

/** Where a visit ended has to belong to the crawl, too: redirects lead anywhere. */
export function refusalOfArrival(
  url: URL,
  { wasOfSite }: { readonly wasOfSite: boolean },
  scope: CrawlScope,
): Refusal | undefined {
  if (wasOfSite && !isOfSite(url, scope)) return "host";
  if (isOutsidePath(url, scope)) return "path";
  if (!scope.fitsPatterns(url)) return "pattern";
  return isRefusedByRobots(url, scope) ? "robots" : undefined;
}

/** Whether the host is the start's, or below its domain where subdomains belong to the crawl. */
export function isOfSite(
  url: URL,
  { site, hasSubdomains }: Pick<CrawlScope, "site" | "hasSubdomains">,
): boolean {
  return hasSubdomains ? site.isDomain(url) : site.isHost(url);
}

function isHome({ pathname, search }: URL): boolean {
  return pathname === "/" && search === "";
}

/** Paths of other hosts are not compared. */
function isOutsidePath(url: URL, { site, hasAllPaths }: CrawlScope): boolean {
  return !hasAllPaths && site.isHost(url) && !site.isBelow(url);
}

/** Named pages of other sites are visited as single ones are: robots.txt is not asked for. */
function isRefusedByRobots(url: URL, scope: CrawlScope): boolean {
  return isOfSite(url, scope) && !scope.isAllowedByRobots(url);
}
