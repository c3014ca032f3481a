import type { UsageAnswer } from "@pergamon-dev/server/operator/usage/usage";
import { plainly } from "../../format/foreign.ts";
import { count, percent } from "../../format/numbers.ts";
import { Choice } from "../../parts/choice.tsx";
import { costOf } from "../../parts/cost.ts";
import { TeamName } from "../../parts/names.tsx";
import { Panel } from "../../parts/page.tsx";
import { Empty } from "../../parts/states.tsx";
import { type Column, Table } from "../../parts/table.tsx";
import { type Filter, logPath } from "../requests/filter.ts";

type Usage = UsageAnswer["data"];
type Group = Usage["groups"][number];

export const GROUPINGS = {
  team: "By team",
  key: "By key",
  site: "By site",
  format: "By format",
  model: "By model",
  way: "By source",
  kind: "By kind of work",
} as const;
/** What the breakdown is by. */
export type Grouping = keyof typeof GROUPINGS;

/** A site or format that the breakdown counts alone. */
export interface Narrowed {
  readonly site?: string;
  readonly format?: string;
}

/** Groupings → what they can be narrowed to. */
const NARROWABLE: Readonly<Partial<Record<Grouping, readonly (keyof Narrowed)[]>>> = {
  team: ["site", "format"],
  key: ["site", "format"],
  site: ["format"],
  format: ["site"],
};

/** What of an address narrows a breakdown. */
export function narrowedBy(by: Grouping, asked: Readonly<Record<string, string>>): Narrowed {
  const names = (NARROWABLE[by] ?? []).filter((name) => (asked[name] ?? "") !== "");
  return Object.fromEntries(names.map((name) => [name, asked[name]]));
}

interface BreakdownProps {
  readonly usage: Usage;
  /** Team and time, as links to the log keep them. */
  readonly scope: Filter;
  readonly narrowed: Narrowed;
  readonly onChange: (changes: Readonly<Record<string, string>>) => void;
}

/** Requests by team, key, site, …; each row leads to its requests, and those of sites and formats to what is in them. */
export function Breakdown({ usage: { groups, total, by }, scope, narrowed, onChange }: BreakdownProps) {
  return (
    <Panel
      title="Breakdown"
      beside={
        <>
          {Object.entries(narrowed).map(([name, value]: [string, string]) => (
            <button key={name} type="button" class="chip foreign" onClick={() => onChange({ [name]: "" })}>
              {name}: {plainly(value)} <span aria-label="Remove">✕</span>
            </button>
          ))}
          <Choice label="Group by" options={GROUPINGS} value={by} onChange={(id) => onChange({ by: id })} />
        </>
      }
    >
      <Table
        label="Breakdown"
        columns={[
          {
            heading: "Name",
            kind: "name",
            cell: (group) => (
              <>
                <Name group={group} by={by} scope={scope} narrowed={narrowed} />
                {(by === "site" || by === "format") && group.id !== "" && narrowed.site === undefined && (
                  <Within group={group} by={by} onChange={onChange} />
                )}
              </>
            ),
          },
          ...(by === "model" ? MODEL_FIGURES : figuresOf(total.pages)),
        ]}
        rows={groups}
        keyOf={({ teamId, id }) => `${teamId ?? ""} ${id}`}
        empty={<Empty title="No usage">Choose a longer period.</Empty>}
      />
      {by === "format" && groups.length > 0 && (
        <p class="body help">
          A request with several formats counts in each of them: together they are more than the total.
        </p>
      )}
    </Panel>
  );
}

const MODEL_FIGURES: readonly Column<Group>[] = [
  { heading: "Calls", by: ({ pages }) => pages, kind: "number", cell: ({ pages }) => count(pages) },
  {
    heading: "Tokens in",
    by: ({ inputTokens }) => inputTokens ?? 0,
    kind: "number",
    cell: ({ inputTokens }) => count(inputTokens ?? 0),
  },
  {
    heading: "Tokens out",
    by: ({ outputTokens }) => outputTokens ?? 0,
    kind: "number",
    cell: ({ outputTokens }) => count(outputTokens ?? 0),
  },
];

function figuresOf(total: number): readonly Column<Group>[] {
  return [
    { heading: "Pages", by: ({ pages }) => pages, kind: "number", cell: ({ pages }) => count(pages) },
    { heading: "Share", kind: "number", cell: ({ pages }) => percent(pages, total) },
    {
      heading: "Credits",
      by: ({ credits }) => credits,
      kind: "number",
      cell: ({ credits }) => count(credits),
    },
    ...(costOf(0) === undefined
      ? []
      : [{ heading: "Cost", kind: "number", cell: ({ credits }: Group) => costOf(credits) } as const]),
  ];
}

interface NameProps {
  readonly group: Group;
  readonly by: Grouping;
  readonly scope: Filter;
  readonly narrowed: Narrowed;
}

function Name({ group: { id, name, teamId }, by, scope, narrowed }: NameProps) {
  const text = name === "" ? unnamed(by, id) : plainly(name);
  // The log does not know which model was asked.
  if (by === "model" || (by === "site" && id === "")) return <span class="foreign">{text}</span>;
  const within: Filter = {
    result: "admitted",
    ...(narrowed.site !== undefined && { domain: narrowed.site }),
    ...(narrowed.format !== undefined && { format: narrowed.format }),
  };
  return (
    <>
      <a class="foreign" href={logPath({ ...scope, ...within, ...partOf(by, id, teamId) })}>
        {text}
      </a>
      {by === "key" && teamId !== null && (
        <span class="faint">
          <TeamName teamId={teamId} />
        </span>
      )}
    </>
  );
}

interface WithinProps {
  readonly group: Group;
  readonly by: "site" | "format";
  readonly onChange: BreakdownProps["onChange"];
}

/** What a site or format consists of, by another grouping. */
function Within({ group: { id }, by, onChange }: WithinProps) {
  const other = by === "site" ? "format" : "site";
  return (
    <span class="faint">
      <button type="button" class="link" onClick={() => onChange({ by: other, [by]: id })}>
        {by === "site" ? "formats" : "sites"}
      </button>{" "}
      <button type="button" class="link" onClick={() => onChange({ by: "key", [by]: id })}>
        keys
      </button>
    </span>
  );
}

function unnamed(by: Grouping, id: string): string {
  return by === "site" ? "Other sites" : `${id} (deleted, or without a key)`;
}

/** What narrows the log to a group. */
function partOf(by: Grouping, id: string, teamId: string | null): Filter {
  if (by === "key") return { ...(teamId !== null && { team: teamId }), ...(id !== "" && { key: id }) };
  return by === "site" ? { domain: id } : { [by]: id };
}
