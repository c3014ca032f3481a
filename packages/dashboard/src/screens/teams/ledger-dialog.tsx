import type { LedgerEntry, TeamEntry } from "@pergamon-dev/server/accounts/operator/teams";
import { ask } from "../../client/ask.ts";
import { usePages } from "../../client/pages-of.ts";
import { session } from "../../client/session.ts";
import { count } from "../../format/numbers.ts";
import { exactly } from "../../format/times.ts";
import { Dialog } from "../../parts/dialog.tsx";
import { KeyName } from "../../parts/names.tsx";
import { Empty, WithPages } from "../../parts/states.tsx";
import { type Column, Table } from "../../parts/table.tsx";

/** Entries fetched at once. */
const ROWS = 200;

interface LedgerProps {
  readonly team: TeamEntry;
  readonly onClose: () => void;
}

/** Every movement of a team's credits, newest first, and what was left after it. */
export function LedgerDialog({ team, onClose }: LedgerProps) {
  const params = { id: team.teamId };
  const pages = usePages<LedgerEntry>(`ledger ${team.teamId}`, (cursor, signal) =>
    ask("GET /admin/api/teams/{id}/ledger", {
      params,
      query: { limit: ROWS, ...(cursor !== undefined && { cursor }) },
      signal,
    }),
  );
  return (
    <Dialog title={`Ledger of ${team.name}`} onClose={onClose}>
      <WithPages pages={pages} verb="Show older entries">
        {(entries) => (
          <Table
            label="Ledger"
            columns={ledgerColumns(team)}
            rows={entries}
            keyOf={({ id }) => id}
            empty={<Empty title="No entries">Granted and used credits appear here.</Empty>}
          />
        )}
      </WithPages>
    </Dialog>
  );
}

/** What moved, why, and the balance after it: what running requests hold is still in it. */
export function ledgerColumns({ isLimited }: TeamEntry): readonly (Column<LedgerEntry> | false)[] {
  return [
    { heading: "When", cell: ({ createdAt }) => exactly(createdAt) },
    { heading: "Movement", cell: ({ from, to }) => `${from} → ${to}` },
    {
      heading: "Request and key",
      cell: ({ id, to, keyId }) => (
        <>
          {to === "used" && session.value?.operator.role === "team" && (
            <span class="mono">{workOf(id).slice(-6)}</span>
          )}
          {to === "used" && session.value?.operator.role !== "team" && (
            <a class="link mono" href={`/dashboard/requests?id=${workOf(id)}`}>
              {workOf(id).slice(-6)}
            </a>
          )}
          {keyId !== null && (
            <>
              {" "}
              <KeyName keyId={keyId} />
            </>
          )}
        </>
      ),
    },
    { heading: "Credits", kind: "number", cell: ({ amount }) => count(amount) },
    isLimited && { heading: "Balance", kind: "number", cell: ({ balance }) => count(balance) },
  ];
}

/** Work that two accounts paid for has an entry of each: the second one has `/2` after its id. */
function workOf(id: string): string {
  return id.replace(/\/2$/, "");
}
