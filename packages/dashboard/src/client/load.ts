import { useCallback, useLayoutEffect, useRef, useState } from "preact/hooks";

import { messageOf } from "./ask.ts";

/** Something that is being fetched, or was. */
export interface Loaded<Data> {
  /** What came last; kept while it is fetched again. */
  readonly data: Data | undefined;
  /** Why the last attempt brought nothing. */
  readonly problem: string | undefined;
  readonly isLoading: boolean;
  readonly reload: () => void;
}

/**
 * Fetches when the component appears and whenever one of `inputs` changes; what is under way then is given up.
 *
 * @param fetchData is given the signal that ends it
 */
export function useLoad<Data>(
  fetchData: (signal: AbortSignal) => Promise<Data>,
  inputs: readonly unknown[],
): Loaded<Data> {
  const [state, setState] = useState<Omit<Loaded<Data>, "reload">>({
    data: undefined,
    problem: undefined,
    isLoading: true,
  });
  const [round, setRound] = useState(0);
  const latest = useRef(fetchData);
  latest.current = fetchData;
  // Before the browser paints: the answer is under way sooner.
  useLayoutEffect(() => {
    const leaving = new AbortController();
    setState(({ data }) => ({ data, problem: undefined, isLoading: true }));
    latest.current(leaving.signal).then(
      (data) => setState({ data, problem: undefined, isLoading: false }),
      (problem: unknown) => {
        if (leaving.signal.aborted) return;
        setState(({ data }) => ({ data, problem: messageOf(problem), isLoading: false }));
      },
    );
    return () => leaving.abort();
  }, [...inputs, round]);
  const reload = useCallback(() => setRound((before) => before + 1), []);
  return { ...state, reload };
}
