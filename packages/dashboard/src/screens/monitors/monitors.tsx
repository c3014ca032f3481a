import { useLocation } from "preact-iso";
import { useState } from "preact/hooks";

import { useAnswer } from "../../client/load.ts";
import { ActButton } from "../../parts/act-button.tsx";
import { Page, Panel } from "../../parts/page.tsx";
import { Empty, WithData } from "../../parts/states.tsx";
import { TeamChoice } from "../../parts/team-choice.tsx";
import { MonitorDialog } from "./monitor-dialog.tsx";
import { MonitorTable } from "./monitor-table.tsx";
import { OpenedCheck } from "./opened-check.tsx";
import { OpenedMonitor } from "./opened-monitor.tsx";

/** Checks of other processes tell nothing here: they are looked at again so often. */
const REFRESH_MS = 10_000;
/** Shown at once. */
const ROWS = 200;

/** Pages that are checked on a schedule, and what changed on them. */
export function Monitors() {
  const { query, route } = useLocation();
  const { id, check } = query;
  if (id === undefined) return <MonitorList />;
  const path = `/dashboard/monitors?id=${encodeURIComponent(id)}`;
  if (check === undefined)
    return <OpenedMonitor key={id} id={id} onLeave={() => route("/dashboard/monitors")} />;
  return <OpenedCheck key={check} id={id} checkId={check} onLeave={() => route(path)} />;
}

function MonitorList() {
  const { route } = useLocation();
  const [team, setTeam] = useState("");
  const [isMaking, setIsMaking] = useState(false);
  const loaded = useAnswer(
    "GET /admin/api/monitors",
    { query: { team, limit: ROWS } },
    { everyMs: REFRESH_MS },
  );
  const choose = (
    <ActButton route="POST /admin/api/monitors" class="btn primary" onClick={() => setIsMaking(true)}>
      New monitor
    </ActButton>
  );
  return (
    <Page title="Monitors" acts={choose}>
      <div class="filters" role="search">
        <TeamChoice value={team} onChange={setTeam} everybody="All teams" />
      </div>
      <Panel label="Monitors">
        <WithData loaded={loaded}>
          {({ data }) =>
            data.length === 0 ? (
              <Empty title="No monitors">
                A monitor checks pages on a schedule and records what changed. Make one from a URL, from a
                request of the log, or with POST /v2/monitor.
              </Empty>
            ) : (
              <MonitorTable monitors={data} />
            )
          }
        </WithData>
      </Panel>
      {isMaking && (
        <MonitorDialog
          onClose={() => setIsMaking(false)}
          onSaved={(id) => route(`/dashboard/monitors?id=${encodeURIComponent(id)}`)}
        />
      )}
    </Page>
  );
}
