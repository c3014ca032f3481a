import { useEffect, useRef, useState } from "preact/hooks";

import type { RequestEntry } from "@pergamon-dev/server/history/operator/show-request";
import { plainly } from "../../format/foreign.ts";
import { count } from "../../format/numbers.ts";
import { duration, exactly, moment } from "../../format/times.ts";
import { Asker } from "../../parts/names.tsx";
import { ResultBadge, shortUrl } from "../../parts/request-marks.tsx";
import { type Column, Table } from "../../parts/table.tsx";
import { RequestThumbnail } from "../../parts/thumbnail.tsx";
import { useWindow } from "../../parts/windowed.ts";
import { type Filter, logPath } from "./filter.ts";
import type { Log } from "./log.ts";

/** Pixels; all rows are as high. */
const ROW_HEIGHT = 32;

interface LogTableProps {
  readonly log: Log;
  readonly rows: readonly RequestEntry[];
  readonly selected: string | undefined;
  /** What its rows are of, so that a row opened in a tab of its own is found among the same. */
  readonly filter: Filter;
  readonly onSelect: (id: string) => void;
}

/** The log, of which only what is seen is drawn; further rows are fetched when their end comes near. */
export function LogTable({ log, rows, selected, filter, onSelect }: LogTableProps) {
  const scroller = useRef<HTMLDivElement>(null);
  const [chosen, choose] = useColumns();
  const drawn = useWindow(scroller, rows.length, ROW_HEIGHT);
  useEffect(() => {
    if (drawn.end >= rows.length - 20) log.more?.();
  }, [drawn.end, rows, log.more === undefined]);
  return (
    <>
      {selected === undefined && <Columns chosen={chosen} onChange={choose} />}
      <Table
        label="Requests"
        class="log"
        frame={{ class: "log", ref: scroller }}
        drawn={drawn}
        columns={[
          {
            heading: "Page",
            kind: "name",
            by: ({ url }) => url,
            cell: (request) => (
              <Name
                request={request}
                isSelected={request.id === selected}
                filter={filter}
                onSelect={onSelect}
              />
            ),
          },
          {
            heading: "Time",
            by: ({ createdAt }) => createdAt,
            class: "one-line faint",
            cell: ({ createdAt, replayOf }) => (
              <span title={exactly(createdAt)}>
                {replayOf === null ? moment(createdAt) : `${moment(createdAt)} · replay`}
              </span>
            ),
          },
          {
            heading: "Result",
            by: ({ status }) => status,
            cell: (request) => <ResultBadge request={request} />,
          },
          // An opened request needs the room of these.
          ...(selected === undefined ? FURTHER.filter(({ heading = "" }) => chosen.includes(heading)) : []),
        ]}
        rows={rows}
        keyOf={({ id }) => id}
        isOn={({ id }) => id === selected}
        onRow={({ id }) => onSelect(id)}
      />
    </>
  );
}

const STORE = "pergamon.requests.columns";
const USUAL = ["Team and key", "Formats", "Source", "Duration"];

/** Names of the shown columns, kept in this browser. */
function useColumns() {
  const [chosen, setChosen] = useState<readonly string[]>(() => {
    const kept = localStorage.getItem(STORE);
    return kept === null ? USUAL : kept.split(",");
  });
  const choose = (names: readonly string[]) => {
    localStorage.setItem(STORE, names.join(","));
    setChosen(names);
  };
  return [chosen, choose] as const;
}

interface ColumnsProps {
  readonly chosen: readonly string[];
  readonly onChange: (names: readonly string[]) => void;
}

function Columns({ chosen, onChange }: ColumnsProps) {
  return (
    <details class="columns">
      <summary class="chip">Columns</summary>
      {FURTHER.map(({ heading = "" }) => (
        <label key={heading} class="row tight">
          <input
            type="checkbox"
            checked={chosen.includes(heading)}
            onChange={({ currentTarget: { checked } }) =>
              onChange(checked ? [...chosen, heading] : chosen.filter((name) => name !== heading))
            }
          />
          {heading}
        </label>
      ))}
    </details>
  );
}

const FURTHER: readonly Column<RequestEntry>[] = [
  {
    heading: "Team and key",
    from: "roomy",
    class: "cut-cell",
    cell: ({ teamId, keyId }) => <Asker teamId={teamId} keyId={keyId} />,
  },
  {
    heading: "Formats",
    from: "roomy",
    class: "cut-cell dim",
    cell: ({ formats }) => plainly(formats.join(", ")),
  },
  {
    heading: "Source",
    by: ({ way }) => way,
    from: "roomy",
    cell: ({ way }) => way !== null && <span class="badge">{plainly(way)}</span>,
  },
  { heading: "Kind", from: "wide", by: ({ kind }) => kind, cell: ({ kind }) => plainly(kind) },
  {
    heading: "Credits",
    kind: "number",
    from: "wide",
    by: ({ creditsUsed }) => creditsUsed,
    cell: ({ creditsUsed }) => count(creditsUsed),
  },
  {
    heading: "Duration",
    kind: "number",
    from: "wide",
    by: ({ durationMs }) => durationMs,
    cell: ({ durationMs }) => duration(durationMs),
  },
];

interface NameProps extends Pick<LogTableProps, "filter" | "onSelect"> {
  readonly request: RequestEntry;
  readonly isSelected: boolean;
}

function Name({ request, isSelected, filter, onSelect }: NameProps) {
  const { id, url, status, formats } = request;
  return (
    <>
      {status === "completed" && formats.includes("screenshot") && <RequestThumbnail id={id} />}
      <a
        class="mono foreign"
        href={logPath(filter, id)}
        {...(isSelected && { "aria-current": "true" as const })}
        onClick={(event) => {
          event.preventDefault();
          event.stopPropagation();
          onSelect(id);
        }}
      >
        {inMiddle(shortUrl(url))}
      </a>
    </>
  );
}

/** Longer addresses are shortened in the middle, as their ends differ. */
const [MAX_LENGTH, HEAD, TAIL] = [90, 48, 40];

/** A long address without its middle: those of one list often begin alike. */
function inMiddle(text: string): string {
  return text.length <= MAX_LENGTH ? text : `${text.slice(0, HEAD)}…${text.slice(-TAIL)}`;
}
