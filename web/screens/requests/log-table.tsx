import { useEffect, useRef } from "preact/hooks";

import type { RequestEntry } from "../../../src/contract/operator/requests.ts";
import { plainly } from "../../format/foreign.ts";
import { plural } from "../../format/numbers.ts";
import { duration, exactly, moment } from "../../format/times.ts";
import { ResultBadge, shortUrl } from "../../parts/request-marks.tsx";
import { useWindow } from "../../parts/windowed.ts";
import type { Log } from "./log.ts";

/** Pixels; all rows are as high. */
const ROW_HEIGHT = 53;

interface LogTableProps {
  readonly log: Log;
  readonly rows: readonly RequestEntry[];
  readonly selected: string | undefined;
  readonly onSelect: (id: string) => void;
}

/** The log, of which only what is seen is drawn; further rows are fetched when their end comes near. */
export function LogTable({ log, rows, selected, onSelect }: LogTableProps) {
  const scroller = useRef<HTMLDivElement>(null);
  const { start, end, above, below } = useWindow(scroller, rows.length, ROW_HEIGHT);
  useEffect(() => {
    if (end >= rows.length - 20 && log.hasMore) log.more();
  }, [end, rows.length, log.hasMore]);
  return (
    <div class="log" ref={scroller} tabIndex={0} role="region" aria-label="Requests">
      <table class="log" aria-rowcount={rows.length + 1}>
        <thead>
          <tr>
            <th>Page</th>
            <th>Result</th>
            <th class="num wide-only">Duration</th>
          </tr>
        </thead>
        <tbody>
          <Space height={above} />
          {rows.slice(start, end).map((request, index) => (
            <Row
              key={request.id}
              request={request}
              position={start + index + 2}
              isSelected={request.id === selected}
              onSelect={onSelect}
            />
          ))}
          <Space height={below} />
        </tbody>
      </table>
    </div>
  );
}

function Space({ height }: { readonly height: number }) {
  if (height === 0) return null;
  return (
    <tr aria-hidden="true" class="space">
      <td colSpan={3} style={{ height: `${height}px` }} />
    </tr>
  );
}

interface RowProps {
  readonly request: RequestEntry;
  readonly position: number;
  readonly isSelected: boolean;
  readonly onSelect: (id: string) => void;
}

function Row({ request, position, isSelected, onSelect }: RowProps) {
  const { id, url, createdAt, way, creditsUsed, durationMs, replayOf } = request;
  return (
    <tr aria-rowindex={position} class={isSelected ? "on" : ""} onClick={() => onSelect(id)}>
      <td class="fills">
        <a
          class="mono foreign"
          href={`/dashboard/requests?id=${id}`}
          {...(isSelected && { "aria-current": "true" as const })}
          onClick={(event) => {
            event.preventDefault();
            event.stopPropagation();
            onSelect(id);
          }}
        >
          {shortUrl(url)}
        </a>
        <span class="faint" title={exactly(createdAt)}>
          {[
            moment(createdAt),
            way === null ? null : plainly(way),
            plural(creditsUsed, "credit"),
            replayOf && "replay",
          ]
            .filter((part) => part !== null && part !== "")
            .join(" · ")}
        </span>
      </td>
      <td>
        <ResultBadge request={request} />
      </td>
      <td class="num wide-only">{duration(durationMs)}</td>
    </tr>
  );
}
