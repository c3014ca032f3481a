import { useState } from "preact/hooks";

import type { TeamEntry } from "@pergamon-dev/server/accounts/operator/teams";
import { useAnswer } from "../../client/load.ts";
import { plainly } from "../../format/foreign.ts";
import { count } from "../../format/numbers.ts";
import { Badge } from "../../parts/badge.tsx";
import { Page, Panel } from "../../parts/page.tsx";
import { Empty, WithData } from "../../parts/states.tsx";
import { type Column, Table } from "../../parts/table.tsx";
import { LedgerDialog } from "./ledger-dialog.tsx";
import { NewTeamDialog } from "./new-team-dialog.tsx";
import { TeamDialog } from "./team-dialog.tsx";

/** More are shown when they are asked for, or found by their names. */
const MAX_SHOWN = 50;

/** Who shares credits, limits and answers. */
export function Teams() {
  const teams = useAnswer("GET /admin/api/teams", { query: { limit: 1000 } });
  const [isMaking, setMaking] = useState(false);
  const [search, setSearch] = useState("");
  const isFound = ({ name, teamId }: TeamEntry) =>
    `${name} ${teamId}`.toLowerCase().includes(search.trim().toLowerCase());
  return (
    <Page
      title="Teams"
      acts={
        <button type="button" class="btn primary" onClick={() => setMaking(true)}>
          New team
        </button>
      }
    >
      <div class="filters" role="search">
        <input
          class="field"
          type="search"
          aria-label="Name or id of a team"
          placeholder="Name or id of a team"
          value={search}
          onInput={({ currentTarget }) => setSearch(currentTarget.value)}
        />
      </div>
      <Panel label="Teams">
        <WithData loaded={teams}>
          {({ data }) => <TeamTable teams={data.filter(isFound)} onChanged={teams.reload} />}
        </WithData>
      </Panel>
      {isMaking && <NewTeamDialog onMade={teams.reload} onClose={() => setMaking(false)} />}
    </Page>
  );
}

interface Opened {
  readonly team: TeamEntry;
  readonly what: "team" | "ledger";
}

interface TeamTableProps {
  readonly teams: readonly TeamEntry[];
  readonly onChanged: () => void;
}

function TeamTable({ teams, onChanged }: TeamTableProps) {
  const [opened, setOpened] = useState<Opened | undefined>(undefined);
  const close = () => setOpened(undefined);
  const [isWhole, setWhole] = useState(false);
  const shown = isWhole ? teams : teams.slice(0, MAX_SHOWN);
  return (
    <>
      <Table
        label="Teams"
        columns={[
          ...COLUMNS,
          { kind: "acts", cell: (team) => <Acts team={team} onOpen={(what) => setOpened({ team, what })} /> },
        ]}
        rows={shown}
        keyOf={({ teamId }) => teamId}
        empty={<Empty title="No matching teams">Clear the search field to see all teams.</Empty>}
      />
      {shown.length < teams.length && (
        <div class="more">
          <span class="faint">{`${count(shown.length)} of ${count(teams.length)} teams`}</span>
          <button type="button" class="btn small" onClick={() => setWhole(true)}>
            Show all
          </button>
        </div>
      )}
      {opened?.what === "team" && <TeamDialog team={opened.team} onChanged={onChanged} onClose={close} />}
      {opened?.what === "ledger" && <LedgerDialog team={opened.team} onClose={close} />}
    </>
  );
}

function TeamState({ team: { flags, remainingCredits } }: { readonly team: TeamEntry }) {
  if (flags["banned"] === true) return <Badge tone="bad">banned</Badge>;
  if (remainingCredits === 0) return <Badge tone="warn">out of credits</Badge>;
  return <Badge tone="ok">active</Badge>;
}

const COLUMNS: readonly Column<TeamEntry>[] = [
  {
    heading: "Name",
    kind: "name",
    cell: ({ teamId, name }) => (
      <>
        <a class="foreign" href={`/dashboard/keys?team=${encodeURIComponent(teamId)}`}>
          {plainly(name)}
        </a>
        <span class="faint mono">{teamId}</span>
      </>
    ),
  },
  {
    heading: "Credits left",
    kind: "number",
    cell: ({ remainingCredits, allowance }) => (
      <>
        {remainingCredits === null ? "no limit" : count(remainingCredits)}
        {allowance !== null && (
          <span class="faint">{` ${count(allowance.credits)} per ${allowance.period}`}</span>
        )}
      </>
    ),
  },
  {
    heading: "Used this month",
    kind: "number",
    from: "wide",
    cell: ({ creditsUsedThisMonth }) => count(creditsUsedThisMonth),
  },
  { heading: "State", from: "wide", cell: (team) => <TeamState team={team} /> },
];

interface ActsProps {
  readonly team: TeamEntry;
  readonly onOpen: (what: Opened["what"]) => void;
}

function Acts({ team: { name }, onOpen }: ActsProps) {
  return (
    <>
      <button
        type="button"
        class="btn small quiet"
        aria-label={`Ledger of ${name}`}
        onClick={() => onOpen("ledger")}
      >
        Ledger
      </button>{" "}
      <button type="button" class="btn small" aria-label={`Edit ${name}`} onClick={() => onOpen("team")}>
        Edit
      </button>
    </>
  );
}
