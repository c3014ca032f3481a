import { type OwnerNames, readOwnerNames } from "../accounts/owner-names.ts";
import { ServiceError } from "../contract/errors.ts";
import { readUsage, type UsageAnswer, UsageQuery } from "../contract/operator/usage.ts";
import { defineOperation } from "../operations/operation.ts";
import { Outgoing } from "../operations/outgoing.ts";
import type { Database } from "../platform/database/database.ts";
import type { Figures } from "../stores/figures/figures.ts";
import { type OwnerFigures, spansMs } from "../stores/figures/figure-rows.ts";
import { byName, seriesOf, startOf, sumFigures } from "./figure-sums.ts";

export interface UsageServices {
  readonly figures: Figures;
  readonly database: Database;
  readonly clock: () => number;
}

type Group = UsageAnswer["data"]["groups"][number];

const USUAL_DAYS = 30;
/** As long as figures of that step are kept. */
const MAX_DAYS = { hour: 62, day: 731 } as const;
const COLUMNS = ["start", "pages", "failed", "refused", "cacheHits", "credits", "p50Ms", "p95Ms"] as const;

const usage = defineOperation({
  ...readUsage,
  handle: async ({ query }, services: UsageServices) => ({
    success: true,
    data: await usageOf(query, services),
  }),
});

const usageTable = defineOperation({
  line: "GET /admin/api/usage.csv",
  access: "operator",
  tag: "Operator",
  summary: "Read usage over time as CSV",
  query: UsageQuery,
  answer: { contentType: "text/csv", example: "start,pages\r\n2026-05-02T00:00:00.000Z,120\r\n" },
  errors: [400],
  async handle({ query }, services: UsageServices) {
    const { series } = await usageOf(query, services);
    const rows = series.map((entry) => COLUMNS.map((name) => entry[name] ?? "").join(","));
    return new Outgoing([COLUMNS.join(","), ...rows, ""].join("\r\n"), {
      type: "text/csv; charset=utf-8",
      headers: { "content-disposition": 'attachment; filename="usage.csv"' },
    });
  },
});

/** How much was done for whom. */
export const usageOperations = [usage, usageTable];

async function usageOf(query: UsageQuery, services: UsageServices): Promise<UsageAnswer["data"]> {
  const { step, by, team: teamId, key: keyId } = query;
  const { fromMs, toMs, endMs } = spanOf(query, services.clock());
  const span = { span: step, fromMs, toMs: endMs } as const;
  const rows = await services.figures.read({ ...span, teamId, keyId });
  const isOfOwners = by === "team" || by === "key";
  const groups = isOfOwners
    ? ownerGroups(await services.figures.byOwner(span), query, await readOwnerNames(services.database))
    : byName(rows, by).map(({ name, ...sums }) => ({ id: name, teamId: null, name, ...sums }));
  return {
    from: new Date(fromMs).toISOString(),
    to: new Date(toMs).toISOString(),
    step,
    by,
    total: sumFigures(rows),
    series: [...seriesOf(rows, span, sumFigures)],
    groups,
    errors: byName(rows, "failed").map(({ name, pages }) => ({ code: name, count: pages })),
    refusals: byName(rows, "refused").map(({ name, pages }) => ({ code: name, count: pages })),
  };
}

/** Whole steps, which begin and end when the clock says so. @throws ServiceError BAD_REQUEST for what is not kept. */
function spanOf({ from, to, step, key, team }: UsageQuery, nowMs: number) {
  const toMs = to === undefined ? nowMs : Date.parse(to);
  const begin = from === undefined ? toMs - USUAL_DAYS * spansMs.day : Date.parse(from);
  const fromMs = startOf(begin, step);
  const endMs = Math.ceil(toMs / spansMs[step]) * spansMs[step];
  if (endMs <= fromMs) throw badRequest("`to` has to be later than `from`.");
  if (endMs - fromMs > (MAX_DAYS[step] + 1) * spansMs.day)
    throw badRequest(`By ${step} at most ${MAX_DAYS[step]} days can be shown.`);
  if (key !== undefined && team === undefined) throw badRequest("`key` requires `team`.");
  return { fromMs, toMs, endMs };
}

function ownerGroups(
  owners: readonly OwnerFigures[],
  { by, team, key }: UsageQuery,
  names: OwnerNames,
): Group[] {
  const known = by === "team" ? names.teams : names.keys;
  const groups = new Map<string, Group>();
  for (const { teamId, keyId, pages, credits } of owners) {
    if ((team !== undefined && team !== teamId) || (key !== undefined && key !== keyId)) continue;
    const id = by === "team" ? teamId : keyId;
    // What teams use without a key is not one.
    const group = by === "team" ? id : `${teamId} ${keyId}`;
    const { pages: before = 0, credits: earlier = 0 } = groups.get(group) ?? {};
    const owner = by === "team" ? null : teamId;
    const sums = { pages: before + pages, credits: earlier + credits };
    groups.set(group, { id, teamId: owner, name: known.get(id) ?? "", ...sums });
  }
  return [...groups.values()].toSorted((a, b) => b.pages - a.pages);
}

function badRequest(message: string): ServiceError {
  return new ServiceError("BAD_REQUEST", { message });
}
