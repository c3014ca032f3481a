import { useEffect } from "preact/hooks";

import type { RequestEntry, RequestsAnswer } from "@pergamon-dev/server/history/operator/show-request";
import { ask } from "../../client/ask.ts";
import { type Pages, usePages } from "../../client/pages-of.ts";
import { type Filter, queryOf } from "./filter.ts";

/** Rows fetched at once. */
const ROWS = 100;

export type Log = Pages<RequestEntry, RequestsAnswer>;

/** The requests that a filter lets through, newest first. They stay in place: new ones come when they are asked for. */
export function useLog(filter: Filter): Log {
  const log: Log = usePages<RequestEntry, RequestsAnswer>(
    `requests ${JSON.stringify(filter)}`,
    (cursor, signal) => {
      const query = { ...queryOf(filter), limit: ROWS, ...(cursor !== undefined && { cursor }) };
      return ask("GET /admin/api/requests", { query, signal });
    },
    { everyMs: Infinity },
  );
  const { data } = log.loaded;
  useEffect(() => {
    // A rare filter: the service looks at so many requests at once.
    if (data?.data.length === 0) log.more?.();
  }, [data, log.more === undefined]);
  return log;
}
