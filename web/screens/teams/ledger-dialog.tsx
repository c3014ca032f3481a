import type { TeamEntry } from "../../client/account-routes.ts";
import { ask } from "../../client/ask.ts";
import { useLoad } from "../../client/load.ts";
import { count } from "../../format/numbers.ts";
import { exactly } from "../../format/times.ts";
import { Dialog } from "../../parts/dialog.tsx";
import { KeyName } from "../../parts/names.tsx";
import { Empty, WithData } from "../../parts/states.tsx";

/** Every movement of a team's credits, newest first. */
export function LedgerDialog({ team, onClose }: { readonly team: TeamEntry; readonly onClose: () => void }) {
  const params = { id: team.teamId };
  const ledger = useLoad(
    (signal) => ask("GET /admin/api/teams/{id}/ledger", { params, query: { limit: 200 }, signal }),
    [team.teamId],
  );
  return (
    <Dialog title={`Ledger of ${team.name}`} onClose={onClose}>
      <WithData loaded={ledger}>
        {({ data }) =>
          data.length === 0 ? (
            <Empty title="No entries">Granted and used credits appear here.</Empty>
          ) : (
            <table>
              <thead>
                <tr>
                  <th>When</th>
                  <th>Movement</th>
                  <th>Request and key</th>
                  <th class="num">Credits</th>
                </tr>
              </thead>
              <tbody>
                {data.map(({ id, from, to, amount, keyId, createdAt }) => (
                  <tr key={`${id}${from}${to}`}>
                    <td>{exactly(createdAt)}</td>
                    <td>{`${from} → ${to}`}</td>
                    <td>
                      {to === "used" && (
                        <a class="link mono" href={`/dashboard/requests?id=${id}`}>
                          {id.slice(-6)}
                        </a>
                      )}
                      {keyId !== null && (
                        <>
                          {" "}
                          <KeyName teamId={team.teamId} keyId={keyId} />
                        </>
                      )}
                    </td>
                    <td class="num">{count(amount)}</td>
                  </tr>
                ))}
              </tbody>
            </table>
          )
        }
      </WithData>
    </Dialog>
  );
}
