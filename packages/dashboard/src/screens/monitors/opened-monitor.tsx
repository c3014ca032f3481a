import { useState } from "preact/hooks";

import type { MonitorAnswer } from "@pergamon-dev/server/monitor/operator";
import { ask } from "../../client/ask.ts";
import { useAnswer } from "../../client/load.ts";
import { plainly } from "../../format/foreign.ts";
import { count, plural } from "../../format/numbers.ts";
import { exactly, moment } from "../../format/times.ts";
import { ActButton } from "../../parts/act-button.tsx";
import { Confirm } from "../../parts/confirm.tsx";
import { TeamName } from "../../parts/names.tsx";
import { Page, Panel } from "../../parts/page.tsx";
import { Empty, WithData } from "../../parts/states.tsx";
import { type Column, Table } from "../../parts/table.tsx";
import { act } from "../../parts/toasts.tsx";
import { CheckState, summaryInWords } from "./check-marks.tsx";
import { FilmStrip } from "./film-strip.tsx";
import { MonitorDialog } from "./monitor-dialog.tsx";
import { NextRun } from "./monitor-table.tsx";

const REFRESH_MS = 3000;
const CHANGE = "PATCH /admin/api/monitors/{id}";
const DELETE = "DELETE /admin/api/monitors/{id}";

interface OpenedMonitorProps {
  readonly id: string;
  readonly onLeave: () => void;
}

/** A monitor with its checks, and what can be done with it. */
export function OpenedMonitor({ id, onLeave }: OpenedMonitorProps) {
  const loaded = useAnswer("GET /admin/api/monitors/{id}", { params: { id } }, { everyMs: REFRESH_MS });
  const name = loaded.data?.data.monitor.name;
  return (
    <Page
      title={name === undefined ? "Monitor" : plainly(name)}
      acts={
        <button type="button" class="btn" onClick={onLeave}>
          ‹ All monitors
        </button>
      }
    >
      <WithData loaded={loaded}>
        {({ data }) => <Opened data={data} onChanged={loaded.reload} onLeave={onLeave} />}
      </WithData>
    </Page>
  );
}

const DAYS = ["Sunday", "Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday"];

/** `Every Thursday at 14:23 UTC`; what has no such words stays as cron has it. */
function scheduleInWords({ cron, timezone }: MonitorAnswer["data"]["monitor"]["schedule"]): string {
  const [minute = "", hour = "", day, month, weekday = ""] = cron.split(" ");
  const isPlain = /^\d+$/.test(minute) && day === "*" && month === "*";
  const at = `${hour.padStart(2, "0")}:${minute.padStart(2, "0")} ${timezone}`;
  if (isPlain && hour === "*" && weekday === "*") return `Every hour, at minute ${minute}`;
  if (!isPlain || !/^\d+$/.test(hour)) return `${cron} ${timezone}`;
  if (weekday === "*") return `Every day at ${at}`;
  const name = DAYS[Number(weekday)];
  return name === undefined ? `${cron} ${timezone}` : `Every ${name} at ${at}`;
}

interface OpenedProps {
  readonly data: MonitorAnswer["data"];
  readonly onChanged: () => void;
  readonly onLeave: () => void;
}

function Opened({ data: { monitor, checks, settings, frames }, onChanged, onLeave }: OpenedProps) {
  const { schedule, goal, targets, retentionDays } = monitor;
  return (
    <div class="stack wide">
      <Panel
        title="Schedule"
        beside={<Acts monitor={monitor} settings={settings} onChanged={onChanged} onLeave={onLeave} />}
      >
        <dl class="kv">
          <dt>Runs</dt>
          <dd title={schedule.cron}>{scheduleInWords(schedule)}</dd>
          <dt>Next run</dt>
          <dd>
            <NextRun monitor={monitor} />
          </dd>
          <dt>Goal</dt>
          <dd class="wrap foreign">{goal === null ? "none" : plainly(goal)}</dd>
          <dt>Costs</dt>
          <dd>
            {settings.estimatedCreditsPerMonth === null
              ? "not known"
              : `about ${plural(settings.estimatedCreditsPerMonth, "credit")} a month`}
          </dd>
          <dt>Tells</dt>
          <dd class="wrap foreign">{plainly(receiversOf(settings))}</dd>
          <dt>Belongs to</dt>
          <dd>
            <TeamName teamId={monitor.teamId} />
          </dd>
          <dt>Checks are kept</dt>
          <dd>{`${count(retentionDays)} days`}</dd>
          {targets.map(({ type, what, more }, index) => (
            <TargetFact key={index} type={type} what={what} more={more} />
          ))}
        </dl>
      </Panel>
      <FilmStrip monitorId={monitor.id} frames={frames} />
      <Panel title="Checks">
        <Table
          label="Checks"
          columns={columnsOf(monitor.id)}
          rows={checks}
          keyOf={({ id }) => id}
          empty={<Empty title="No check has run yet">The first one comes at the next run.</Empty>}
        />
      </Panel>
    </div>
  );
}

const TARGETS = { scrape: "Pages", crawl: "Site", search: "Search" } as const;

function TargetFact({ type, what, more }: MonitorAnswer["data"]["monitor"]["targets"][number]) {
  return (
    <>
      <dt>{TARGETS[type]}</dt>
      <dd class="mono wrap foreign">{`${plainly(what)}${more > 0 ? ` and ${count(more)} more` : ""}`}</dd>
    </>
  );
}

/** Whom a monitor tells, in words. */
function receiversOf({ webhook, notification }: MonitorAnswer["data"]["settings"]): string {
  const { url } = (webhook ?? {}) as { readonly url?: unknown };
  const { email, channels = [] } = (notification ?? {}) as {
    readonly email?: { readonly enabled?: boolean; readonly recipients?: readonly string[] };
    readonly channels?: readonly { readonly type?: string }[];
  };
  const told = [
    ...(typeof url === "string" ? [`webhook ${url}`] : []),
    ...(email?.enabled === true ? (email.recipients ?? []) : []),
    ...channels.map(({ type }) => type ?? "a channel"),
  ];
  return told.length === 0 ? "nobody" : told.join(", ");
}

type ActsProps = Pick<OpenedProps, "onChanged" | "onLeave"> &
  Pick<MonitorAnswer["data"], "monitor" | "settings">;

function Acts({ monitor: { id, status, name, isRunning }, settings, onChanged, onLeave }: ActsProps) {
  const [isEditing, setIsEditing] = useState(false);
  const [isDeleting, setIsDeleting] = useState(false);
  const isPaused = status === "paused";
  async function run(): Promise<string> {
    await ask("POST /admin/api/monitors/{id}/run", { params: { id } });
    return "The check has begun.";
  }
  async function turn(): Promise<string> {
    const body = { status: isPaused ? ("active" as const) : ("paused" as const) };
    await ask(CHANGE, { params: { id }, body });
    return isPaused ? "Resumed." : "Paused.";
  }
  async function remove(): Promise<string> {
    await ask(DELETE, { params: { id } });
    return "Deleted.";
  }
  return (
    <span class="row tight">
      <ActButton
        route="POST /admin/api/monitors/{id}/run"
        class="btn small"
        disabled={isRunning || isPaused}
        onClick={() => void act(run).then(onChanged)}
      >
        Run now
      </ActButton>
      <ActButton route={CHANGE} class="btn small" onClick={() => setIsEditing(true)}>
        Change
      </ActButton>
      <ActButton route={CHANGE} class="btn small" onClick={() => void act(turn).then(onChanged)}>
        {isPaused ? "Resume" : "Pause"}
      </ActButton>
      <ActButton route={DELETE} class="btn small danger" onClick={() => setIsDeleting(true)}>
        Delete
      </ActButton>
      {isEditing && (
        <MonitorDialog settings={settings} onClose={() => setIsEditing(false)} onSaved={onChanged} />
      )}
      {isDeleting && (
        <Confirm
          title="Delete this monitor?"
          verb="Delete"
          route={DELETE}
          work={remove}
          onDone={onLeave}
          onClose={() => setIsDeleting(false)}
        >
          “{plainly(name)}” and all its checks are deleted.
        </Confirm>
      )}
    </span>
  );
}

type Check = MonitorAnswer["data"]["checks"][number];

function columnsOf(monitorId: string): readonly Column<Check>[] {
  return [
    {
      heading: "Check",
      kind: "name",
      cell: ({ id, createdAt, trigger }) => (
        <>
          <a
            href={`/dashboard/monitors?id=${encodeURIComponent(monitorId)}&check=${encodeURIComponent(id)}`}
            title={exactly(createdAt)}
          >
            {moment(createdAt)}
          </a>
          <span class="faint">{trigger === "manual" ? "by hand" : "by schedule"}</span>
        </>
      ),
    },
    { heading: "State", cell: ({ status }) => <CheckState status={status} /> },
    { heading: "Pages", cell: ({ summary }) => summaryInWords(summary) },
    {
      heading: "Credits",
      kind: "number",
      cell: ({ actualCredits }) => (actualCredits === null ? "–" : count(actualCredits)),
    },
  ];
}
