import { useLocation } from "preact-iso";
import { useState } from "preact/hooks";

import type { KeyEntry } from "@pergamon-dev/server/accounts/operator/keys";
import { ask } from "../../client/ask.ts";
import { usePages } from "../../client/pages-of.ts";
import { session } from "../../client/session.ts";
import { ActButton } from "../../parts/act-button.tsx";
import { Confirm } from "../../parts/confirm.tsx";
import { TeamName } from "../../parts/names.tsx";
import { Page, Panel } from "../../parts/page.tsx";
import { SearchBar } from "../../parts/search-bar.tsx";
import { Empty, Notice, WithPages } from "../../parts/states.tsx";
import { Table } from "../../parts/table.tsx";
import { TeamChoice } from "../../parts/team-choice.tsx";
import { EditKeyDialog, RotateKeyDialog } from "./edit-key-dialog.tsx";
import { KEY_COLUMNS, nameOf } from "./key-columns.tsx";
import { NewKeyDialog } from "./new-key-dialog.tsx";

/** Shown at once. */
const ROWS = 100;

/** What callers prove themselves with. */
export function Keys() {
  const { query, route } = useLocation();
  const teamId = query["team"] ?? "";
  const [isMaking, setMaking] = useState(query["new"] !== undefined);
  const chooseTeam = (chosen: string) =>
    route(chosen === "" ? "/dashboard/keys" : `/dashboard/keys?team=${encodeURIComponent(chosen)}`, true);
  const [search, setSearch] = useState("");
  const pages = usePages<KeyEntry>(`keys ${teamId} ${search}`, (cursor, signal) => {
    const page = { limit: ROWS, search, ...(cursor !== undefined && { cursor }) };
    return teamId === ""
      ? ask("GET /admin/api/keys", { query: page, signal })
      : ask("GET /admin/api/teams/{id}/keys", { params: { id: teamId }, query: page, signal });
  });
  const { reload } = pages.loaded;
  return (
    <Page
      title="Keys"
      acts={
        <>
          <TeamChoice value={teamId} onChange={chooseTeam} everybody="All teams" />
          <ActButton
            route="POST /admin/api/teams/{id}/keys"
            class="btn primary"
            onClick={() => setMaking(true)}
          >
            New key
          </ActButton>
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
      <SearchBar label="Name or id of a key" onSearch={setSearch} />
      <Panel label="Keys" class="above">
        <WithPages pages={pages} verb="Show more keys">
          {(keys) => <KeyTable keys={keys} onChanged={reload} />}
        </WithPages>
      </Panel>
      {isMaking && (
        <NewKeyDialog
          teamId={teamId === "" ? (session.value?.defaultTeamId ?? "default") : teamId}
          onMade={reload}
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
  async function revoke({ keyId }: KeyEntry): Promise<string> {
    await ask("DELETE /admin/api/keys/{id}", { params: { id: keyId } });
    return "Key revoked. Requests with this key are rejected from now on.";
  }
  function onRevoked(): void {
    close();
    onChanged();
  }
  return (
    <>
      <Table
        label="Keys"
        columns={[
          ...KEY_COLUMNS.slice(0, 1),
          // On a phone, too: which team a key belongs to is what it is looked at for.
          { heading: "Team", class: "cut-cell", cell: ({ teamId: id }) => <TeamName teamId={id} /> },
          ...KEY_COLUMNS.slice(1),
          {
            kind: "acts",
            class: "one-line",
            cell: (entry) => <Acts entry={entry} onOpen={(what) => setOpened({ entry, what })} />,
          },
        ]}
        rows={keys}
        keyOf={({ keyId }) => keyId}
        empty={<Empty title="No keys">Create one for each program that uses the service.</Empty>}
      />
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
          route={ROUTES.revoke}
          work={() => revoke(opened.entry)}
          onDone={onRevoked}
          onClose={close}
        >
          Programs that use “{nameOf(opened.entry)}” are rejected immediately. A revoked key cannot be used
          again.
        </Confirm>
      )}
    </>
  );
}

interface ActsProps {
  readonly entry: KeyEntry;
  readonly onOpen: (what: Opened["what"]) => void;
}

function Acts({ entry, onOpen }: ActsProps) {
  if (entry.revokedAt !== null) return null;
  return (["edit", "rotate", "revoke"] as const).map((what) => (
    <ActButton
      route={ROUTES[what]}
      key={what}
      class={`btn small quiet ${what === "revoke" ? "danger" : ""}`}
      aria-label={`${VERBS[what]} ${nameOf(entry)}`}
      onClick={() => onOpen(what)}
    >
      {VERBS[what]}
    </ActButton>
  ));
}

const VERBS = { edit: "Edit", rotate: "Rotate", revoke: "Revoke" } as const;
const ROUTES = {
  edit: "PATCH /admin/api/keys/{id}",
  rotate: "POST /admin/api/keys/{id}/rotate",
  revoke: "DELETE /admin/api/keys/{id}",
} as const;
