import { useLocation } from "preact-iso";
import { useState } from "preact/hooks";

import { addressOf } from "../../client/ask.ts";
import { arrivals } from "../../client/live.ts";
import { plural } from "../../format/numbers.ts";
import { useDebounced } from "../../parts/debounced.ts";
import { Page, Panel } from "../../parts/page.tsx";
import { Empty, Notice, Skeleton } from "../../parts/states.tsx";
import { Drawer } from "./drawer.tsx";
import { type Filter, Filters, NO_FILTER, queryOf } from "./filters.tsx";
import { type Log, useLog } from "./log.ts";
import { LogTable } from "./log-table.tsx";

/** The log: find a request, see why it ended as it did, and run it again. */
export function Requests() {
  const { query, route } = useLocation();
  const [filter, setFilter] = useState<Filter>({ ...NO_FILTER, search: query["search"] ?? "" });
  const log = useLog(useDebounced(filter));
  const selected = query["id"];
  const select = (id: string | undefined) =>
    route(id === undefined ? "/dashboard/requests" : `/dashboard/requests?id=${encodeURIComponent(id)}`);
  return (
    <Page
      title="Requests"
      beside={<NewOnes log={log} />}
      acts={
        <a
          class="btn"
          href={addressOf("/admin/api/requests.jsonl", {}, queryOf(filter))}
          download="requests.jsonl"
        >
          Export
        </a>
      }
    >
      <Filters filter={filter} onChange={setFilter} />
      <div class="split">
        <Panel label="Log" class="list">
          {log.problem !== undefined && <Notice tone="bad" title={log.problem} />}
          <Rows log={log} selected={selected} onSelect={select} />
        </Panel>
        {selected !== undefined && <Drawer id={selected} onSelect={select} onReplayed={log.reload} />}
      </div>
    </Page>
  );
}

interface RowsProps {
  readonly log: Log;
  readonly selected: string | undefined;
  readonly onSelect: (id: string) => void;
}

function Rows({ log, selected, onSelect }: RowsProps) {
  const { rows, problem } = log;
  if (rows === undefined) return problem === undefined ? <Skeleton lines={10} /> : null;
  if (rows.length === 0) {
    return (
      <Empty
        title="No matching requests"
        act={
          <a class="btn" href="/dashboard/playground">
            Open playground
          </a>
        }
      >
        Requests appear here when they end, except those with zero data retention.
      </Empty>
    );
  }
  return <LogTable log={log} rows={rows} selected={selected} onSelect={onSelect} />;
}

/** Requests that ended since the log was fetched. */
function NewOnes({ log }: { readonly log: Log }) {
  const newest = log.rows?.[0]?.createdAt ?? "";
  const known = new Set(log.rows?.slice(0, 100).map(({ id }) => id));
  const fresh = arrivals.value.filter(({ id, createdAt }) => createdAt >= newest && !known.has(id)).length;
  if (log.rows === undefined || fresh === 0) return null;
  return (
    <button type="button" class="chip on" onClick={log.reload}>
      {`Show ${plural(fresh, "new request")}`}
    </button>
  );
}
