import { useRef } from "preact/hooks";

import { type Loaded, useLoad } from "./load.ts";

/** A page of a list, and where the next one begins. */
interface PageOf<Entry> {
  readonly data: readonly Entry[];
  readonly cursor: string | null;
}

/** The pages fetched so far, as one; what they say besides their rows is of the last one. */
export interface Pages<Entry, Page = PageOf<Entry>> {
  readonly loaded: Loaded<Page>;
  /** Fetches one page more; undefined when there is none, it is under way, or the last attempt failed. */
  readonly more: (() => void) | undefined;
}

interface Wanted<Page> {
  readonly key: string;
  readonly pages: number;
  /** The pages that are there already, when one more is fetched. */
  readonly there?: Page | undefined;
}

/** A list that is fetched page by page. It is refreshed as a whole, so that no row is missing between two pages. */
export function usePages<Entry, Page extends PageOf<Entry> = PageOf<Entry>>(
  key: string,
  fetchPage: (cursor: string | undefined, signal: AbortSignal) => Promise<Page>,
  freshness?: Parameters<typeof useLoad>[2],
): Pages<Entry, Page> {
  const wanted = useRef<Wanted<Page>>({ key, pages: 1 });
  if (wanted.current.key !== key) wanted.current = { key, pages: 1 };
  async function fetchPages(signal: AbortSignal): Promise<Page> {
    const { pages, there } = wanted.current;
    wanted.current = { key, pages };
    let all = there ?? (await fetchPage(undefined, signal));
    for (let page = there ? pages - 1 : 1; page < pages && all.cursor !== null; page += 1) {
      const next = await fetchPage(all.cursor, signal);
      all = { ...next, data: [...all.data, ...next.data] };
    }
    return all;
  }
  const loaded = useLoad(key, fetchPages, freshness);
  const { data: there, isLoading, problem, reload } = loaded;
  const hasMore = there !== undefined && there.cursor !== null && !isLoading && problem === undefined;
  function more(): void {
    wanted.current = { key, pages: wanted.current.pages + 1, there };
    reload();
  }
  return { loaded, more: hasMore ? more : undefined };
}
