import { identityOf } from "../../crawl-rules/identity.ts";
import { routeOf } from "../../kit/url.ts";
import type { SitemapEntry } from "../../sitemaps/sitemap-entry.ts";

/** A page of a site, as a map lists it. */
export interface MapLink {
  readonly url: string;
  readonly title?: string;
  readonly description?: string;
}

interface MapLinkRules {
  /** Whether a page is listed, once it is known to be a page of the web. */
  readonly accepts: (url: URL) => boolean;
  readonly ignoresQuery: boolean;
  /** After how many the list is full. */
  readonly limit: number;
}

/** Longer addresses are not listed, as they are not scraped. */
const MAX_URL_LENGTH = 16_384;

/** The pages of a map, each once: the first spelling stays, titles may come later. */
export class MapLinks {
  readonly #rules: MapLinkRules;
  readonly #links = new Map<string, MapLink>();

  constructor(rules: MapLinkRules) {
    this.#rules = rules;
  }

  /** @returns false once the list is full. */
  add({ url: text, title, description }: SitemapEntry): boolean {
    const url = pageUrl(text);
    if (!url) return !this.isFull;
    const { accepts, ignoresQuery } = this.#rules;
    if (ignoresQuery) url.search = "";
    const identity = this.#identityOf(url);
    const known = this.#links.get(identity);
    const words = { ...(title && { title }), ...(description && { description }) };
    if (known) this.#links.set(identity, { ...words, ...known });
    else if (!this.isFull && accepts(url)) this.#links.set(identity, { url: url.href, ...words });
    return !this.isFull;
  }

  /** Tells more of a page, if it is listed. */
  describe(entry: SitemapEntry): void {
    const url = pageUrl(entry.url);
    if (url && this.#links.has(this.#identityOf(url))) this.add(entry);
  }

  get size(): number {
    return this.#links.size;
  }

  get isFull(): boolean {
    return this.#links.size >= this.#rules.limit;
  }

  #identityOf(url: URL): string {
    return identityOf(url, { isSimilarSame: true, ignoresQuery: this.#rules.ignoresQuery });
  }

  /** In the order in which they were found. */
  all(): readonly MapLink[] {
    return [...this.#links.values()];
  }
}

/** Without what is not part of a page: fragment unless it is a route, user name and password. */
function pageUrl(text: string): URL | undefined {
  if (text.length > MAX_URL_LENGTH || !URL.canParse(text)) return undefined;
  const url = new URL(text);
  if (url.protocol !== "http:" && url.protocol !== "https:") return undefined;
  url.hash = routeOf(url.hash);
  url.username = "";
  url.password = "";
  return url;
}
