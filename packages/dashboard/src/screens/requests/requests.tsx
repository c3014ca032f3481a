import { useLocation } from "preact-iso";
import { useEffect, useRef, useState } from "preact/hooks";

import type { RequestEntry, RequestsAnswer } from "@pergamon-dev/server/history/operator/show-request";
import { addressOf, ask } from "../../client/ask.ts";
import { arrivals } from "../../client/live.ts";
import { count, plural } from "../../format/numbers.ts";
import { exactly } from "../../format/times.ts";
import { useLoad } from "../../client/load.ts";
import { useDebounced } from "../../parts/debounced.ts";
import { Page, Panel } from "../../parts/page.tsx";
import { Empty, WithData } from "../../parts/states.tsx";
import { Drawer } from "./drawer.tsx";
import { Failures } from "./failures.tsx";
import { type Filter, filterOf, logPath, queryOf } from "./filter.ts";
import { Filters, isTyping } from "./filters.tsx";
import { Histogram } from "./histogram.tsx";
import { type Log, useLog } from "./log.ts";
import { LogTable } from "./log-table.tsx";
import { SavedViews } from "./saved-views.tsx";

/** So long a change of the address may be one that this screen made itself. */
const FOLLOWING_MS = 1000;

/** The log: find a request, see why it ended as it did, and run it again. The address says what is looked at. */
export function Requests() {
  const { query, route } = useLocation();
  const id = query["id"];
  const inAddress = filterOf(query);
  // Typed text is shown at once, and gets into the address a moment later.
  const [filter, setFilter] = useState<Filter>(inAddress);
  const settled = useDebounced(filter);
  const address = logPath(inAddress);
  const routedAtMs = useRef(0);
  useEffect(() => {
    // What was typed while the address followed is not taken back.
    if (performance.now() - routedAtMs.current > FOLLOWING_MS) setFilter(inAddress);
  }, [address]);
  useEffect(() => {
    if (logPath(settled) === address) return;
    routedAtMs.current = performance.now();
    route(logPath(settled, id), true);
  }, [settled]);
  const log = useLog(inAddress);
  const rows = log.loaded.data?.data;
  const select = (chosen: string | undefined) => {
    routedAtMs.current = performance.now();
    route(logPath(filter, chosen));
  };
  const open = (view: Filter) => [setFilter(view), route(logPath(view))];
  useRowKeys({ rows, selected: id, onSelect: select });
  return (
    <Page
      title="Requests"
      beside={
        <>
          <Total filter={inAddress} newest={rows?.[0]?.id} />
          <NewOnes log={log} />
        </>
      }
      acts={
        <>
          <SavedViews filter={inAddress} onOpen={open} />
          <a
            class="btn"
            href={addressOf("/admin/api/requests.jsonl", {}, queryOf(inAddress))}
            download="requests.jsonl"
          >
            Export
          </a>
        </>
      }
    >
      <Filters filter={filter} onChange={setFilter} />
      {id === undefined && <Histogram filter={inAddress} onChange={setFilter} />}
      {id === undefined && <Failures filter={inAddress} />}
      <div class="split">
        <Panel label="Log" class="list">
          <WithData loaded={log.loaded} lines={10}>
            {(answer) => <Rows {...{ log, answer }} selected={id} filter={inAddress} onSelect={select} />}
          </WithData>
        </Panel>
        {id !== undefined && <Drawer id={id} onSelect={select} onReplayed={log.loaded.reload} />}
      </div>
    </Page>
  );
}

interface RowKeys {
  readonly rows: readonly RequestEntry[] | undefined;
  readonly selected: string | undefined;
  readonly onSelect: (id: string | undefined) => void;
}

/** j and k open the next and the previous request, Escape closes it. */
function useRowKeys(keys: RowKeys): void {
  const latest = useRef(keys);
  latest.current = keys;
  useEffect(() => {
    function onKey(event: KeyboardEvent): void {
      const step = { j: 1, k: -1 }[event.key];
      if (isTyping(event) || (step === undefined && event.key !== "Escape")) return;
      const { rows = [], selected, onSelect } = latest.current;
      if (step === undefined) {
        if (selected !== undefined) onSelect(undefined);
        return;
      }
      const at = rows.findIndex(({ id }) => id === selected);
      const next = rows[at < 0 ? 0 : at + step];
      if (next) onSelect(next.id);
    }
    addEventListener("keydown", onKey);
    return () => removeEventListener("keydown", onKey);
  }, []);
}

interface RowsProps {
  readonly log: Log;
  readonly answer: RequestsAnswer;
  readonly selected: string | undefined;
  readonly filter: Filter;
  readonly onSelect: (id: string) => void;
}

function Rows({ log, answer: { data: rows, cursor, lookedBackTo }, selected, filter, onSelect }: RowsProps) {
  if (rows.length === 0 && cursor !== null && lookedBackTo !== null)
    return (
      <Empty title="Looking further back">{`No matching requests since ${exactly(lookedBackTo)} so far.`}</Empty>
    );
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
  return <LogTable log={log} rows={rows} selected={selected} filter={filter} onSelect={onSelect} />;
}

/** From here on the service does not count. */
const MAX_COUNTED = 10_000;

interface TotalProps {
  readonly filter: Filter;
  /** Id of the newest row: counted again with it. */
  readonly newest: string | undefined;
}

/** How many requests the filter lets through. */
function Total({ filter, newest }: TotalProps) {
  const { data, isLoading } = useLoad(
    `total ${JSON.stringify(filter)}`,
    (signal) =>
      ask("GET /admin/api/requests", { query: { ...queryOf(filter), limit: 1, count: "true" }, signal }),
    { on: newest },
  );
  if (isLoading || data?.total === undefined) return null;
  const { total, lookedBackTo } = data;
  return (
    <span class="dim">
      {total < MAX_COUNTED ? plural(total, "request") : `${count(MAX_COUNTED)}+ requests`}
      {lookedBackTo !== null && ` since ${exactly(lookedBackTo)}`}
    </span>
  );
}

/** Requests that ended since the log was fetched. */
function NewOnes({ log: { loaded } }: { readonly log: Log }) {
  const rows = loaded.data?.data;
  const newest = rows?.[0]?.createdAt ?? "";
  const known = new Set(rows?.slice(0, 100).map(({ id }) => id));
  const fresh = arrivals.value.filter(({ id, createdAt }) => createdAt >= newest && !known.has(id)).length;
  if (rows === undefined || fresh === 0) return null;
  return (
    <button type="button" class="chip on" onClick={loaded.reload}>
      {`Show ${plural(fresh, "new request")}`}
    </button>
  );
}
