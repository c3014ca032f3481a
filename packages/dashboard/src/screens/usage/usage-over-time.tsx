import type { TeamEntry } from "@pergamon-dev/server/accounts/operator/teams";
import type { UsageAnswer } from "@pergamon-dev/server/operator/usage/usage";
import { TableTwin } from "../../charts/table-twin.tsx";
import { stepName } from "../../charts/ticks.ts";
import { TimeChart } from "../../charts/time-chart.tsx";
import { useAnswer } from "../../client/load.ts";
import { count } from "../../format/numbers.ts";
import { Panel } from "../../parts/page.tsx";
import { WithData } from "../../parts/states.tsx";

type Usage = UsageAnswer["data"];

/** The credits of a team in the last 30 days. */
export function UsageOverTime({ team: { teamId, allowance } }: { readonly team: TeamEntry }) {
  const loaded = useAnswer("GET /admin/api/usage", { query: { team: teamId } });
  return (
    <WithData loaded={loaded}>{({ data }) => <CreditsChart usage={data} allowance={allowance} />}</WithData>
  );
}

interface CreditsOfTeamProps {
  readonly usage: Usage;
  readonly teamId: string;
}

/** Credits over time, beside what the team is granted. */
export function CreditsOfTeam({ usage, teamId }: CreditsOfTeamProps) {
  const { data } = useAnswer("GET /admin/api/teams/{id}", { params: { id: teamId } });
  return <CreditsChart usage={usage} allowance={data?.data.allowance} />;
}

interface CreditsChartProps {
  readonly usage: Usage;
  readonly allowance?: TeamEntry["allowance"] | undefined;
}

const DAYS = { day: 1, month: 30 } as const;
const STEPS_A_DAY = { day: 1, hour: 24 } as const;

export function CreditsChart({ usage: { series, step }, allowance }: CreditsChartProps) {
  const starts = series.map(({ start }) => start);
  const most = Math.max(0, ...series.map(({ credits }) => credits));
  const budget = allowance ? allowance.credits / DAYS[allowance.period] / STEPS_A_DAY[step] : undefined;
  return (
    <Panel
      title={`Credits by ${step}`}
      class="above"
      beside={
        allowance &&
        budget !== undefined && (
          <span class="faint">
            {`Budget: ${count(allowance.credits)} a ${allowance.period}`}
            {budget !== allowance.credits && `, ${count(budget)} by ${step}`}
          </span>
        )
      }
    >
      <div class="body">
        <TimeChart
          label={`Credits by ${step}, at most ${most}`}
          starts={starts}
          step={step}
          series={[{ name: "Credits", colour: "c1", values: series.map(({ credits }) => credits) }]}
          line={budget}
        />
      </div>
      <TableTwin series={series} nameOf={(start) => stepName(start, step)} />
    </Panel>
  );
}
