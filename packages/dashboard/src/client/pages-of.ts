import { useState } from "preact/hooks";

import { messageOf } from "./ask.ts";
import { type Loaded, useLoad } from "./load.ts";

/** A page of a list, and where the next one begins. */
interface PageOf<Entry> {
  readonly data: readonly Entry[];
  readonly cursor: string | null;
}

/** The pages fetched so far, as one. */
export interface Pages<Entry> {
  readonly loaded: Loaded<PageOf<Entry>>;
  /** Everything after the first page. */
  readonly further: readonly Entry[];
  /** Fetches the next page; undefined when there is none, or it is under way. */
  readonly more: (() => void) | undefined;
  /** Why the next page did not come. */
  readonly problem: string | undefined;
}

/** A list that is fetched page by page, for a component that shows one list only. */
export function usePages<Entry>(
  fetchPage: (cursor: string | undefined, signal?: AbortSignal) => Promise<PageOf<Entry>>,
): Pages<Entry> {
  const loaded = useLoad((signal) => fetchPage(undefined, signal), []);
  const [further, setFurther] = useState<PageOf<Entry> | undefined>(undefined);
  const [isUnderWay, setUnderWay] = useState(false);
  const [problem, setProblem] = useState<string | undefined>(undefined);
  const cursor = further === undefined ? (loaded.data?.cursor ?? null) : further.cursor;
  async function fetchNext(from: string): Promise<void> {
    setUnderWay(true);
    try {
      const next = await fetchPage(from);
      setFurther((before) => ({ data: [...(before?.data ?? []), ...next.data], cursor: next.cursor }));
      setProblem(undefined);
    } catch (failure) {
      setProblem(messageOf(failure));
    }
    setUnderWay(false);
  }
  return {
    loaded,
    further: further?.data ?? [],
    more: cursor === null || isUnderWay ? undefined : () => void fetchNext(cursor),
    problem,
  };
}
