import type { LoginsAnswer } from "@pergamon-dev/server/operator/logins";
import { ask } from "../../client/ask.ts";
import { useAnswer } from "../../client/load.ts";
import { logOut } from "../../client/session.ts";
import { plainly } from "../../format/foreign.ts";
import { exactly, moment } from "../../format/times.ts";
import { ActButton } from "../../parts/act-button.tsx";
import { Badge } from "../../parts/badge.tsx";
import { Panel } from "../../parts/page.tsx";
import { WithData } from "../../parts/states.tsx";
import { type Column, Table } from "../../parts/table.tsx";
import { act } from "../../parts/toasts.tsx";

type Login = LoginsAnswer["data"][number];

/** Who is logged in to the dashboard, and the way to end that. */
export function Logins() {
  const loaded = useAnswer("GET /admin/api/logins");
  async function end({ sessionId, isOwn }: Login): Promise<void> {
    if (isOwn) {
      await logOut();
      return;
    }
    await act(async () => {
      await ask("DELETE /admin/api/logins/{id}", { params: { id: sessionId } });
      return "Logged out.";
    });
    loaded.reload();
  }
  return (
    <Panel title="Logged in to the dashboard">
      <WithData loaded={loaded} lines={2}>
        {({ data }) => (
          <Table
            label="Logins"
            columns={[
              ...COLUMNS,
              {
                kind: "acts",
                cell: (login) => (
                  <ActButton
                    route="DELETE /admin/api/logins/{id}"
                    class="btn small"
                    onClick={() => void end(login)}
                  >
                    Log out
                  </ActButton>
                ),
              },
            ]}
            rows={data}
            keyOf={({ sessionId }) => sessionId}
          />
        )}
      </WithData>
    </Panel>
  );
}

const COLUMNS: readonly Column<Login>[] = [
  {
    heading: "Who",
    class: "foreign cut-cell",
    cell: ({ name }) => (name === null ? "operator" : plainly(name)),
  },
  {
    heading: "Browser",
    kind: "name",
    cell: ({ userAgent }) => (
      <>
        <span class="foreign" title={userAgent}>
          {browserOf(userAgent)}
        </span>
        <span class="faint foreign">{plainly(userAgent)}</span>
      </>
    ),
  },
  { heading: "IP address", class: "mono", cell: ({ address }) => address },
  {
    heading: "Last seen",
    from: "wide",
    class: "dim",
    cell: ({ isOwn, lastUsedAt }) => (
      <span title={exactly(lastUsedAt)}>
        {isOwn ? <Badge tone="accent">this browser</Badge> : moment(lastUsedAt)}
      </span>
    ),
  },
  { heading: "Ends", from: "wide", class: "dim", cell: ({ expiresAt }) => exactly(expiresAt) },
];

const BROWSERS = ["Edg", "Firefox", "Chrome", "Safari"];

function browserOf(userAgent: string): string {
  const found = BROWSERS.find((name) => userAgent.includes(`${name}/`));
  return found === undefined ? "Other browser" : found.replace("Edg", "Edge");
}
