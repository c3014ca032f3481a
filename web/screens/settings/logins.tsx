import type { LoginsAnswer } from "../../../src/contract/operator/session.ts";
import { ask } from "../../client/ask.ts";
import { useLoad } from "../../client/load.ts";
import { logOut } from "../../client/session.ts";
import { plainly } from "../../format/foreign.ts";
import { exactly, moment } from "../../format/times.ts";
import { Badge } from "../../parts/badge.tsx";
import { Panel } from "../../parts/page.tsx";
import { WithData } from "../../parts/states.tsx";
import { act } from "../../parts/toasts.tsx";

type Login = LoginsAnswer["data"][number];

/** Who is logged in to the dashboard, and the way to end that. */
export function Logins() {
  const loaded = useLoad((signal) => ask("GET /admin/api/logins", { signal }), []);
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
          <div class="scrolls">
            <table>
              <thead>
                <tr>
                  <th>Browser</th>
                  <th>IP address</th>
                  <th class="wide-only">Last seen</th>
                  <th class="wide-only">Ends</th>
                  <th>
                    <span class="unseen">Actions</span>
                  </th>
                </tr>
              </thead>
              <tbody>
                {data.map((login) => (
                  <LoginRow key={login.sessionId} login={login} onEnd={() => void end(login)} />
                ))}
              </tbody>
            </table>
          </div>
        )}
      </WithData>
    </Panel>
  );
}

function LoginRow({ login, onEnd }: { readonly login: Login; readonly onEnd: () => void }) {
  const { userAgent, address, lastUsedAt, expiresAt, isOwn } = login;
  return (
    <tr>
      <td class="fills">
        <span class="foreign" title={userAgent}>
          {browserOf(userAgent)}
        </span>
        <span class="faint foreign">{plainly(userAgent)}</span>
      </td>
      <td class="mono">{address}</td>
      <td class="wide-only dim" title={exactly(lastUsedAt)}>
        {isOwn ? <Badge tone="accent">this browser</Badge> : moment(lastUsedAt)}
      </td>
      <td class="wide-only dim">{exactly(expiresAt)}</td>
      <td class="num">
        <button type="button" class="btn small" onClick={onEnd}>
          Log out
        </button>
      </td>
    </tr>
  );
}

const BROWSERS = ["Edg", "Firefox", "Chrome", "Safari"];

function browserOf(userAgent: string): string {
  const found = BROWSERS.find((name) => userAgent.includes(`${name}/`));
  return found === undefined ? "Other browser" : found.replace("Edg", "Edge");
}
