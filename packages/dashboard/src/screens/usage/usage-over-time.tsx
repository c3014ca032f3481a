import type { UsageAnswer } from "@pergamon-dev/server/operator/usage/usage";
import { TableTwin } from "../../charts/table-twin.tsx";
import { stepName } from "../../charts/ticks.ts";
import { TimeChart } from "../../charts/time-chart.tsx";
import { useAnswer } from "../../client/load.ts";
import { Panel } from "../../parts/page.tsx";
import { WithData } from "../../parts/states.tsx";

/** The credits of a team in the last 30 days. */
export function UsageOverTime({ teamId }: { readonly teamId: string }) {
  const loaded = useAnswer("GET /admin/api/usage", { query: { team: teamId } });
  return <WithData loaded={loaded}>{({ data }) => <CreditsChart usage={data} />}</WithData>;
}

export function CreditsChart({ usage: { series, step } }: { readonly usage: UsageAnswer["data"] }) {
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
