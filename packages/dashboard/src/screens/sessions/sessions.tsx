import { useLocation } from "preact-iso";
import { useState } from "preact/hooks";

import { sessionChanges } from "../../client/live.ts";
import { useAnswer } from "../../client/load.ts";
import { count } from "../../format/numbers.ts";
import { Page, Panel } from "../../parts/page.tsx";
import { Empty, WithData } from "../../parts/states.tsx";
import { TeamChoice } from "../../parts/team-choice.tsx";
import { OpenBrowser } from "./open-browser.tsx";
import { OpenedSession } from "./opened-session.tsx";
import { SessionTable } from "./session-table.tsx";

/** Pictures, ages and costs are looked at again so often. */
const REFRESH_MS = 10_000;

/** Browsers that stay open between calls: what they show, and a hand in them. */
export function Sessions() {
  const { query, route } = useLocation();
  const id = query["id"];
  if (id !== undefined)
    return <OpenedSession key={id} id={id} onLeave={() => route("/dashboard/sessions")} />;
  return <SessionList />;
}

function SessionList() {
  const [team, setTeam] = useState("");
  const loaded = useAnswer(
    "GET /admin/api/sessions",
    { query: { team, limit: 200 } },
    { everyMs: REFRESH_MS, on: sessionChanges.value },
  );
  const live = loaded.data?.data.filter(({ state }) => state === "active").length ?? 0;
  return (
    <Page
      title="Sessions"
      beside={<span class="faint">{`${count(live)} live`}</span>}
      acts={
        <>
          <TeamChoice value={team} onChange={setTeam} everybody="All teams" />
          <OpenBrowser teamId={team} onOpened={loaded.reload} />
        </>
      }
    >
      <Panel label="Browser sessions">
        <WithData loaded={loaded}>
          {({ data }) =>
            data.length === 0 ? <NoSession /> : <SessionTable sessions={data} round={loaded.atMs ?? 0} />
          }
        </WithData>
      </Panel>
    </Page>
  );
}

function NoSession() {
  return (
    <Empty
      title="No active sessions"
      act={
        <a class="btn" href="/docs" target="_blank" rel="noreferrer">
          How to open one
        </a>
      }
    >
      A session starts when a program interacts with a scraped page, or opens a browser. It is listed here
      while it is active, and for one day after its end.
    </Empty>
  );
}
