/** A page that a scrape of a team answered with. */
export interface IndexedPage {
  readonly teamId: string;
  readonly url: string;
  /** The scrape, and what it was answered from. Both have to be there for the page to be found. */
  readonly scrapeId: string;
  readonly captureId: string;
  readonly title: string;
  readonly description: string;
  readonly markdown: string;
}

/** What is looked for among the pages of a team. */
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
  /** The page's lines that matter for the words. */
  readonly excerpt: string;
}

/** Which scrape a page came from, by the number of its row. */
export interface IndexEntry {
  readonly id: number;
  readonly scrapeId: string;
  readonly captureId: string;
}
