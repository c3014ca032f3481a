import type { Site } from "./site.ts";
import { isTrap } from "./traps.ts";

const FILES_WITHOUT_TEXT = new Set(
  (
    "png jpg jpeg gif svg ico webp avif bmp tiff css js mjs json map woff woff2 ttf otf eot zip gz tar rar 7z exe dmg " +
    "iso apk mp3 mp4 m4a wav ogg avi mov mkv webm flv swf inc"
  ).split(" "),
);

/**
 * Whether the extension in the URL's path names a file that crawls skip: pictures, styles, archives, videos.
 */
function isFileWithoutText({ pathname }: URL): boolean {
  const name = pathname.slice(pathname.lastIndexOf("/") + 1);
  const dot = name.lastIndexOf(".");
  return dot >= 0 && FILES_WITHOUT_TEXT.has(name.slice(dot + 1).toLowerCase());
}

/** Rules for the pages of a crawl. */
export interface CrawlScope {
  /** Site of the start page, after redirects. */
  readonly site: Site;
  /** Whether all paths of the start's host are in scope, not only those below the start's path. */
  readonly hasAllPaths: boolean;
  readonly hasSubdomains: boolean;
  /** Whether pages of other sites are in scope when a page of this site links to them. */
  readonly hasExternalLinks: boolean;
  /** Undefined when there is no limit. */
  readonly maxDepth: number | undefined;
  fitsPatterns(url: URL): boolean;
  /** Rule in robots.txt of the URL's host that forbids it. Only called for hosts of the site. */
  robotsRule(url: URL): string | undefined;
}

/** A link on a page, or an entry of a sitemap. */
export interface FoundLink {
  readonly url: URL;
  readonly depth: number;
  /** Whether the page with the link belongs to the start's site. */
  readonly isFromSite: boolean;
}

/** Reasons for not visiting a link. */
export type Refusal =
  | "scheme"
  | "kind"
  | "host"
  | "external-home"
  | "path"
  | "depth"
  | "pattern"
  | "robots"
  | "trap";

/** In the order of families, section 4.5. The first rule that refuses decides. */
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

/** Reason for not visiting a link. Undefined when it is visited, unless its page is already known. */
export function refusalOf(link: FoundLink, scope: CrawlScope): Refusal | undefined {
  return RULES.find(([, refuses]) => refuses(link, scope))?.[0];
}

/** Checks the final URL of a visit, too, because redirects lead anywhere. */
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

/** Whether the host is the start's, or a subdomain of its domain when subdomains are in scope. */
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

/** Explicitly named pages of other sites are visited like single scrapes, without asking robots.txt. */
function isRefusedByRobots(url: URL, scope: CrawlScope): boolean {
  return isOfSite(url, scope) && scope.robotsRule(url) !== undefined;
}
