import type { Address } from "../contract/address.ts";

/** What a sitemap or a feed says of one page. */
export interface SitemapEntry {
  /** As it is written, without white space around it. */
  readonly url: Address;
  /** At most 300 characters, as the description. */
  readonly title?: string;
  readonly description?: string;
}

/** Callbacks while a sitemap is read. */
export interface SitemapListener {
  onPage(entry: SitemapEntry): void;
  /** Another sitemap that an index names. */
  onSitemap(url: string): void;
  /** Asked now and then: true ends the reading. */
  isDone?(): boolean;
  /** Awaited after each piece, so that the receiver sets the pace. */
  onPiece?(): Promise<void>;
}

/** Reads a sitemap piece by piece. */
export interface SitemapReader {
  write(text: string): void;
  end(): void;
}

/** Longer titles and descriptions are cut. */
export const MAX_TEXT_LENGTH = 300;

/** Of one file after unpacking: what comes later is not read. */
export const MAX_SITEMAP_BYTES = 50 * 1024 * 1024;
