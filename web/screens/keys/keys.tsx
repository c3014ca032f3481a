import { useLocation } from "preact-iso";
import { useState } from "preact/hooks";

import type { KeyEntry } from "../../../src/contract/operator/keys.ts";
import { ask } from "../../client/ask.ts";
import { era } from "../../client/live.ts";
import { useLoad } from "../../client/load.ts";
import { session } from "../../client/session.ts";
import { plainly } from "../../format/foreign.ts";
import { count, plural } from "../../format/numbers.ts";
import { exactly, moment } from "../../format/times.ts";
import { Badge } from "../../parts/badge.tsx";
import { Confirm } from "../../parts/dialog.tsx";
import { TeamName } from "../../parts/names.tsx";
import { Page, Panel } from "../../parts/page.tsx";
import { Empty, Notice, WithData } from "../../parts/states.tsx";
import { TeamChoice } from "../../parts/team-choice.tsx";
import { act } from "../../parts/toasts.tsx";
import { EditKeyDialog, RotateKeyDialog } from "./edit-key-dialog.tsx";
import { NewKeyDialog } from "./new-key-dialog.tsx";

/** What callers prove themselves with. */
export function Keys() {
  const { query, route } = useLocation();
  const teamId = query["team"] ?? "";
  const [isMaking, setMaking] = useState(query["new"] !== undefined);
  const chooseTeam = (chosen: string) =>
    route(chosen === "" ? "/dashboard/keys" : `/dashboard/keys?team=${encodeURIComponent(chosen)}`, true);
  const keys = useLoad(
    (signal) =>
      teamId === ""
        ? ask("GET /admin/api/keys", { query: { limit: 1000 }, signal })
        : ask("GET /admin/api/teams/{id}/keys", { params: { id: teamId }, query: { limit: 1000 }, signal }),
    [teamId, era.value],
  );
  return (
    <Page
      title="Keys"
      acts={
        <>
          <TeamChoice value={teamId} onChange={chooseTeam} everybody="All teams" />
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
      {isMaking && (
        <NewKeyDialog
          teamId={teamId === "" ? (session.value?.defaultTeamId ?? "default") : teamId}
          onMade={keys.reload}
          onClose={() => setMaking(false)}
        />
      )}
    </Page>
  );
}

interface KeyTableProps {
  readonly keys: readonly KeyEntry[];
  readonly onChanged: () => void;
}

interface Opened {
  readonly entry: KeyEntry;
  readonly what: "edit" | "rotate" | "revoke";
}

function KeyTable({ keys, onChanged }: KeyTableProps) {
  const [opened, setOpened] = useState<Opened | undefined>(undefined);
  const close = () => setOpened(undefined);
  if (keys.length === 0) {
    return <Empty title="No keys">Create one for each program that uses the service.</Empty>;
  }
  async function revoke({ keyId }: KeyEntry): Promise<void> {
    close();
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
            <th class="wide-only">Team</th>
            <th>State</th>
            <th class="wide-only">Restrictions</th>
            <th class="num wide-only">Used this month</th>
            <th class="roomy-only">Last used</th>
            <th>
              <span class="unseen">Actions</span>
            </th>
          </tr>
        </thead>
        <tbody>
          {keys.map((entry) => (
            <KeyRow key={entry.keyId} entry={entry} onOpen={(what) => setOpened({ entry, what })} />
          ))}
        </tbody>
      </table>
      {opened?.what === "edit" && (
        <EditKeyDialog entry={opened.entry} onChanged={onChanged} onClose={close} />
      )}
      {opened?.what === "rotate" && (
        <RotateKeyDialog entry={opened.entry} onChanged={onChanged} onClose={close} />
      )}
      {opened?.what === "revoke" && (
        <Confirm
          title="Revoke this key?"
          verb="Revoke"
          onConfirm={() => void revoke(opened.entry)}
          onClose={close}
        >
          Programs that use “{nameOf(opened.entry)}” are rejected immediately. A revoked key cannot be used
          again.
        </Confirm>
      )}
    </div>
  );
}

interface KeyRowProps {
  readonly entry: KeyEntry;
  readonly onOpen: (what: Opened["what"]) => void;
}

function KeyRow({ entry, onOpen }: KeyRowProps) {
  const { keyId, teamId, ending, restrictions, createdAt, lastUsedAt, revokedAt } = entry;
  const isInUse = revokedAt === null;
  return (
    <tr>
      <td class="fills">
        <a class="foreign" href={`/dashboard/requests?team=${teamId}&key=${keyId}`} title={`Key ${keyId}`}>
          {nameOf(entry)}
        </a>
        <span class="faint mono">{ending === null ? keyId : `fc-…${ending}`}</span>
      </td>
      <td class="wide-only cut-cell">
        <TeamName teamId={teamId} />
      </td>
      <td>
        <KeyState entry={entry} />
      </td>
      <td class="wide-only dim words">{limitsOf(restrictions)}</td>
      <td class="num wide-only">{usedOf(entry)}</td>
      <td class="roomy-only dim" title={`Made ${exactly(createdAt)}`}>
        {lastUsedAt === null ? "never" : moment(lastUsedAt)}
      </td>
      <td class="num one-line">
        {isInUse &&
          (["edit", "rotate", "revoke"] as const).map((what) => (
            <button
              type="button"
              key={what}
              class={`btn small quiet ${what === "revoke" ? "danger" : ""}`}
              aria-label={`${VERBS[what]} ${nameOf(entry)}`}
              onClick={() => onOpen(what)}
            >
              {VERBS[what]}
            </button>
          ))}
      </td>
    </tr>
  );
}

const VERBS = { edit: "Edit", rotate: "Rotate", revoke: "Revoke" } as const;

function KeyState({ entry: { revokedAt, restrictions, oldTextUntil } }: { readonly entry: KeyEntry }) {
  if (revokedAt !== null) return <Badge tone="bad">revoked</Badge>;
  if (restrictions["banned"] === true) return <Badge tone="bad">banned</Badge>;
  if (oldTextUntil !== null && Date.parse(oldTextUntil) > Date.now()) {
    return (
      <Badge tone="warn" title={`The old text works until ${exactly(oldTextUntil)}`}>
        rotated
      </Badge>
    );
  }
  return <Badge tone="ok">works</Badge>;
}

/** Credits of this month, of the limit where there is one. */
function usedOf({ creditsUsedThisMonth, restrictions }: KeyEntry): string {
  const limit = restrictions["credits"];
  const used = count(creditsUsedThisMonth);
  return typeof limit === "number" ? `${used} of ${count(limit)}` : used;
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
