import type { OperatorMonitor } from "@pergamon-dev/server/monitor/operator";
import { SparkLine } from "../../charts/spark-line.tsx";
import { session } from "../../client/session.ts";
import { plainly } from "../../format/foreign.ts";
import { plural } from "../../format/numbers.ts";
import { exactly, moment } from "../../format/times.ts";
import { teamColumn } from "../../parts/names.tsx";
import { type Column, Table } from "../../parts/table.tsx";
import { CheckState, summaryInWords } from "./check-marks.tsx";

/** Checks that the line of changes has room for. */
const DRAWN = 24;

interface MonitorTableProps {
  readonly monitors: readonly OperatorMonitor[];
  readonly isOfOneTeam?: boolean;
}

/** Monitors, newest first. */
export function MonitorTable({ monitors, isOfOneTeam = false }: MonitorTableProps) {
  const columns = COLUMNS.filter((column) => !isOfOneTeam || column !== teamColumn);
  return (
    <Table
      label={isOfOneTeam ? "Monitors of the team" : "Monitors"}
      {...(isOfOneTeam && { frame: { class: "scrolls" } })}
      columns={columns}
      rows={monitors}
      keyOf={({ id }) => id}
    />
  );
}

const COLUMNS: readonly Column<OperatorMonitor>[] = [
  {
    heading: "Monitor",
    by: ({ name }) => name,
    kind: "name",
    cell: (monitor) => (
      <>
        {session.value?.operator.role === "team" ? (
          <span class="foreign">{plainly(monitor.name)}</span>
        ) : (
          <a
            class="foreign"
            href={`/dashboard/monitors?id=${encodeURIComponent(monitor.id)}`}
            title={plainly(monitor.name)}
          >
            {plainly(monitor.name)}
          </a>
        )}
        <span class="faint foreign">{plainly(targetsInWords(monitor))}</span>
      </>
    ),
  },
  teamColumn,
  { heading: "Changes", cell: ({ changes }) => <Changes changes={changes} /> },
  {
    heading: "Last result",
    cell: ({ lastStatus, lastSummary, isRunning }) => (
      <>
        {lastStatus === null ? "none yet" : <CheckState status={isRunning ? "running" : lastStatus} />}
        {lastSummary !== null && <span class="faint"> {summaryInWords(lastSummary)}</span>}
      </>
    ),
  },
  { heading: "Next run", cell: (monitor) => <NextRun monitor={monitor} /> },
];

function Changes({ changes }: Pick<OperatorMonitor, "changes">) {
  const changed = changes.filter((value) => value > 0).length;
  return (
    <SparkLine
      values={changes}
      most={Math.max(...changes, 1)}
      length={DRAWN}
      label={`Changes in ${changed} of the last ${plural(changes.length, "check")}`}
    />
  );
}

export function NextRun({ monitor: { status, nextRunAt } }: { readonly monitor: OperatorMonitor }) {
  if (status === "paused") return <span class="faint">paused</span>;
  if (nextRunAt === null) return <span class="faint">never</span>;
  return <span title={exactly(nextRunAt)}>{moment(nextRunAt)}</span>;
}

function targetsInWords({ targets, schedule }: OperatorMonitor): string {
  const [first] = targets;
  if (!first) return schedule.cron;
  const further = targets.length - 1 + first.more;
  const what = first.type === "search" ? `search “${first.what}”` : first.what;
  return further > 0 ? `${what} and ${plural(further, "more", "more")}` : what;
}
