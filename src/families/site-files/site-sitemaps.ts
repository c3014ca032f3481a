import { foundAddress } from "../../contract/address.ts";
import type { SitemapEntry } from "../../sitemaps/sitemap-entry.ts";
import { MAX_SITEMAP_BYTES } from "../../sitemaps/sitemap-entry.ts";
import { walkSitemaps } from "../../sitemaps/walk-sitemaps.ts";
import { readSiteFile, type SiteFileOrder, type SiteFileServices } from "./site-files.ts";

const TIMEOUT_MS = 60_000;
const MAX_AGE_MS = 7 * 24 * 60 * 60 * 1000;
const NAMES = ["/sitemap.xml", "/sitemap_index.xml"];
/** Addresses that are sitemaps themselves. */
const SITEMAP_FILE = /\.(?:xml|xml\.gz|txt)$/i;

export interface SitemapOrder extends Pick<SiteFileOrder, "job"> {
  /** What the crawl or map starts from. */
  readonly start: URL;
  /** Sitemaps that robots.txt names. */
  readonly named: readonly string[];
  readonly ignoresCache?: boolean;
  /** @returns false when no more pages are wanted. */
  readonly onPage: (entry: SitemapEntry) => boolean;
  /** Awaited after each piece of a file. */
  readonly onPiece?: () => Promise<void>;
}

/**
 * Reads the sitemaps of a site: those that robots.txt names, those under the names that most have, and the start itself.
 * @returns how many there were.
 * @throws the signal's reason, once it is aborted.
 */
export async function readSitemaps(
  { job, start, named, ignoresCache = false, onPage, onPiece }: SitemapOrder,
  services: SiteFileServices,
  signal: AbortSignal,
): Promise<number> {
  const order = {
    job,
    maxBytes: MAX_SITEMAP_BYTES,
    timeoutMs: TIMEOUT_MS,
    maxAgeMs: ignoresCache ? 0 : MAX_AGE_MS,
  };
  async function fetch(url: string, until: AbortSignal): Promise<Uint8Array | undefined> {
    const file = await readSiteFile(url, order, services, until);
    return file && file.statusCode >= 200 && file.statusCode <= 299 ? file.body : undefined;
  }
  return walkSitemaps({ roots: rootsOf(start, named), fetch, onPage, onPiece }, signal);
}

function rootsOf(start: URL, named: readonly string[]): readonly string[] {
  const addresses = [...named, ...NAMES].flatMap((name) => {
    const url = URL.canParse(name, start.origin) ? new URL(name, start.origin) : undefined;
    const address = url && /^https?:$/.test(url.protocol) && foundAddress(url.href);
    return address ? [address] : [];
  });
  return SITEMAP_FILE.test(start.pathname) ? [...addresses, start.href] : addresses;
}
