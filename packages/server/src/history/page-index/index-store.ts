import type { ExcerptedPage, FoundPage, IndexedPage, IndexEntry, IndexQuery } from "./indexed-pages.ts";

/** A query for excerpts. Some of the URLs may be missing from the index. */
export interface ExcerptOrder {
  readonly teamId: string;
  readonly urls: readonly string[];
  /** Undefined: the texts of the pages are not read, and excerpts are empty. */
  readonly words?: string;
}

/** Stores the words of pages. */
export interface IndexStore {
  /** For a URL that is there already, the later page replaces the earlier one. */
  add(pages: readonly IndexedPage[]): Promise<void>;
  /** Makes some of the added pages findable. Returns how many are left. */
  index(): Promise<number>;
  /** Best first. */
  search(query: IndexQuery, signal: AbortSignal): Promise<readonly FoundPage[]>;
  /** Excerpts of the pages with these URLs. Missing pages are left out. */
  excerpts(order: ExcerptOrder, signal: AbortSignal): Promise<ReadonlyMap<string, ExcerptedPage>>;
  /** The next `count` rows with ids above `afterId`, in order. */
  entries(afterId: number, count: number): Promise<readonly IndexEntry[]>;
  remove(ids: readonly number[]): Promise<void>;
  /** Removes all data of the team. */
  removeTeam(teamId: string): Promise<void>;
  /** Only stores with an open file have this. */
  close?(): Promise<void>;
}
