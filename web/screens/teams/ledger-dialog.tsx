import type { LedgerEntry, TeamEntry } from "../../../src/contract/operator/teams.ts";
import { ask } from "../../client/ask.ts";
import { usePages } from "../../client/pages-of.ts";
import { count } from "../../format/numbers.ts";
import { exactly } from "../../format/times.ts";
import { Dialog } from "../../parts/dialog.tsx";
import { KeyName } from "../../parts/names.tsx";
import { Empty, Notice, WithData } from "../../parts/states.tsx";

/** Entries fetched at once. */
const ROWS = 200;

interface LedgerProps {
  readonly team: TeamEntry;
  readonly onClose: () => void;
}

/** Every movement of a team's credits, newest first, and what was left after it. */
export function LedgerDialog({ team, onClose }: LedgerProps) {
  const params = { id: team.teamId };
  const { loaded, further, more, problem } = usePages<LedgerEntry>((cursor, signal) =>
    ask("GET /admin/api/teams/{id}/ledger", {
      params,
      query: { limit: ROWS, ...(cursor !== undefined && { cursor }) },
      ...(signal && { signal }),
    }),
  );
  return (
    <Dialog title={`Ledger of ${team.name}`} onClose={onClose}>
      <WithData loaded={loaded}>
        {({ data }) =>
          data.length === 0 ? (
            <Empty title="No entries">Granted and used credits appear here.</Empty>
          ) : (
            <>
              <Movements team={team} entries={[...data, ...further]} />
              {problem !== undefined && <Notice tone="bad" title={problem} />}
              {more && (
                <button type="button" class="btn" onClick={more}>
                  Show older entries
                </button>
              )}
            </>
          )
        }
      </WithData>
    </Dialog>
  );
}

interface MovementsProps {
  readonly team: TeamEntry;
  readonly entries: readonly LedgerEntry[];
}

function Movements({ team: { teamId, isLimited }, entries }: MovementsProps) {
  return (
    <table>
      <thead>
        <tr>
          <th>When</th>
          <th>Movement</th>
          <th>Request and key</th>
          <th class="num">Credits</th>
          {isLimited && <th class="num">Left</th>}
        </tr>
      </thead>
      <tbody>
        {entries.map(({ id, from, to, amount, balance, keyId, createdAt }) => (
          <tr key={id}>
            <td>{exactly(createdAt)}</td>
            <td>{`${from} → ${to}`}</td>
            <td>
              {to === "used" && (
                <a class="link mono" href={`/dashboard/requests?id=${workOf(id)}`}>
                  {workOf(id).slice(-6)}
                </a>
              )}
              {keyId !== null && (
                <>
                  {" "}
                  <KeyName teamId={teamId} keyId={keyId} />
                </>
              )}
            </td>
            <td class="num">{count(amount)}</td>
            {isLimited && <td class="num">{count(balance)}</td>}
          </tr>
        ))}
      </tbody>
    </table>
  );
}

/** Work that two accounts paid for has an entry of each: the second one has `/2` after its id. */
function workOf(id: string): string {
  return id.replace(/\/2$/, "");
}
