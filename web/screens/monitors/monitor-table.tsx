import type { OperatorMonitor } from "../../../src/contract/operator/monitors.ts";
import { SparkLine } from "../../charts/spark-line.tsx";
import { plainly } from "../../format/foreign.ts";
import { plural } from "../../format/numbers.ts";
import { exactly, moment } from "../../format/times.ts";
import { TeamName } from "../../parts/names.tsx";
import { CheckState, summaryInWords } from "./check-marks.tsx";

/** Checks that the line of changes has room for. */
const DRAWN = 24;

/** Monitors, newest first. */
export function MonitorTable({ monitors }: { readonly monitors: readonly OperatorMonitor[] }) {
  return (
    <div class="scrolls">
      <table>
        <thead>
          <tr>
            <th>Monitor</th>
            <th class="wide-only">Team</th>
            <th>Changes</th>
            <th>Last result</th>
            <th>Next run</th>
          </tr>
        </thead>
        <tbody>
          {monitors.map((monitor) => (
            <MonitorRow key={monitor.id} monitor={monitor} />
          ))}
        </tbody>
      </table>
    </div>
  );
}

function MonitorRow({ monitor }: { readonly monitor: OperatorMonitor }) {
  const { id, teamId, name, changes, lastStatus, lastSummary, isRunning } = monitor;
  const changed = changes.filter((value) => value > 0).length;
  return (
    <tr>
      <td class="fills">
        <a class="foreign" href={`/dashboard/monitors?id=${encodeURIComponent(id)}`} title={plainly(name)}>
          {plainly(name)}
        </a>
        <span class="faint foreign">{plainly(targetsInWords(monitor))}</span>
      </td>
      <td class="wide-only dim team">
        <TeamName teamId={teamId} />
      </td>
      <td>
        <SparkLine
          values={changes}
          most={Math.max(...changes, 1)}
          length={DRAWN}
          label={`Changes in ${changed} of the last ${plural(changes.length, "check")}`}
        />
      </td>
      <td>
        {lastStatus === null ? "none yet" : <CheckState status={isRunning ? "running" : lastStatus} />}
        {lastSummary !== null && <span class="faint"> {summaryInWords(lastSummary)}</span>}
      </td>
      <td>
        <NextRun monitor={monitor} />
      </td>
    </tr>
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
