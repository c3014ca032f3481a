import type { AuditLogAnswer } from "@pergamon-dev/server/accounts/operator/audit-log";
import { useAddressPart } from "../../client/address-part.ts";
import { addressOf, ask } from "../../client/ask.ts";
import { usePages } from "../../client/pages-of.ts";
import { plainly } from "../../format/foreign.ts";
import { exactly } from "../../format/times.ts";
import { KeyName, TeamName } from "../../parts/names.tsx";
import { Choice } from "../../parts/choice.tsx";
import { Page, Panel } from "../../parts/page.tsx";
import { SearchBar } from "../../parts/search-bar.tsx";
import { Empty, WithPages } from "../../parts/states.tsx";
import { type Column, Table } from "../../parts/table.tsx";
import { TeamChoice } from "../../parts/team-choice.tsx";

type Entry = AuditLogAnswer["data"][number];

/** What is written of changes: the events that there are filters for. */
const KINDS: readonly string[] = [
  "team.created",
  "team.changed",
  "team.deleted",
  "credits.added",
  "key.created",
  "key.changed",
  "key.rotated",
  "key.revoked",
  "setting.changed",
  "job.cancelled",
  "monitor.created",
  "monitor.changed",
  "monitor.deleted",
  "session.ran",
  "session.ended",
  "page.forgotten",
  "request.replayed",
  "webhook.resent",
  "webhookSecret.rotated",
  "webhookSecret.shown",
  "profile.deleted",
  "profile.exported",
  "terms.accepted",
  "backup.begun",
  "login.begun",
  "login.ended",
];

/** Who changed what, newest first. The address says what is looked for. */
export function Audit() {
  const [kind, setKind] = useAddressPart("kind");
  const [team, setTeam] = useAddressPart("team");
  const [search, setSearch] = useAddressPart("search");
  const filter = { kind: optional(kind), team: optional(team), search: optional(search) };
  const pages = usePages<Entry>(`audit log ${JSON.stringify(filter)}`, (cursor, signal) =>
    ask("GET /admin/api/audit-log", { query: { ...filter, cursor }, signal }),
  );
  return (
    <Page
      title="Audit log"
      beside={<span class="faint">changes by operators, kept forever</span>}
      acts={
        <a class="btn" href={addressOf("/admin/api/audit-log.jsonl", {}, filter)} download="audit-log.jsonl">
          Export
        </a>
      }
    >
      <SearchBar label="Who, what or id" value={search} onSearch={setSearch}>
        <Choice
          label="Change"
          all="Any change"
          options={Object.fromEntries(KINDS.map((name) => [name, wordsOf(name)]))}
          value={kind}
          onChange={setKind}
        />
        <TeamChoice value={team} onChange={setTeam} everybody="All teams" />
      </SearchBar>
      <Panel label="Changes">
        <WithPages pages={pages} verb="Show older changes">
          {(entries) => (
            <Table
              label="Changes"
              columns={COLUMNS}
              rows={entries}
              keyOf={({ id }) => id}
              empty={
                <Empty title={kind + team + search === "" ? "No changes yet" : "No change fits"}>
                  Everything that operators change appears here.
                </Empty>
              }
            />
          )}
        </WithPages>
      </Panel>
    </Page>
  );
}

function optional(text: string): string | undefined {
  return text === "" ? undefined : text;
}

const COLUMNS: readonly Column<Entry>[] = [
  { heading: "When", class: "dim", cell: ({ time }) => exactly(time) },
  {
    heading: "What",
    kind: "name",
    class: "wrap",
    cell: ({ kind, details: { target, name, ...details } }) => (
      <>
        <b>{plainly(wordsOf(kind))}</b>
        {typeof target === "string" && <Target kind={kind} id={target} name={name} />}
        {linesOf(isToldOf(name, details, target) ? { name, ...details } : details).map((line) => (
          <p class="help wrap foreign" key={line}>
            {plainly(line)}
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
        {keyId !== null && <KeyName keyId={keyId} />}
      </>
    ),
  },
];

/** Whether a name is a line of its own: it has changed, or belongs to nothing that has an id. */
function isToldOf(name: unknown, { before }: Entry["details"], target: unknown): boolean {
  return name !== undefined && (target === undefined || (isRecord(before) && "name" in before));
}

/** Screens that open what events of these kinds are about. */
const SCREENS: ReadonlyMap<string, string> = new Map([
  ["job", "jobs"],
  ["monitor", "monitors"],
  ["request", "requests"],
  ["session", "sessions"],
]);

interface TargetProps {
  readonly kind: string;
  readonly id: string;
  /** Undefined: it has none, and its id is short or leads to it. */
  readonly name: unknown;
}

/** What was changed: its name, or else its id. */
function Target({ kind, id, name }: TargetProps) {
  const screen = kind.endsWith("deleted") ? undefined : SCREENS.get(kind.split(".")[0] ?? "");
  const words = plainly(typeof name === "string" ? name : id);
  return (
    <p class="help wrap foreign" title={plainly(id)}>
      {screen === undefined ? (
        words
      ) : (
        <a class="link" href={`/dashboard/${screen}?id=${encodeURIComponent(id)}`}>
          {words}
        </a>
      )}
    </p>
  );
}

/**
 * Each detail in a line; what held before stands in front: `limits: {} → {"concurrency":3}`. Of a change, what was not told
 * stayed as it was; of a deletion, all of it is gone.
 */
function linesOf({ before, after, ...details }: Entry["details"]): readonly string[] {
  const former = isRecord(before) ? before : {};
  const all = after === undefined ? details : { ...details, value: after };
  if (!isRecord(before) && before !== undefined) former["value"] = before;
  const isChange = Object.keys(all).some((name) => name in former);
  const names = isChange ? Object.keys(all) : [...new Set([...Object.keys(all), ...Object.keys(former)])];
  return names.flatMap((name) => {
    const now = name in all ? textOf(all[name]) : "–";
    if (!(name in former)) return [`${name}: ${now}`];
    const was = textOf(former[name]);
    return was === now ? [] : [`${name}: ${was} → ${now}`];
  });
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function textOf(value: unknown): string {
  return typeof value === "string" ? value : (JSON.stringify(value) ?? "–");
}

/** `webhookSecret.rotated` → `Webhook secret rotated`. */
function wordsOf(kind: string): string {
  const words = kind.replaceAll(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`).replaceAll(".", " ");
  return words.charAt(0).toUpperCase() + words.slice(1);
}
