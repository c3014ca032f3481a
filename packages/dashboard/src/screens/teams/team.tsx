import { useLocation } from "preact-iso";
import { useState } from "preact/hooks";

import type { KeyEntry } from "@pergamon-dev/server/accounts/operator/keys";
import type { LedgerEntry, TeamEntry } from "@pergamon-dev/server/accounts/operator/teams";
import { ask } from "../../client/ask.ts";
import { useAnswer } from "../../client/load.ts";
import { usePages } from "../../client/pages-of.ts";
import { logOut, session } from "../../client/session.ts";
import { plainly } from "../../format/foreign.ts";
import { count } from "../../format/numbers.ts";
import { ActButton } from "../../parts/act-button.tsx";
import { costOf } from "../../parts/cost.ts";
import { Page, Panel } from "../../parts/page.tsx";
import { Empty, WithData, WithPages } from "../../parts/states.tsx";
import { Table } from "../../parts/table.tsx";
import { KEY_COLUMNS } from "../keys/key-columns.tsx";
import { MonitorTable } from "../monitors/monitor-table.tsx";
import { UsageOverTime } from "../usage/usage-over-time.tsx";
import { ledgerColumns } from "./ledger-dialog.tsx";
import type * as teamForm from "./team-dialog.tsx";
import { TeamState } from "./team-state.tsx";

/** On a phone, a table without links has to be reached by keys itself. */
const SCROLLS = { class: "scrolls" } as const;
const KEYS = 100;
const MOVEMENTS = 20;
const MONITORS = 50;

/** All about one team: for the operator, and for whoever has one of its keys. */
export function Team() {
  const { query } = useLocation();
  const teamId = ownTeam() ?? query["id"] ?? "";
  const loaded = useAnswer("GET /admin/api/teams/{id}", { params: { id: teamId } });
  const team = loaded.data?.data;
  return (
    <Page
      title={team === undefined ? "Team" : plainly(team.name)}
      beside={team && <TeamState team={team} />}
      acts={ownTeam() === undefined ? <Acts team={team} onChanged={loaded.reload} /> : <LogOut />}
    >
      <WithData loaded={loaded}>{({ data }) => <Limits team={data} />}</WithData>
      {team !== undefined && (
        <>
          <UsageOverTime team={team} />
          <div class="stack above">
            <Keys teamId={teamId} />
            <Monitors teamId={teamId} />
            <Ledger team={team} />
          </div>
        </>
      )}
    </Page>
  );
}

/** Whose page it is, for whoever has logged in with the key of a team. */
function ownTeam(): string | undefined {
  return session.value?.operator.teamId ?? undefined;
}

function LogOut() {
  return (
    <button type="button" class="btn" onClick={() => void logOut()}>
      Log out
    </button>
  );
}

interface ActsProps {
  readonly team: TeamEntry | undefined;
  readonly onChanged: () => void;
}

function Acts({ team, onChanged }: ActsProps) {
  const [form, setForm] = useState<typeof teamForm | undefined>(undefined);
  if (!team) return null;
  const id = encodeURIComponent(team.teamId);
  return (
    <>
      <a class="btn" href={`/dashboard/requests?team=${id}`}>
        Requests
      </a>
      <a class="btn" href={`/dashboard/keys?team=${id}`}>
        Keys
      </a>
      <ActButton
        route="PATCH /admin/api/teams/{id}"
        class="btn"
        onClick={() => void import("./team-dialog.tsx").then(setForm)}
      >
        Edit
      </ActButton>
      {form && <form.TeamDialog team={team} onChanged={onChanged} onClose={() => setForm(undefined)} />}
    </>
  );
}

function Limits({ team }: { readonly team: TeamEntry }) {
  const { remainingCredits, allowance, creditsUsedThisMonth, limits } = team;
  return (
    <Panel label="Credits and limits" class="figures">
      <div>
        <span class="dim">Credits left</span>
        <b>{remainingCredits === null ? "no limit" : count(remainingCredits)}</b>
        <span class="faint">
          {[
            allowance !== null && `${count(allowance.credits)} come each ${allowance.period}`,
            remainingCredits !== null && "the balance less what running requests hold",
          ]
            .filter(Boolean)
            .join("; ")}
        </span>
      </div>
      <div>
        <span class="dim">Used this month</span>
        <b>{count(creditsUsedThisMonth)}</b>
        <span class="faint">{[costOf(creditsUsedThisMonth), "in UTC"].filter(Boolean).join(", ")}</span>
      </div>
      <div>
        <span class="dim">Requests at once</span>
        <b>{limits.concurrency == null ? "as set" : count(limits.concurrency)}</b>
      </div>
      <div>
        <span class="dim">Requests a minute</span>
        <b>{limits.requestsPerMinute == null ? "as set" : count(limits.requestsPerMinute)}</b>
      </div>
    </Panel>
  );
}

function Keys({ teamId }: { readonly teamId: string }) {
  const pages = usePages<KeyEntry>(`keys of ${teamId}`, (cursor, signal) =>
    ask("GET /admin/api/teams/{id}/keys", {
      params: { id: teamId },
      query: { limit: KEYS, ...(cursor !== undefined && { cursor }) },
      signal,
    }),
  );
  return (
    <Panel title="Keys">
      <WithPages pages={pages} verb="Show more keys">
        {(keys) => (
          <Table
            label="Keys of the team"
            frame={SCROLLS}
            columns={KEY_COLUMNS}
            rows={keys}
            keyOf={({ keyId }) => keyId}
            empty={<Empty title="No keys">The team cannot be used.</Empty>}
          />
        )}
      </WithPages>
    </Panel>
  );
}

function Monitors({ teamId }: { readonly teamId: string }) {
  const loaded = useAnswer("GET /admin/api/monitors", { query: { team: teamId, limit: MONITORS } });
  return (
    <Panel title="Monitors">
      <WithData loaded={loaded}>
        {({ data }) =>
          data.length === 0 ? (
            <Empty title="No monitors">A monitor checks pages on a schedule.</Empty>
          ) : (
            <MonitorTable monitors={data} isOfOneTeam />
          )
        }
      </WithData>
    </Panel>
  );
}

function Ledger({ team }: { readonly team: TeamEntry }) {
  const pages = usePages<LedgerEntry>(`last movements of ${team.teamId}`, (cursor, signal) =>
    ask("GET /admin/api/teams/{id}/ledger", {
      params: { id: team.teamId },
      query: { limit: MOVEMENTS, ...(cursor !== undefined && { cursor }) },
      signal,
    }),
  );
  return (
    <Panel title="Ledger">
      <WithPages pages={pages} verb="Show older entries">
        {(entries) => (
          <Table
            label="Movements of credits"
            frame={SCROLLS}
            columns={ledgerColumns(team)}
            rows={entries}
            keyOf={({ id }) => id}
            empty={<Empty title="No entries">Granted and used credits appear here.</Empty>}
          />
        )}
      </WithPages>
    </Panel>
  );
}
