import { useRef } from "preact/hooks";

import { type Loaded, useLoad } from "./load.ts";

/** A page of a list, and where the next one begins. */
interface PageOf<Entry> {
  readonly data: readonly Entry[];
  readonly cursor: string | null;
}

/** The pages fetched so far, as one. */
export interface Pages<Entry> {
  readonly loaded: Loaded<PageOf<Entry>>;
  /** Fetches one page more; undefined when there is none, or it is under way. */
  readonly more: (() => void) | undefined;
}

/** A list that is fetched page by page. It is refreshed as a whole, so that no row is missing between two pages. */
export function usePages<Entry>(
  key: string,
  fetchPage: (cursor: string | undefined, signal: AbortSignal) => Promise<PageOf<Entry>>,
): Pages<Entry> {
  const wanted = useRef({ key, pages: 1 });
  if (wanted.current.key !== key) wanted.current = { key, pages: 1 };
  const loaded = useLoad(key, async (signal) => {
    const data: Entry[] = [];
    let cursor: string | null = null;
    for (let page = 0; page < wanted.current.pages && (page === 0 || cursor !== null); page += 1) {
      const next: PageOf<Entry> = await fetchPage(cursor ?? undefined, signal);
      data.push(...next.data);
      ({ cursor } = next);
    }
    return { data, cursor };
  });
  function fetchMore(): void {
    wanted.current.pages += 1;
    loaded.reload();
  }
  const hasMore = loaded.data !== undefined && loaded.data.cursor !== null;
  return { loaded, more: hasMore && !loaded.isLoading ? fetchMore : undefined };
}
