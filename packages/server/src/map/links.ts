import { type Address, givenAddress } from "@pergamon-dev/kit/address";
import { identityOf } from "../fetch/urls/identity.ts";
import { routeOf } from "@pergamon-dev/kit/url";
import { MAX_TEXT_LENGTH, type SitemapEntry } from "../fetch/site/sitemaps.ts";

/** A page in a map. */
export interface MapLink {
  readonly url: Address;
  readonly title?: string;
  readonly description?: string;
}

export interface FoundPage {
  /** Equal for all spellings of the same address. */
  readonly identity: string;
  readonly link: MapLink;
}

interface MapLinkRules {
  /** Whether to list a page, once it is known to be a web page. */
  readonly accepts: (url: URL) => boolean;
  readonly ignoresQuery: boolean;
  /** Maximum number of pages in the list. */
  readonly limit: number;
}

/** Maximum memory of one map. A team may have as many maps at once as requests: fifty of these are 1.2 GB. */
const MAX_BYTES = 24 * 1024 * 1024;
/** Size of an entry besides its texts. */
const ENTRY_BYTES = 150;

/** Lists each page of a map once. The first spelling stays, titles may come later. */
export class MapLinks {
  readonly #rules: MapLinkRules;
  #links = new Map<string, MapLink>();
  #bytes = 0;

  constructor(rules: MapLinkRules) {
    this.#rules = rules;
  }

  /** Undefined for entries that are not listed: other sites, addresses with other schemes. */
  read({ url: text, title, description }: SitemapEntry): FoundPage | undefined {
    const url = pageUrl(text);
    if (!url) return undefined;
    const { accepts, ignoresQuery } = this.#rules;
    if (ignoresQuery) url.search = "";
    const identity = identityOf(url, { isSimilarSame: true, ignoresQuery });
    if (!this.#links.has(identity) && !accepts(url)) return undefined;
    const words = { ...(title && { title }), ...(description && { description }) };
    return { identity, link: { url: givenAddress(url.href), ...words } };
  }

  add({ identity, link }: FoundPage): void {
    const known = this.#links.get(identity);
    if (!known && this.isFull) return;
    const listed = known ? { ...link, ...known } : link;
    this.#bytes += bytesOf(identity, listed) - (known ? bytesOf(identity, known) : 0);
    this.#links.set(identity, listed);
  }

  /** Adds title and description to a page, if it is listed. */
  describe({ url, title, description }: SitemapEntry): void {
    const words = {
      ...(title && { title: title.slice(0, MAX_TEXT_LENGTH) }),
      ...(description && { description: description.slice(0, MAX_TEXT_LENGTH) }),
    };
    const page = this.read({ url, ...words });
    if (page && this.#links.has(page.identity)) this.add(page);
  }

  /** Whether it exceeds its memory limit. The least wanted pages must then be removed. */
  get isTooLarge(): boolean {
    return this.#bytes > MAX_BYTES;
  }

  /**
   * Keeps the first of the ranked pages up to half of the memory limit, in the order in which they were
   * found.
   */
  keepFirst(ranked: readonly MapLink[]): void {
    let bytes = 0;
    const kept = new Set<MapLink>();
    for (const link of ranked) {
      bytes += bytesOf(link.url, link);
      if (bytes > MAX_BYTES / 2) break;
      kept.add(link);
    }
    this.#links = new Map([...this.#links].filter(([, link]) => kept.has(link)));
    this.#bytes = [...this.#links].reduce((sum, [identity, link]) => sum + bytesOf(identity, link), 0);
  }

  get size(): number {
    return this.#links.size;
  }

  get isFull(): boolean {
    const { limit } = this.#rules;
    return this.#links.size >= limit || (limit < Infinity && this.isTooLarge);
  }

  /** Pages in the order in which they were found. */
  all(): readonly MapLink[] {
    return [...this.#links.values()];
  }
}

function bytesOf(identity: string, { url, title = "", description = "" }: MapLink): number {
  return ENTRY_BYTES + identity.length + url.length + title.length + description.length;
}

/** Removes user name and password, and the fragment unless it is a route. */
function pageUrl(text: string): URL | undefined {
  if (!URL.canParse(text)) return undefined;
  const url = new URL(text);
  if (url.protocol !== "http:" && url.protocol !== "https:") return undefined;
  url.hash = routeOf(url.hash);
  url.username = "";
  url.password = "";
  return url;
}
