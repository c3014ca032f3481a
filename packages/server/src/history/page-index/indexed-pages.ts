/** A page that answered a scrape of a team. */
export interface IndexedPage {
  readonly teamId: string;
  readonly url: string;
  /** The scrape and the capture behind its answer. Both must exist for the page to be found. */
  readonly scrapeId: string;
  readonly captureId: string;
  readonly title: string;
  readonly description: string;
  readonly markdown: string;
}

export interface IndexQuery {
  readonly teamId: string;
  readonly words: string;
  readonly limit: number;
}

export interface FoundPage {
  readonly url: string;
  readonly scrapeId: string;
  readonly captureId: string;
  readonly title: string;
  readonly description: string;
}

export interface ExcerptedPage extends FoundPage {
  /** The lines of the page that match the words best. */
  readonly excerpt: string;
}

/** The scrape of a page, by the number of the page's row. */
export interface IndexEntry {
  readonly id: number;
  readonly scrapeId: string;
  readonly captureId: string;
}
