import type { AuditLogAnswer } from "@pergamon-dev/server/accounts/operator/audit-log";
import { ask } from "../../client/ask.ts";
import { usePages } from "../../client/pages-of.ts";
import { plainly } from "../../format/foreign.ts";
import { exactly } from "../../format/times.ts";
import { KeyName, TeamName } from "../../parts/names.tsx";
import { Page, Panel } from "../../parts/page.tsx";
import { Empty, WithPages } from "../../parts/states.tsx";
import { type Column, Table } from "../../parts/table.tsx";

type Entry = AuditLogAnswer["data"][number];

/** Who changed what, newest first. */
export function Audit() {
  const pages = usePages<Entry>("audit log", (cursor, signal) =>
    ask("GET /admin/api/audit-log", {
      query: { ...(cursor !== undefined && { cursor }) },
      signal,
    }),
  );
  return (
    <Page title="Audit log" beside={<span class="faint">changes by operators, kept forever</span>}>
      <Panel label="Changes">
        <WithPages pages={pages} verb="Show older changes">
          {(entries) => (
            <Table
              label="Changes"
              columns={COLUMNS}
              rows={entries}
              keyOf={({ id }) => id}
              empty={
                <Empty title="No changes yet">
                  Changes to teams, keys, credits and settings appear here.
                </Empty>
              }
            />
          )}
        </WithPages>
      </Panel>
    </Page>
  );
}

const COLUMNS: readonly Column<Entry>[] = [
  { heading: "When", class: "dim", cell: ({ time }) => exactly(time) },
  {
    heading: "What",
    kind: "name",
    class: "wrap",
    cell: ({ kind, details }) => (
      <>
        <b>{plainly(wordsOf(kind))}</b>
        {Object.entries(details).map(([name, value]) => (
          <p class="help mono wrap foreign" key={name}>
            {plainly(`${name}: ${typeof value === "string" ? value : JSON.stringify(value)}`)}
          </p>
        ))}
      </>
    ),
  },
  { heading: "Who", from: "wide", class: "dim foreign", cell: ({ by }) => plainly(by ?? "not known") },
  {
    heading: "Team and key",
    from: "wide",
    cell: ({ teamId, keyId }) => (
      <>
        {teamId !== null && <TeamName teamId={teamId} />}
        {teamId !== null && keyId !== null && ", "}
        {keyId !== null && <KeyName teamId={teamId ?? ""} keyId={keyId} />}
      </>
    ),
  },
];

/** `webhookSecret.rotated` → `Webhook secret rotated`. */
function wordsOf(kind: string): string {
  const words = kind.replaceAll(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`).replaceAll(".", " ");
  return words.charAt(0).toUpperCase() + words.slice(1);
}
