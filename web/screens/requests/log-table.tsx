import { useEffect, useRef } from "preact/hooks";

import type { RequestEntry } from "../../../src/contract/operator/requests.ts";
import { plainly } from "../../format/foreign.ts";
import { plural } from "../../format/numbers.ts";
import { duration, exactly, moment } from "../../format/times.ts";
import { ResultBadge, shortUrl } from "../../parts/request-marks.tsx";
import { useWindow } from "../../parts/windowed.ts";
import { Asker } from "../../parts/names.tsx";
import { type Filter, logPath } from "./filter.ts";
import type { Log } from "./log.ts";

/** Pixels; all rows are as high. */
const ROW_HEIGHT = 53;

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
  const isAlone = selected === undefined;
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
            {isAlone && (
              <>
                <th class="roomy-only">Team and key</th>
                <th class="roomy-only">Formats</th>
                <th class="roomy-only">Source</th>
              </>
            )}
            <th class="num">Duration</th>
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
              isAlone={isAlone}
              filter={filter}
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
      <td colSpan={6} style={{ height: `${height}px` }} />
    </tr>
  );
}

interface RowProps {
  readonly request: RequestEntry;
  readonly position: number;
  readonly isSelected: boolean;
  /** Whether there is room for more columns, as no request is opened. */
  readonly isAlone: boolean;
  readonly filter: Filter;
  readonly onSelect: (id: string) => void;
}

function Row({ request, position, isSelected, isAlone, filter, onSelect }: RowProps) {
  const { id, url, createdAt, way, creditsUsed, durationMs, replayOf, teamId, keyId, formats } = request;
  return (
    <tr aria-rowindex={position} class={isSelected ? "on" : ""} onClick={() => onSelect(id)}>
      <td class="fills">
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
      {isAlone && (
        <>
          <td class="roomy-only cut-cell">
            <Asker teamId={teamId} keyId={keyId} />
          </td>
          <td class="roomy-only cut-cell dim">{plainly(formats.join(", "))}</td>
          <td class="roomy-only">{way !== null && <span class="badge">{plainly(way)}</span>}</td>
        </>
      )}
      <td class="num">{duration(durationMs)}</td>
    </tr>
  );
}

/** So many characters of an address are told from the others by their ends. */
const [MAX_LENGTH, HEAD, TAIL] = [90, 48, 40];

/** A long address without its middle: those of one list often begin alike. */
function inMiddle(text: string): string {
  return text.length <= MAX_LENGTH ? text : `${text.slice(0, HEAD)}…${text.slice(-TAIL)}`;
}
