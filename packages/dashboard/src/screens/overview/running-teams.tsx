import type { OperatorRoutes } from "@pergamon-dev/server/operator/operator-routes";
import { useAnswer } from "../../client/load.ts";
import { count, percent } from "../../format/numbers.ts";
import { TeamName } from "../../parts/names.tsx";
import { Panel } from "../../parts/page.tsx";
import { type Column, Table } from "../../parts/table.tsx";

type Load = OperatorRoutes["GET /admin/api/running"]["answer"]["data"][number];

const LOOK_MS = 3000;

/** Who is using the service right now, and who waits for a place of the own team. */
export function RunningTeams() {
  const { data } = useAnswer("GET /admin/api/running", {}, { everyMs: LOOK_MS });
  const rows = data?.data ?? [];
  if (rows.length === 0) return null;
  const all = rows.reduce((sum, { running }) => sum + running, 0);
  return (
    <Panel title="In use by">
      <Table
        label="Teams at work"
        columns={[
          ...COLUMNS,
          { heading: "Share", kind: "number", cell: ({ running }) => percent(running, all) },
          {
            heading: "Limit",
            kind: "number",
            cell: ({ teamId, limit }) => (
              <a class="link" href={`/dashboard/teams?search=${encodeURIComponent(teamId)}`}>
                {limit === null ? "none" : count(limit)}
              </a>
            ),
          },
        ]}
        rows={rows}
        keyOf={({ teamId }) => teamId}
      />
    </Panel>
  );
}

const COLUMNS: readonly Column<Load>[] = [
  { heading: "Team", kind: "name", cell: ({ teamId }) => <TeamName teamId={teamId} /> },
  { heading: "Running", kind: "number", by: ({ running }) => running, cell: ({ running }) => count(running) },
  { heading: "Waiting", kind: "number", by: ({ waiting }) => waiting, cell: ({ waiting }) => count(waiting) },
];
