import { useLocation } from "preact-iso";

import type { UsageAnswer } from "../../../src/contract/operator/usage.ts";
import { TableTwin } from "../../charts/table-twin.tsx";
import { stepName } from "../../charts/ticks.ts";
import { TimeChart } from "../../charts/time-chart.tsx";
import { addressOf, ask } from "../../client/ask.ts";
import { useLoad } from "../../client/load.ts";
import { plainly } from "../../format/foreign.ts";
import { count, percent } from "../../format/numbers.ts";
import { duration } from "../../format/times.ts";
import { Page, Panel } from "../../parts/page.tsx";
import { Empty, WithData } from "../../parts/states.tsx";
import { TeamName } from "../../parts/names.tsx";
import { TeamChoice } from "../../parts/team-choice.tsx";
import { type Filter, logPath } from "../requests/filter.ts";
import { Errors } from "./errors.tsx";

type Usage = UsageAnswer["data"];

const DAY_MS = 24 * 60 * 60 * 1000;
const STEP_MS = { hour: 60 * 60 * 1000, day: DAY_MS } as const;

/** Spans by their id: how many days, in which steps. */
const SPANS = {
  day: { name: "24 h", days: 1, step: "hour" },
  week: { name: "7 days", days: 7, step: "hour" },
  month: { name: "30 days", days: 30, step: "day" },
  quarter: { name: "90 days", days: 90, step: "day" },
  year: { name: "365 days", days: 365, step: "day" },
} as const;
type Span = keyof typeof SPANS;

const GROUPINGS = {
  team: "By team",
  key: "By key",
  format: "By format",
  way: "By source",
  kind: "By kind of work",
} as const;
type Grouping = keyof typeof GROUPINGS;

/** What was used, by whom and for what. */
export function Usage() {
  const { query: asked, route } = useLocation();
  const span: Span = isIn(SPANS, asked["span"]) ? asked["span"] : "month";
  const by: Grouping = isIn(GROUPINGS, asked["by"]) ? asked["by"] : "team";
  const team = asked["team"] ?? "";
  const go = (changes: object) => {
    const query = new URLSearchParams({ span, by, ...(team !== "" && { team }), ...changes });
    if (query.get("team") === "") query.delete("team");
    route(`/dashboard/usage?${query.toString()}`, true);
  };
  const query = queryOf(span, by, team);
  const scope: Filter = {
    since: String(SPANS[span].days * 24),
    ...(team !== "" && { team }),
  };
  const loaded = useLoad((signal) => ask("GET /admin/api/usage", { query, signal }), [span, by, team]);
  return (
    <Page
      title="Usage"
      acts={
        <>
          <TeamChoice value={team} onChange={(chosen) => go({ team: chosen })} everybody="All teams" />
          <Choice label="Period" options={namesOf(SPANS)} value={span} onChange={(id) => go({ span: id })} />
          <a class="btn" href={addressOf("/admin/api/usage.csv", {}, query)} download="usage.csv">
            Save as CSV
          </a>
        </>
      }
    >
      <WithData loaded={loaded} lines={8}>
        {({ data }) => (
          <>
            <Totals usage={data} />
            <Charts usage={data} />
            <div class="cols even above">
              <Groups usage={data} by={by} scope={scope} onBy={(id) => go({ by: id })} />
              <Errors usage={data} scope={scope} />
            </div>
          </>
        )}
      </WithData>
    </Page>
  );
}

function queryOf(span: Span, by: Grouping, team: string) {
  const { days, step } = SPANS[span];
  // The step that is under way is one of them.
  const from = new Date(Date.now() - days * DAY_MS + STEP_MS[step]).toISOString();
  return { from, step, by, ...(team !== "" && { team }) };
}

function namesOf(
  spans: Readonly<Record<string, { readonly name: string }>>,
): Readonly<Record<string, string>> {
  return Object.fromEntries(Object.entries(spans).map(([id, { name }]) => [id, name]));
}

interface ChoiceProps {
  readonly label: string;
  readonly options: Readonly<Record<string, string>>;
  readonly value: string;
  readonly onChange: (value: string) => void;
}

function Choice({ label, options, value, onChange }: ChoiceProps) {
  return (
    <select
      class="chip"
      aria-label={label}
      value={value}
      onChange={({ currentTarget }) => onChange(currentTarget.value)}
    >
      {Object.entries(options).map(([id, name]) => (
        <option key={id} value={id}>
          {name}
        </option>
      ))}
    </select>
  );
}

function Totals({ usage: { total } }: { readonly usage: Usage }) {
  const { pages, failed, cacheHits, credits, p50Ms, p95Ms } = total;
  return (
    <Panel label="Totals" class="figures">
      <div>
        <span class="dim">Credits</span>
        <b>{count(credits)}</b>
      </div>
      <div>
        <span class="dim">Pages</span>
        <b>{count(pages)}</b>
        <span class="faint">{pages === 0 ? "none yet" : `${percent(pages - failed, pages)} succeeded`}</span>
      </div>
      <div>
        <span class="dim">From cache</span>
        <b>{percent(cacheHits, pages)}</b>
      </div>
      <div>
        <span class="dim">Median time</span>
        <b>{p50Ms === null ? "–" : duration(p50Ms)}</b>
        <span class="faint">{p95Ms === null ? "" : `p95 ${duration(p95Ms)}`}</span>
      </div>
    </Panel>
  );
}

function Charts({ usage: { series, step } }: { readonly usage: Usage }) {
  const starts = series.map(({ start }) => start);
  const most = Math.max(0, ...series.map(({ credits }) => credits));
  return (
    <Panel title={`Credits by ${step}`} class="above">
      <div class="body">
        <TimeChart
          label={`Credits by ${step}, at most ${most}`}
          starts={starts}
          step={step}
          series={[{ name: "Credits", colour: "c1", values: series.map(({ credits }) => credits) }]}
        />
      </div>
      <TableTwin series={series} nameOf={(start) => stepName(start, step)} />
    </Panel>
  );
}

interface GroupsProps {
  readonly usage: Usage;
  readonly by: Grouping;
  /** Team and time, as links to the log keep them. */
  readonly scope: Filter;
  readonly onBy: (by: Grouping) => void;
}

function Groups({ usage: { groups, total }, by, scope, onBy }: GroupsProps) {
  return (
    <Panel
      title="Breakdown"
      beside={
        <Choice label="Group by" options={GROUPINGS} value={by} onChange={(id) => onBy(id as Grouping)} />
      }
    >
      {groups.length === 0 ? (
        <Empty title="No usage">Choose a longer period.</Empty>
      ) : (
        <table>
          <thead>
            <tr>
              <th>Name</th>
              <th class="num">Pages</th>
              <th class="num">Share</th>
              <th class="num">Credits</th>
            </tr>
          </thead>
          <tbody>
            {groups.map(({ id, name, teamId, pages, credits }) => (
              <tr key={`${teamId ?? ""} ${id}`}>
                <td class="fills">
                  <a class="foreign" href={logPath({ ...scope, ...partOf(by, id, teamId) })}>
                    {name === "" ? `${id} (deleted, or without a key)` : plainly(name)}
                  </a>
                  {by === "key" && teamId !== null && (
                    <span class="faint">
                      <TeamName teamId={teamId} />
                    </span>
                  )}
                </td>
                <td class="num">{count(pages)}</td>
                <td class="num">{percent(pages, total.pages)}</td>
                <td class="num">{count(credits)}</td>
              </tr>
            ))}
          </tbody>
        </table>
      )}
    </Panel>
  );
}

/** What narrows the log to a group. */
function partOf(by: Grouping, id: string, teamId: string | null): Filter {
  if (by === "key") return { ...(teamId !== null && { team: teamId }), ...(id !== "" && { key: id }) };
  return { [by]: id };
}

function isIn<Table extends object>(table: Table, id: string | undefined): id is keyof Table & string {
  return id !== undefined && Object.hasOwn(table, id);
}
