import { useLocation } from "preact-iso";

import type { UsageAnswer } from "@pergamon-dev/server/operator/usage/usage";
import { addressOf, ask } from "../../client/ask.ts";
import { useLoad } from "../../client/load.ts";
import { changeOf, count, percent } from "../../format/numbers.ts";
import { duration } from "../../format/times.ts";
import { Choice } from "../../parts/choice.tsx";
import { costOf } from "../../parts/cost.ts";
import { Page, Panel } from "../../parts/page.tsx";
import { WithData } from "../../parts/states.tsx";
import { TeamChoice } from "../../parts/team-choice.tsx";
import type { Filter } from "../requests/filter.ts";
import { Breakdown, type Grouping, GROUPINGS, narrowedBy } from "./breakdown.tsx";
import { Errors } from "./errors.tsx";
import { CreditsChart, CreditsOfTeam } from "./usage-over-time.tsx";

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

/** What was used, by whom and for what. */
export function Usage() {
  const { query: asked, route } = useLocation();
  const span: Span = isIn(SPANS, asked["span"]) ? asked["span"] : "month";
  const by: Grouping = isIn(GROUPINGS, asked["by"]) ? asked["by"] : "team";
  const team = asked["team"] ?? "";
  const narrowed = narrowedBy(by, asked);
  const go = (changes: Readonly<Record<string, string>>) => {
    const parts = Object.entries({ span, by, team, ...narrowed, ...changes });
    const query = new URLSearchParams(parts.filter(([, value]) => value !== ""));
    route(`/dashboard/usage?${query.toString()}`, true);
  };
  const query = { ...queryOf(span, by, team), ...narrowed };
  const loaded = useLoad(`usage ${JSON.stringify({ span, by, team, narrowed })}`, (signal) =>
    ask("GET /admin/api/usage", { query, signal }),
  );
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
          <a
            class="btn"
            href={addressOf("/admin/api/usage.csv", {}, { ...query, rows: "groups" })}
            download="usage-groups.csv"
          >
            Save breakdown
          </a>
        </>
      }
    >
      <WithData loaded={loaded} lines={8}>
        {({ data }) => {
          // The log is asked for the same time: these steps begin with whole hours or days.
          const scope: Filter = { since: data.from, ...(team !== "" && { team }) };
          return (
            <>
              <Totals usage={data} />
              {team === "" ? <CreditsChart usage={data} /> : <CreditsOfTeam usage={data} teamId={team} />}
              <div class="cols even above">
                <Breakdown usage={data} scope={scope} narrowed={narrowed} onChange={go} />
                <Errors usage={data} scope={scope} />
              </div>
            </>
          );
        }}
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

function Totals({ usage: { total, previous, cache, tokens, sessions } }: { readonly usage: Usage }) {
  const { pages, failed, cacheHits, credits, p50Ms, p95Ms } = total;
  return (
    <Panel label="Totals" class="figures">
      <div>
        <span class="dim">Credits</span>
        <b>{count(credits)}</b>
        {costOf(credits) !== undefined && <span>{costOf(credits)}</span>}
        <span class="faint">{changeOf(credits, previous.credits)}</span>
      </div>
      <div>
        <span class="dim">Pages</span>
        <b>{count(pages)}</b>
        <span class="faint">{pages === 0 ? "none yet" : `${percent(pages - failed, pages)} succeeded`}</span>
      </div>
      <div>
        <span class="dim">From cache</span>
        <b>{percent(cacheHits, pages)}</b>
        <span class="faint">{cache.savedMs === 0 ? "" : `saved about ${duration(cache.savedMs)}`}</span>
      </div>
      <div>
        <span class="dim">Median time</span>
        <b>{p50Ms === null ? "–" : duration(p50Ms)}</b>
        <span class="faint">{p95Ms === null ? "" : `p95 ${duration(p95Ms)}`}</span>
      </div>
      {tokens.calls > 0 && (
        <div>
          <span class="dim">Model tokens</span>
          <b>{count(tokens.input + tokens.output)}</b>
          <span class="faint">in {count(tokens.calls)} calls</span>
        </div>
      )}
      {sessions.count > 0 && (
        <div>
          <span class="dim">Browser sessions</span>
          <b>{count(sessions.count)}</b>
          <span class="faint">{count(sessions.credits)} credits</span>
        </div>
      )}
    </Panel>
  );
}

function isIn<Table extends object>(table: Table, id: string | undefined): id is keyof Table & string {
  return id !== undefined && Object.hasOwn(table, id);
}
