import { type Address, foundAddress } from "../contract/address.ts";
import type { SitemapEntry } from "./sitemap-entry.ts";

/** Bounds of all sitemaps of a site together (families, section 4.6). */
export const SITEMAP_LIMITS = {
  files: 50,
  /** Indexes within indexes. */
  depth: 5,
  pages: 500_000,
  /** Files that are held in memory at once: the one that is read, and those that come next. */
  ahead: 2,
} as const;

export interface SitemapWalk {
  /** Absolute addresses of sitemaps, in the order in which they are read. */
  readonly roots: readonly string[];
  /** The file as it came, packed or not; undefined when there is none. It rejects for the signal's reason alone. */
  readonly fetch: (url: string, signal: AbortSignal) => Promise<Uint8Array | undefined>;
  /** Called with every page. @returns false when no more pages are wanted. */
  readonly onPage: (entry: SitemapEntry) => boolean;
  /** Awaited after each piece of a file. */
  readonly onPiece?: (() => Promise<void>) | undefined;
}

interface File {
  readonly url: string;
  readonly depth: number;
}

/**
 * Reads sitemaps and those that they name, each once, in the order in which they are named.
 * @returns how many files there were.
 * @throws the signal's reason, once it is aborted.
 */
export async function walkSitemaps(
  { roots, fetch, onPage, onPiece }: SitemapWalk,
  signal: AbortSignal,
): Promise<number> {
  const { readSitemap } = await import("./read-sitemap.ts");
  const queue = new SitemapQueue(fetch, signal);
  for (const url of roots) queue.add({ url, depth: 0 });
  let files = 0;
  let pages = 0;
  const state = { isDone: false };
  for (let next = queue.next(); next; next = state.isDone ? undefined : queue.next()) {
    const { url, depth, bytes: fetching } = next;
    const bytes = await fetching;
    signal.throwIfAborted();
    if (!bytes) continue;
    files += 1;
    const listener = {
      onPage(entry: SitemapEntry) {
        pages += 1;
        state.isDone ||= pages > SITEMAP_LIMITS.pages || !onPage(entry);
      },
      onSitemap: (named: string) => queue.add({ url: absolute(named, url), depth: depth + 1 }),
      isDone: () => state.isDone,
      ...(onPiece && { onPiece }),
    };
    await readSitemap(bytes, listener, signal);
  }
  return files;
}

/** Files that were named, each fetched shortly before its turn. */
class SitemapQueue {
  readonly #fetch: SitemapWalk["fetch"];
  readonly #signal: AbortSignal;
  readonly #seen = new Set<string>();
  readonly #files: File[] = [];
  readonly #fetching: (File & { readonly bytes: Promise<Uint8Array | undefined> })[] = [];

  constructor(fetch: SitemapWalk["fetch"], signal: AbortSignal) {
    this.#fetch = fetch;
    this.#signal = signal;
  }

  add({ url, depth }: { readonly url: string | undefined; readonly depth: number }): void {
    const isOver = this.#seen.size >= SITEMAP_LIMITS.files || depth > SITEMAP_LIMITS.depth;
    if (url === undefined || isOver || this.#seen.has(url)) return;
    this.#seen.add(url);
    this.#files.push({ url, depth });
  }

  next() {
    while (this.#fetching.length < SITEMAP_LIMITS.ahead) {
      const file = this.#files.shift();
      if (!file) break;
      const bytes = this.#fetch(file.url, this.#signal);
      // Its turn may never come.
      bytes.catch(() => undefined);
      this.#fetching.push({ ...file, bytes });
    }
    return this.#fetching.shift();
  }
}

function absolute(url: string, base: string): Address | undefined {
  if (!URL.canParse(url, base)) return undefined;
  const { protocol, href } = new URL(url, base);
  return protocol === "http:" || protocol === "https:" ? foundAddress(href) : undefined;
}
