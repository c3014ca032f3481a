import { ServiceError } from "../../api/errors.ts";
import { readUsage, type UsageAnswer, type UsageQuery, UsageTableQuery } from "../usage-shapes.ts";
import { defineOperation } from "../../api/operation.ts";
import { Outgoing } from "../../api/outgoing.ts";
import type { WorkKind } from "../../accounts/work.ts";
import type { Database } from "../../storage/database/database.ts";
import type { Figures } from "../../history/figures/figures.ts";
import { spansMs } from "../../history/figures/figure-spans.ts";
import type { ModelTokens } from "../../accounts/model-tokens.ts";
import { csvTable } from "../csv-table.ts";
import { byName, savedByCache, seriesOf, startOf, sumFigures } from "./figure-sums.ts";
import { groupsOf, sumOfModels } from "./usage-groups.ts";

export interface UsageServices {
  readonly figures: Figures;
  readonly modelTokens: Pick<ModelTokens, "byModel">;
  readonly database: Database;
  readonly clock: () => number;
}

const USUAL_DAYS = 30;
/** As long as figures of that step are kept. */
const MAX_DAYS = { hour: 62, day: 731 } as const;
const COLUMNS = ["start", "pages", "failed", "refused", "cacheHits", "credits", "p50Ms", "p95Ms"] as const;
const GROUP_COLUMNS = ["id", "name", "teamId", "pages", "credits", "inputTokens", "outputTokens"] as const;
const SESSIONS: WorkKind = "session";

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
  summary: "Read usage over time, or by group, as CSV",
  query: UsageTableQuery,
  answer: { contentType: "text/csv", example: "start,pages\r\n2026-05-02T00:00:00.000Z,120\r\n" },
  errors: [400],
  async handle({ query }, services: UsageServices) {
    const { series, groups } = await usageOf(query, services);
    const table = query.rows === "groups" ? csvTable(GROUP_COLUMNS, groups) : csvTable(COLUMNS, series);
    return new Outgoing(table, {
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
  const models = await services.modelTokens.byModel({ fromMs, toMs: endMs, teamId });
  const { pages: count = 0, credits = 0 } = byName(rows, "kind").find(({ name }) => name === SESSIONS) ?? {};
  return {
    from: new Date(fromMs).toISOString(),
    to: new Date(toMs).toISOString(),
    step,
    by,
    total: sumFigures(rows),
    series: [...seriesOf(rows, span, sumFigures)],
    groups: await groupsOf(query, span, { ...services, rows, models }),
    cache: savedByCache(rows),
    tokens: sumOfModels(models),
    sessions: { count, credits },
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

function badRequest(message: string): ServiceError {
  return new ServiceError("BAD_REQUEST", { message });
}
