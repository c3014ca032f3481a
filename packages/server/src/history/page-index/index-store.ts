import type { ExcerptedPage, FoundPage, IndexedPage, IndexEntry, IndexQuery } from "./indexed-pages.ts";

/** Pages of a team, some of which may be there. */
export interface ExcerptOrder {
  readonly teamId: string;
  readonly urls: readonly string[];
  readonly words: string;
}

/** Where the words of pages are. */
export interface IndexStore {
  /** Of a page that is there already, the later one stays. */
  add(pages: readonly IndexedPage[]): Promise<void>;
  /** Best first. */
  search(query: IndexQuery, signal: AbortSignal): Promise<readonly FoundPage[]>;
  /** Excerpts of those of the URLs that are there. */
  excerpts(order: ExcerptOrder, signal: AbortSignal): Promise<ReadonlyMap<string, ExcerptedPage>>;
  /** So many rows behind this number, in order. */
  entries(afterId: number, count: number): Promise<readonly IndexEntry[]>;
  remove(ids: readonly number[]): Promise<void>;
  /** Leaves nothing of the team. */
  removeTeam(teamId: string): Promise<void>;
  /** Where it holds a file open. */
  close?(): Promise<void>;
}
