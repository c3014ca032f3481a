import { setImmediate as nextTurn } from "node:timers/promises";
import { TextDecoder } from "node:util";
import zlib from "node:zlib";

import { type Address, foundAddress } from "@pergamon-dev/kit/address";
import { limits } from "../../api/limits.ts";
import type * as xmlModule from "../feeds/xml.ts";
import { MAX_SITE_FILE_BYTES, readSiteFile, type SiteFileOrder, type SiteFileServices } from "./site-file.ts";

/** Data about one page in a sitemap or a feed. */
export interface SitemapEntry {
  /** As written, without surrounding white space. */
  readonly url: Address;
  /** At most 300 characters, like the description. */
  readonly title?: string;
  readonly description?: string;
}

interface SitemapOrder
  extends Pick<SiteFileOrder, "job">, Pick<SitemapWalk, "maxPages" | "onPage" | "onPiece" | "onFile"> {
  /** Start of the crawl or map. */
  readonly start: URL;
  /** Sitemaps that robots.txt names. */
  readonly named: readonly string[];
  readonly ignoresCache?: boolean;
}

interface SitemapWalk {
  /** Absolute addresses of sitemaps, in the order of reading. */
  readonly roots: readonly string[];
  /**
   * Fetches a file, compressed or not. Undefined when there is none. It rejects only with the signal's
   * reason.
   */
  readonly fetch: (url: string, signal: AbortSignal) => Promise<Uint8Array | undefined>;
  /** Default and minimum: that of `SITEMAP_LIMITS`. Ten thousand pages raise the number of files by one. */
  readonly maxPages?: number | undefined;
  /** Called with every page. @returns false when no more pages are wanted. */
  readonly onPage: (entry: SitemapEntry) => boolean;
  /** Awaited after each piece of a file, so that the receiver sets the pace. */
  readonly onPiece?: (() => Promise<void>) | undefined;
  /** Called after each file. */
  readonly onFile?: ((file: ReadSitemap) => void) | undefined;
}

export interface ReadSitemap {
  readonly url: string;
  /** Number of its pages. */
  readonly pages: number;
}

interface SitemapListener extends Pick<SitemapWalk, "onPiece"> {
  onPage(entry: SitemapEntry): void;
  /** Called for each sitemap that an index names. */
  onSitemap(url: Address): void;
  /** Called after each piece. True ends the reading. */
  isDone?(): boolean;
}

/** Limits for all sitemaps of a site together (families, section 4.6). */
export const SITEMAP_LIMITS = {
  files: 50,
  /** Maximum nesting of indexes. */
  depth: 5,
  pages: 500_000,
  /** Maximum files in memory: the current one, and the next ones. */
  ahead: 2,
} as const;
const PAGES_PER_FILE = 10_000;
const TIMEOUT_MS = 60_000;
const MAX_AGE_MS = 7 * 24 * 60 * 60 * 1000;
const NAMES = ["/sitemap.xml", "/sitemap_index.xml"];
/** Addresses that are sitemaps themselves. */
const SITEMAP_FILE = /\.(?:xml|xml\.gz|txt)$/i;
/** Other work runs between two pieces of this size, which take about 1 ms each. */
const PIECE_BYTES = 32 * 1024;
const HEAD_BYTES = 1024;
/** Longer titles and descriptions are cut. */
export const MAX_TEXT_LENGTH = 300;

/**
 * Reads the sitemaps of a site: those in robots.txt, those under usual names, and the start itself.
 * @returns the number of sitemaps.
 * @throws the signal's reason, once it is aborted.
 */
export async function readSitemaps(
  { job, start, named, ignoresCache = false, maxPages, onPage, onPiece, onFile }: SitemapOrder,
  services: SiteFileServices,
  signal: AbortSignal,
): Promise<number> {
  const order = { job, timeoutMs: TIMEOUT_MS, maxAgeMs: ignoresCache ? 0 : MAX_AGE_MS };
  async function fetch(url: string, until: AbortSignal): Promise<Uint8Array | undefined> {
    const file = await readSiteFile(url, order, services, until);
    return file.state === "found" ? file.body : undefined;
  }
  const roots = rootsOf(start, named);
  return walkSitemaps({ roots, fetch, maxPages, onPage, onPiece, onFile }, signal);
}

function rootsOf(start: URL, named: readonly string[]): readonly string[] {
  const addresses = [...named, ...NAMES].flatMap((name) => absolute(name, start.origin) ?? []);
  return SITEMAP_FILE.test(start.pathname) ? [...addresses, start.href] : addresses;
}

function absolute(url: string, base: string): Address | undefined {
  if (!URL.canParse(url, base)) return undefined;
  const { protocol, href } = new URL(url, base);
  return protocol === "http:" || protocol === "https:" ? foundAddress(href) : undefined;
}

/**
 * Reads sitemaps and those that they name, each once, in the order of their names in the files.
 * @returns the number of files.
 * @throws the signal's reason, once it is aborted.
 */
export async function walkSitemaps(
  { roots, fetch, maxPages = 0, onPage, onPiece, onFile }: SitemapWalk,
  signal: AbortSignal,
): Promise<number> {
  const most = Math.max(SITEMAP_LIMITS.pages, maxPages);
  const queue = new SitemapQueue(fetch, Math.max(SITEMAP_LIMITS.files, maxPages / PAGES_PER_FILE), signal);
  for (const url of roots) queue.add(url, 0);
  let files = 0;
  let pages = 0;
  const state = { isDone: false };
  for (let next = queue.next(); next; next = state.isDone ? undefined : queue.next()) {
    const { url, depth, bytes: fetching } = next;
    const bytes = await fetching;
    signal.throwIfAborted();
    if (!bytes) continue;
    files += 1;
    const pagesBefore = pages;
    const listener: SitemapListener = {
      onPage(entry) {
        pages += 1;
        state.isDone ||= pages > most || !onPage(entry);
      },
      onSitemap: (named) => queue.add(absolute(named, url), depth + 1),
      isDone: () => state.isDone,
      onPiece,
    };
    await readSitemap(bytes, listener, signal);
    onFile?.({ url, pages: pages - pagesBefore });
  }
  return files;
}

/** Named files, each of which is fetched shortly before its turn. */
class SitemapQueue {
  readonly #fetch: SitemapWalk["fetch"];
  readonly #signal: AbortSignal;
  readonly #maxFiles: number;
  readonly #seen = new Set<string>();
  readonly #files: { readonly url: string; readonly depth: number }[] = [];
  readonly #fetching: { url: string; depth: number; bytes: Promise<Uint8Array | undefined> }[] = [];

  constructor(fetch: SitemapWalk["fetch"], maxFiles: number, signal: AbortSignal) {
    this.#fetch = fetch;
    this.#maxFiles = maxFiles;
    this.#signal = signal;
  }

  add(url: string | undefined, depth: number): void {
    const isOver = this.#seen.size >= this.#maxFiles || depth > SITEMAP_LIMITS.depth;
    if (url === undefined || isOver || this.#seen.has(url)) return;
    this.#seen.add(url);
    this.#files.push({ url, depth });
  }

  next() {
    while (this.#fetching.length < SITEMAP_LIMITS.ahead) {
      const file = this.#files.shift();
      if (!file) break;
      const bytes = this.#fetch(file.url, this.#signal);
      // The walk may end before the turn of this file.
      bytes.catch(() => undefined);
      this.#fetching.push({ ...file, bytes });
    }
    return this.#fetching.shift();
  }
}

/**
 * Reads a sitemap of any kind: compressed or not, XML or a list of lines, regardless of its declared type.
 * Unreadable parts are skipped, so a file that is no sitemap has no entries.
 * @throws the signal's reason, once it is aborted.
 */
export async function readSitemap(
  bytes: Uint8Array,
  listener: SitemapListener,
  signal: AbortSignal,
): Promise<void> {
  let reader: SitemapReader | undefined;
  let decoder = new TextDecoder();
  for await (const piece of piecesOf(bytes)) {
    if (!reader) {
      decoder = decoderOf(piece);
      const head = decoderOf(piece).decode(piece.subarray(0, HEAD_BYTES));
      reader = head.trimStart().startsWith("<") ? await xmlReader(listener) : lineReader(listener);
    }
    reader.write(decoder.decode(piece, { stream: true }));
    await nextTurn();
    await listener.onPiece?.();
    signal.throwIfAborted();
    if (listener.isDone?.()) return;
  }
  reader?.write(decoder.decode());
  reader?.end();
}

async function* piecesOf(bytes: Uint8Array): AsyncIterable<Uint8Array> {
  let left = MAX_SITE_FILE_BYTES;
  const isPacked = bytes[0] === 0x1f && bytes[1] === 0x8b;
  for await (const piece of isPacked ? unpacked(bytes) : piecesIn(bytes)) {
    yield piece.subarray(0, left);
    left -= piece.byteLength;
    if (left <= 0) return;
  }
}

/** Ends where the data is damaged or truncated. */
async function* unpacked(bytes: Uint8Array): AsyncIterable<Uint8Array> {
  const gunzip = zlib.createGunzip({ finishFlush: zlib.constants.Z_SYNC_FLUSH, chunkSize: PIECE_BYTES });
  gunzip.end(bytes);
  try {
    for await (const piece of gunzip) yield piece as Uint8Array;
  } catch {
    return;
  } finally {
    gunzip.destroy();
  }
}

function* piecesIn(bytes: Uint8Array): Iterable<Uint8Array> {
  for (let from = 0; from < bytes.byteLength; from += PIECE_BYTES)
    yield bytes.subarray(from, from + PIECE_BYTES);
}

/** Chooses the encoding by the byte order mark, else by the XML declaration. */
function decoderOf(head: Uint8Array): TextDecoder {
  if (head[0] === 0xff && head[1] === 0xfe) return new TextDecoder("utf-16le");
  if (head[0] === 0xfe && head[1] === 0xff) return new TextDecoder("utf-16be");
  const declaration = Buffer.from(head.subarray(0, HEAD_BYTES)).toString("latin1");
  const [, label = "utf-8"] =
    /^[\xef\xbb\xbf\s]*<\?xml[^>]*?encoding\s*=\s*["']([\w.:-]{1,40})["']/.exec(declaration) ?? [];
  try {
    return new TextDecoder(label);
  } catch {
    return new TextDecoder();
  }
}

interface SitemapReader {
  write(text: string): void;
  end(): unknown;
}

/** Skips lines that are not addresses. */
function lineReader({ onPage }: SitemapListener): SitemapReader {
  let rest = "";
  const tell = (line: string) => {
    const url = line.trim();
    const address = /^https?:\/\//i.test(url) ? foundAddress(url) : undefined;
    if (address) onPage({ url: address });
  };
  return {
    write(text) {
      const lines = (rest + text).split(/\r\n|\r|\n/);
      rest = lines.pop() ?? "";
      // An endless line is not collected, because it is too long for an address.
      rest = rest.slice(0, limits.foundUrlLength + 1);
      lines.forEach(tell);
    },
    end: () => tell(rest),
  };
}

/** Elements for a page or a sitemap, in sitemaps, RSS and Atom. */
const ITEMS: ReadonlySet<string> = new Set(["url", "sitemap", "item", "entry"]);

/** Loads the parser with the first file. */
async function xmlReader(listener: SitemapListener): Promise<SitemapReader> {
  const xml = await import("../feeds/xml.ts");
  return new xml.XmlReader({
    items: ITEMS,
    isBounded: true,
    onItem: (item) => tellItem(item, xml, listener),
  });
}

function tellItem(
  item: xmlModule.XmlElement,
  { childrenOf, childText, linkOfItem, textOf }: typeof xmlModule,
  { onPage, onSitemap }: SitemapListener,
): void {
  const isOfIndex = item.name === "url" || item.name === "sitemap";
  // Some sites write several addresses into one entry.
  const links = isOfIndex ? childrenOf(item, "loc").map(textOf) : [linkOfItem(item)];
  const urls = links.flatMap((link) => (link ? (foundAddress(link) ?? []) : []));
  if (item.name === "sitemap") return urls.forEach(onSitemap);
  const isListed = item.name === "url";
  const title = isListed
    ? childText(childrenOf(item, "news:news")[0], "news:title")
    : childText(item, "title");
  const description = isListed ? undefined : childText(item, "description", "summary");
  const words = { ...cutText("title", title), ...cutText("description", description) };
  for (const url of urls) onPage({ url, ...words });
}

function cutText(name: "title" | "description", text: string | undefined) {
  // A substring keeps its whole string in memory, which is a piece of the file here.
  return text ? { [name]: Buffer.from(text.slice(0, MAX_TEXT_LENGTH)).toString() } : {};
}
