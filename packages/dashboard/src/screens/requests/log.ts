import { useLayoutEffect, useRef, useState } from "preact/hooks";

import type { RequestEntry } from "@pergamon-dev/server/history/operator/show-request";
import { ask, messageOf } from "../../client/ask.ts";
import { era } from "../../client/live.ts";
import { type Filter, queryOf } from "./filter.ts";

/** Rows fetched at once. */
const ROWS = 100;

export interface Log {
  readonly rows: readonly RequestEntry[] | undefined;
  readonly problem: string | undefined;
  readonly hasMore: boolean;
  /** Older requests are looked at: so far nothing fits the filter. */
  readonly lookedBackTo: string | undefined;
  /** Fetches the next rows, unless that is under way. */
  readonly more: () => void;
  readonly reload: () => void;
}

interface State {
  readonly rows: readonly RequestEntry[] | undefined;
  readonly cursor: string | null;
  readonly lookedBackTo: string | null;
  readonly problem: string | undefined;
}

/** The requests that a filter lets through, newest first, page by page. */
export function useLog(filter: Filter): Log {
  const [state, setState] = useState<State>({
    rows: undefined,
    cursor: null,
    lookedBackTo: null,
    problem: undefined,
  });
  const [round, setRound] = useState(0);
  const underWay = useRef<AbortController | undefined>(undefined);

  function fetchRows(cursor: string | undefined): void {
    underWay.current?.abort();
    const current = new AbortController();
    underWay.current = current;
    const query = { ...queryOf(filter), limit: ROWS, ...(cursor !== undefined && { cursor }) };
    ask("GET /admin/api/requests", { query, signal: current.signal })
      .then((page) => {
        setState(({ rows = [] }) => ({
          rows: cursor === undefined ? page.data : [...rows, ...page.data],
          cursor: page.cursor,
          lookedBackTo: page.lookedBackTo,
          problem: undefined,
        }));
        underWay.current = undefined;
        // A rare filter: the service looks at so many requests at once.
        if (page.data.length === 0 && page.cursor !== null) fetchRows(page.cursor);
        return undefined;
      })
      .catch((problem: unknown) => {
        if (current.signal.aborted) return;
        underWay.current = undefined;
        setState((before) => ({ ...before, problem: messageOf(problem) }));
      });
  }
  useLayoutEffect(() => {
    fetchRows(undefined);
    return () => underWay.current?.abort();
  }, [JSON.stringify(filter), round, era.value]);
  return {
    rows: state.rows,
    problem: state.problem,
    hasMore: state.cursor !== null,
    lookedBackTo: state.cursor === null ? undefined : (state.lookedBackTo ?? undefined),
    more: () => {
      if (state.cursor !== null && !underWay.current) fetchRows(state.cursor);
    },
    reload: () => setRound((before) => before + 1),
  };
}
