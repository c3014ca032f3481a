import { useLocation } from "preact-iso";
import { useState } from "preact/hooks";

import type { KeyEntry } from "../../client/account-routes.ts";
import { ask } from "../../client/ask.ts";
import { useLoad } from "../../client/load.ts";
import { session } from "../../client/session.ts";
import { plainly } from "../../format/foreign.ts";
import { plural } from "../../format/numbers.ts";
import { exactly, moment } from "../../format/times.ts";
import { Badge } from "../../parts/badge.tsx";
import { Confirm } from "../../parts/dialog.tsx";
import { Page, Panel } from "../../parts/page.tsx";
import { Empty, Notice, WithData } from "../../parts/states.tsx";
import { TeamChoice } from "../../parts/team-choice.tsx";
import { act } from "../../parts/toasts.tsx";
import { NewKeyDialog } from "./new-key-dialog.tsx";

/** What callers prove themselves with. */
export function Keys() {
  const asked = useLocation().query["team"];
  const [teamId, setTeamId] = useState(asked ?? session.value?.defaultTeamId ?? "default");
  const [isMaking, setMaking] = useState(false);
  const keys = useLoad(
    (signal) =>
      ask("GET /admin/api/teams/{id}/keys", { params: { id: teamId }, query: { limit: 1000 }, signal }),
    [teamId],
  );
  return (
    <Page
      title="Keys"
      acts={
        <>
          <TeamChoice value={teamId} onChange={setTeamId} />
          <button type="button" class="btn primary" onClick={() => setMaking(true)}>
            New key
          </button>
        </>
      }
    >
      {session.value?.auth === "open" && (
        <Panel label="Open mode">
          <Notice tone="warn" title="No API key required">
            The service accepts requests from every program on this machine. To require API keys, set
            AUTH=keys and restart.
          </Notice>
        </Panel>
      )}
      <Panel label="Keys" class="above">
        <WithData loaded={keys}>{({ data }) => <KeyTable keys={data} onChanged={keys.reload} />}</WithData>
      </Panel>
      {isMaking && <NewKeyDialog teamId={teamId} onMade={keys.reload} onClose={() => setMaking(false)} />}
    </Page>
  );
}

interface KeyTableProps {
  readonly keys: readonly KeyEntry[];
  readonly onChanged: () => void;
}

function KeyTable({ keys, onChanged }: KeyTableProps) {
  const [leaving, setLeaving] = useState<KeyEntry | undefined>(undefined);
  if (keys.length === 0) {
    return <Empty title="This team has no keys">Create one for each program that uses the service.</Empty>;
  }
  async function revoke({ keyId }: KeyEntry): Promise<void> {
    setLeaving(undefined);
    await act(async () => {
      await ask("DELETE /admin/api/keys/{id}", { params: { id: keyId } });
      return "Key revoked. Requests with this key are rejected from now on.";
    });
    onChanged();
  }
  return (
    <div class="scrolls">
      <table>
        <thead>
          <tr>
            <th>Name</th>
            <th>State</th>
            <th class="wide-only">Restrictions</th>
            <th class="wide-only">Made</th>
            <th>Last used</th>
            <th>
              <span class="unseen">Actions</span>
            </th>
          </tr>
        </thead>
        <tbody>
          {keys.map((key) => (
            <KeyRow key={key.keyId} entry={key} onRevoke={() => setLeaving(key)} />
          ))}
        </tbody>
      </table>
      {leaving && (
        <Confirm
          title="Revoke this key?"
          verb="Revoke"
          onConfirm={() => void revoke(leaving)}
          onClose={() => setLeaving(undefined)}
        >
          Programs that use “{nameOf(leaving)}” are rejected immediately. A revoked key cannot be used again.
        </Confirm>
      )}
    </div>
  );
}

function KeyRow({ entry, onRevoke }: { readonly entry: KeyEntry; readonly onRevoke: () => void }) {
  const { keyId, restrictions, createdAt, lastUsedAt, revokedAt } = entry;
  return (
    <tr>
      <td class="fills">
        <span class="foreign">{nameOf(entry)}</span>
        <span class="faint mono">{keyId}</span>
      </td>
      <td>{revokedAt === null ? <Badge tone="ok">works</Badge> : <Badge tone="bad">revoked</Badge>}</td>
      <td class="wide-only dim words">{limitsOf(restrictions)}</td>
      <td class="wide-only dim" title={exactly(createdAt)}>
        {moment(createdAt)}
      </td>
      <td class="dim">{lastUsedAt === null ? "never" : moment(lastUsedAt)}</td>
      <td class="num">
        {revokedAt === null && (
          <button
            type="button"
            class="btn small danger"
            aria-label={`Revoke ${nameOf(entry)}`}
            onClick={onRevoke}
          >
            Revoke
          </button>
        )}
      </td>
    </tr>
  );
}

/** Restriction → what it says of itself. */
const LIMITS: Readonly<Record<string, (value: never) => string>> = {
  formats: (names: readonly string[]) => `only ${names.join(", ")}`,
  endpoints: (names: readonly string[]) => `only ${names.join(", ")}`,
  allowedIps: (addresses: readonly string[]) => `from ${plural(addresses.length, "address", "addresses")}`,
  requestsPerMinute: (most: number) => `${plural(most, "request")} per minute`,
  credits: (most: number) => `${plural(most, "credit")} per month`,
  banned: (isBanned: boolean) => (isBanned ? "banned" : ""),
};

/** What a key may not, in words. */
function limitsOf(restrictions: KeyEntry["restrictions"]): string {
  const limits = Object.entries(restrictions).map(([name, value]) => LIMITS[name]?.(value as never) ?? name);
  return limits.filter((limit) => limit !== "").join(", ") || "none";
}

function nameOf({ name, keyId }: KeyEntry): string {
  return name === "" ? keyId.slice(0, 8) : plainly(name);
}
