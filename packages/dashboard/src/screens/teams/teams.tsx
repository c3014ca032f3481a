import { useLocation } from "preact-iso";
import { useState } from "preact/hooks";

import type { TeamEntry } from "@pergamon-dev/server/accounts/operator/teams";
import { ask } from "../../client/ask.ts";
import { usePages } from "../../client/pages-of.ts";
import { plainly } from "../../format/foreign.ts";
import { count } from "../../format/numbers.ts";
import { ActButton } from "../../parts/act-button.tsx";
import { Page, Panel } from "../../parts/page.tsx";
import { SearchBar } from "../../parts/search-bar.tsx";
import { Empty, WithPages } from "../../parts/states.tsx";
import { type Column, Table } from "../../parts/table.tsx";
import { LedgerDialog } from "./ledger-dialog.tsx";
import { NewTeamDialog } from "./new-team-dialog.tsx";
import { TeamDialog } from "./team-dialog.tsx";
import { TeamState } from "./team-state.tsx";

/** Shown at once. */
const ROWS = 100;

/** Who shares credits, limits and answers. */
export function Teams() {
  const [isMaking, setMaking] = useState(false);
  const { query } = useLocation();
  const [search, setSearch] = useState(query["search"] ?? "");
  const pages = usePages<TeamEntry>(`teams ${search}`, (cursor, signal) =>
    ask("GET /admin/api/teams", {
      query: { limit: ROWS, search, ...(cursor !== undefined && { cursor }) },
      signal,
    }),
  );
  const { reload } = pages.loaded;
  return (
    <Page
      title="Teams"
      acts={
        <ActButton route="POST /admin/api/teams" class="btn primary" onClick={() => setMaking(true)}>
          New team
        </ActButton>
      }
    >
      <SearchBar label="Name or id of a team" value={search} onSearch={setSearch} />
      <Panel label="Teams">
        <WithPages pages={pages} verb="Show more teams">
          {(teams) => <TeamTable teams={teams} onChanged={reload} />}
        </WithPages>
      </Panel>
      {isMaking && <NewTeamDialog onMade={reload} onClose={() => setMaking(false)} />}
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
  return (
    <>
      <Table
        label="Teams"
        columns={[
          ...COLUMNS,
          { kind: "acts", cell: (team) => <Acts team={team} onOpen={(what) => setOpened({ team, what })} /> },
        ]}
        rows={teams}
        keyOf={({ teamId }) => teamId}
        empty={<Empty title="No matching teams">Clear the search field to see all teams.</Empty>}
      />
      {opened?.what === "team" && <TeamDialog team={opened.team} onChanged={onChanged} onClose={close} />}
      {opened?.what === "ledger" && <LedgerDialog team={opened.team} onClose={close} />}
    </>
  );
}

const COLUMNS: readonly Column<TeamEntry>[] = [
  {
    heading: "Name",
    by: ({ name }) => name,
    kind: "name",
    cell: ({ teamId, name }) => (
      <>
        <a class="foreign" href={`/dashboard/team?id=${encodeURIComponent(teamId)}`}>
          {plainly(name)}
        </a>
        <span class="faint mono">{teamId}</span>
      </>
    ),
  },
  {
    heading: "Credits left",
    by: ({ remainingCredits }) => remainingCredits,
    kind: "number",
    cell: ({ remainingCredits, allowance }) => (
      <>
        {remainingCredits === null ? "no limit" : count(remainingCredits)}
        {allowance !== null && (
          <span class="faint wide-only">{` ${count(allowance.credits)} per ${allowance.period}`}</span>
        )}
      </>
    ),
  },
  {
    heading: "Used this month",
    by: ({ creditsUsedThisMonth }) => creditsUsedThisMonth,
    kind: "number",
    from: "wide",
    cell: ({ creditsUsedThisMonth }) => count(creditsUsedThisMonth),
  },
  { heading: "State", cell: (team) => <TeamState team={team} /> },
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
      <ActButton
        route="PATCH /admin/api/teams/{id}"
        class="btn small"
        aria-label={`Edit ${name}`}
        onClick={() => onOpen("team")}
      >
        Edit
      </ActButton>
    </>
  );
}
