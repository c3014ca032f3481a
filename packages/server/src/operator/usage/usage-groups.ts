import { readOwnerNames } from "../../accounts/owner-names.ts";
import { ServiceError } from "../../api/errors.ts";
import type { UsageAnswer, UsageGrouping, UsageQuery } from "../usage-shapes.ts";
import type { Database } from "../../storage/database/database.ts";
import type { OwnerFigures, Span } from "../../history/figures/figure-spans.ts";
import type { FigureRow } from "../../history/figures/figure-rows.ts";
import type { Figures } from "../../history/figures/figures.ts";
import type { ModelTokens } from "../../accounts/model-tokens.ts";
import { byName } from "./figure-sums.ts";

type Group = UsageAnswer["data"]["groups"][number];
type Models = Awaited<ReturnType<ModelTokens["byModel"]>>;

interface Period {
  readonly span: Span;
  readonly fromMs: number;
  readonly toMs: number;
}

interface GroupSources {
  readonly figures: Figures;
  readonly database: Database;
  /** Of the period, team and key. */
  readonly rows: readonly FigureRow[];
  readonly models: Models;
}

const NO_TOKENS = { inputTokens: null, outputTokens: null };
/** A filter → the groupings that it can narrow. */
const NARROWED: Readonly<Record<"site" | "format", readonly UsageGrouping[]>> = {
  site: ["team", "key", "site", "format"],
  format: ["team", "key", "site"],
};

/** Requests by what the query says, most first. @throws ServiceError BAD_REQUEST for a filter of other groups. */
export async function groupsOf(
  query: UsageQuery,
  period: Period,
  { figures, database, rows, models }: GroupSources,
): Promise<Group[]> {
  const { by, team: teamId, key: keyId, site: host, format } = query;
  refuseMisplaced(query);
  const wanted = { ...period, teamId, keyId, host, format };
  if (by === "model") return models.map(groupOfModel);
  if (by === "site") return (await figures.sites.byHost(wanted)).map(named);
  if (by === "format" && host !== undefined) return (await figures.sites.byFormat(wanted)).map(named);
  if (by !== "team" && by !== "key") return byName(rows, by).map(named);
  const isOfAll = host === undefined && format === undefined;
  const owners = await (isOfAll
    ? figures.byOwner(period)
    : figures.sites.byOwner({ ...period, host, format }));
  const { teams, keys } = await readOwnerNames(database);
  return ownerGroups(owners, query, by === "team" ? teams : keys);
}

/** Of all models together. */
export function sumOfModels(models: Models): UsageAnswer["data"]["tokens"] {
  return models.reduce(
    (sum, { calls, inputTokens, outputTokens }) => ({
      calls: sum.calls + calls,
      input: sum.input + inputTokens,
      output: sum.output + outputTokens,
    }),
    { calls: 0, input: 0, output: 0 },
  );
}

function refuseMisplaced(query: UsageQuery): void {
  for (const name of ["site", "format"] as const) {
    if (query[name] === undefined || NARROWED[name].includes(query.by)) continue;
    const message = `\`${name}\` narrows groups by ${NARROWED[name].join(", ")} only.`;
    throw new ServiceError("BAD_REQUEST", { message });
  }
}

function named(sums: { readonly name: string; readonly pages: number; readonly credits: number }): Group {
  return { id: sums.name, teamId: null, ...sums, ...NO_TOKENS };
}

function groupOfModel({ model, calls, inputTokens, outputTokens }: Models[number]): Group {
  return { id: model, teamId: null, name: model, pages: calls, credits: 0, inputTokens, outputTokens };
}

function ownerGroups(
  owners: readonly OwnerFigures[],
  { by, team, key }: UsageQuery,
  names: ReadonlyMap<string, string>,
): Group[] {
  const groups = new Map<string, Group>();
  for (const { teamId, keyId, pages, credits } of owners) {
    if ((team !== undefined && team !== teamId) || (key !== undefined && key !== keyId)) continue;
    const id = by === "team" ? teamId : keyId;
    // What teams use without a key is not one.
    const group = by === "team" ? id : `${teamId} ${keyId}`;
    const { pages: before = 0, credits: earlier = 0 } = groups.get(group) ?? {};
    const owner = by === "team" ? null : teamId;
    const sums = { pages: before + pages, credits: earlier + credits };
    groups.set(group, { id, teamId: owner, name: names.get(id) ?? "", ...sums, ...NO_TOKENS });
  }
  return [...groups.values()].toSorted((a, b) => b.pages - a.pages);
}
