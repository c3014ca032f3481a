import { useLocation } from "preact-iso";

import type { OverviewAnswer, SetupAnswer } from "@pergamon-dev/server/operator/overview";
import { TableTwin } from "../../charts/table-twin.tsx";
import { stepName } from "../../charts/ticks.ts";
import { TimeChart } from "../../charts/time-chart.tsx";
import { isCutOff } from "../../client/live.ts";
import { useAnswer } from "../../client/load.ts";
import { plural } from "../../format/numbers.ts";
import { moment } from "../../format/times.ts";
import { useIncidents } from "../../shell/incident-strip.tsx";
import { Badge } from "../../parts/badge.tsx";
import { Page, Panel } from "../../parts/page.tsx";
import { WithData } from "../../parts/states.tsx";
import { KeyFigures } from "./key-figures.tsx";
import { LatestRequests } from "./latest-requests.tsx";
import { Nodes } from "./nodes.tsx";
import { RunningTeams } from "./running-teams.tsx";
import { RightNow } from "./right-now.tsx";
import { SetUp, toFix, useSetUp } from "./set-up.tsx";

const SPANS = { 1: "24 h", 7: "7 days", 30: "30 days" } as const;

/** Whether it works, within five seconds of looking. */
export function Overview() {
  const { query, route } = useLocation();
  const days = Object.hasOwn(SPANS, query["days"] ?? "") ? Number(query["days"]) : 30;
  const loaded = useAnswer("GET /admin/api/overview", { query: { days } });
  const setUp = useSetUp();
  return (
    <Page
      title="Overview"
      beside={<State setUp={setUp.data} />}
      acts={
        <>
          <select
            class="chip"
            aria-label="Period"
            value={days}
            onChange={({ currentTarget }) => route(`/dashboard?days=${currentTarget.value}`, true)}
          >
            {Object.entries(SPANS).map(([value, name]) => (
              <option key={value} value={value}>
                {name}
              </option>
            ))}
          </select>
          <a class="btn" href="/dashboard/keys?new=1">
            New key
          </a>
          <a class="btn primary" href="/dashboard/playground">
            Open playground
          </a>
        </>
      }
    >
      <WithData loaded={loaded} lines={3}>
        {({ data }) => <KeyFigures overview={data} days={days} />}
      </WithData>
      <div class="cols above">
        <div class="stack wide">
          {loaded.data && <RequestsOverTime overview={loaded.data.data} />}
          {loaded.data && <LatestRequests latest={loaded.data.data.latest} />}
        </div>
        <div class="stack wide">
          <RightNow />
          <RunningTeams />
          <Nodes />
          <SetUp loaded={setUp} />
        </div>
      </div>
    </Page>
  );
}

function State({ setUp }: { readonly setUp: SetupAnswer | undefined }) {
  const { data, problem, atMs = 0 } = useIncidents();
  if (isCutOff.value) return <Badge tone="warn">no answer from the service</Badge>;
  if (problem !== undefined) return <Badge tone="warn">not known</Badge>;
  if (!setUp || !data) return null;
  const wrong = data.data.incidents.length;
  if (wrong > 0) return <Badge tone="bad">{`${plural(wrong, "part")} failing`}</Badge>;
  const asOf = `As of ${moment(new Date(atMs).toISOString())}`;
  return (
    toFix(setUp.data.checks) ?? (
      <Badge tone="ok" title={asOf}>
        All components work
      </Badge>
    )
  );
}

function RequestsOverTime({ overview: { days, step } }: { readonly overview: OverviewAnswer["data"] }) {
  const most = Math.max(0, ...days.map(({ pages }) => pages));
  return (
    <Panel
      title={`Requests per ${step}`}
      beside={
        <span class="legend">
          <span>
            <i class="c1" />
            Succeeded
          </span>
          <span>
            <i class="bad" />
            Failed
          </span>
        </span>
      }
    >
      <div class="body">
        <TimeChart
          label={`Requests per ${step}, at most ${most}; failed requests in front`}
          starts={days.map(({ start }) => start)}
          step={step}
          series={[
            { name: "Succeeded", colour: "c1", values: days.map(({ pages }) => pages) },
            { name: "Failed", colour: "bad", values: days.map(({ failed }) => failed) },
          ]}
        />
      </div>
      <TableTwin series={days} nameOf={(start) => stepName(start, step)} />
    </Panel>
  );
}
