import { z } from "zod";

import { readOwnerNames } from "../../accounts/owner-names.ts";
import type { WorkKind } from "../../accounts/work.ts";
import { ServiceError } from "../../api/errors.ts";
import { DAY, LATER, success, TEAM_ID } from "../../api/example-values.ts";
import { defineShape } from "../../api/operation-shape.ts";
import { answerOf, Count, Id, TeamQuery, Time } from "../../api/operator-fields.ts";
import { forOperator } from "../../api/operator-operation.ts";
import { defineOperation } from "../../api/operation.ts";
import { Outgoing } from "../../api/outgoing.ts";
import type { Database } from "../../storage/database/database.ts";
import type { FigureRow } from "../../history/figures/figure-rows.ts";
import { type OwnerFigures, type Span, spansMs } from "../../history/figures/figure-spans.ts";
import type { Figures } from "../../history/figures/figures.ts";
import type { ModelTokens } from "../../accounts/model-tokens.ts";
import { csvTable } from "../csv-table.ts";
import {
  byName,
  figuresExample,
  savedByCache,
  seriesOf,
  SpanFigures,
  startOf,
  sumFigures,
} from "./figure-sums.ts";

const UsageGrouping = z.enum(["team", "key", "site", "format", "model", "way", "kind"]);

/** `GET /admin/api/usage`. */
const UsageQuery = z.object({
  from: z.iso.datetime().optional(),
  to: z.iso.datetime().optional(),
  step: z.enum(["day", "hour"]).default("day"),
  by: UsageGrouping.default("team"),
  team: TeamQuery,
  key: z.string().max(100).optional(),
  site: z.string().max(253).optional(),
  format: z.string().max(100).optional(),
});

/** `GET /admin/api/usage.csv`. */
const UsageTableQuery = UsageQuery.extend({
  rows: z.enum(["series", "groups"]).default("series"),
});

export const UsageAnswer = () =>
  answerOf(
    z.strictObject({
      from: Time,
      to: Time,
      step: z.enum(["day", "hour"]),
      by: UsageGrouping,
      total: SpanFigures,
      previous: SpanFigures.describe("The same time before."),
      series: z.array(z.strictObject({ start: Time, ...SpanFigures.shape })),
      groups: z.array(
        z.strictObject({
          id: Id,
          teamId: Id.nullable(),
          name: z.string(),
          pages: Count,
          credits: Count,
          inputTokens: Count.nullable(),
          outputTokens: Count.nullable(),
        }),
      ),
      cache: z.strictObject({
        hits: Count,
        savedMs: Count,
      }),
      tokens: z.strictObject({ calls: Count, input: Count, output: Count }),
      sessions: z.strictObject({ count: Count, credits: Count }),
      errors: z.array(z.strictObject({ code: z.string(), count: Count })),
      refusals: z.array(z.strictObject({ code: z.string(), count: Count })),
    }),
  );

type UsageGrouping = z.output<typeof UsageGrouping>;
type UsageQuery = z.output<typeof UsageQuery>;
export type UsageAnswer = z.output<ReturnType<typeof UsageAnswer>>;

export interface UsageServices {
  readonly figures: Figures;
  readonly modelTokens: Pick<ModelTokens, "byModel">;
  readonly database: Database;
  readonly clock: () => number;
}

const USUAL_DAYS = 30;
/** Figures of each step are kept this many days. */
const MAX_DAYS = { hour: 62, day: 731 } as const;
const COLUMNS = ["start", "pages", "failed", "refused", "cacheHits", "credits", "p50Ms", "p95Ms"] as const;
const GROUP_COLUMNS = ["id", "name", "teamId", "pages", "credits", "inputTokens", "outputTokens"] as const;
const SESSIONS: WorkKind = "session";

const usage = defineOperation({
  ...forOperator,
  line: "GET /admin/api/usage",
  least: "team",
  query: UsageQuery,
  answer: defineShape("Usage", UsageAnswer, {
    success,
    data: {
      from: DAY,
      to: LATER,
      step: "day",
      by: "team",
      total: figuresExample,
      previous: { ...figuresExample, pages: 60, credits: 65 },
      series: [{ start: DAY, ...figuresExample }],
      groups: [
        {
          id: TEAM_ID,
          teamId: null,
          name: "Research",
          pages: 120,
          credits: 130,
          inputTokens: null,
          outputTokens: null,
        },
      ],
      cache: { hits: 40, savedMs: 52_000 },
      tokens: { calls: 12, input: 40_000, output: 3000 },
      sessions: { count: 2, credits: 24 },
      errors: [{ code: "SCRAPE_TIMEOUT", count: 3 }],
      refusals: [{ code: "insufficient_credits", count: 1 }],
    },
  }),
  errors: [400],
  handle: async ({ query }, services: UsageServices) => ({
    success: true,
    data: await usageOf(query, services),
  }),
});

const usageTable = defineOperation({
  line: "GET /admin/api/usage.csv",
  access: "operator",
  tag: "Operator",
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

export const usageOperations = [usage, usageTable];

async function usageOf(query: UsageQuery, services: UsageServices): Promise<UsageAnswer["data"]> {
  const { step, by, team: teamId, key: keyId } = query;
  const { fromMs, toMs, endMs } = spanOf(query, services.clock());
  const span = { span: step, fromMs, toMs: endMs } as const;
  const rows = await services.figures.read({ ...span, teamId, keyId });
  const previous = await services.figures.read({
    span: step,
    fromMs: 2 * fromMs - endMs,
    toMs: fromMs,
    teamId,
    keyId,
  });
  const models = await services.modelTokens.byModel({ fromMs, toMs: endMs, teamId });
  const { pages: count = 0, credits = 0 } = byName(rows, "kind").find(({ name }) => name === SESSIONS) ?? {};
  return {
    from: new Date(fromMs).toISOString(),
    to: new Date(toMs).toISOString(),
    step,
    by,
    total: sumFigures(rows),
    previous: sumFigures(previous),
    series: [...seriesOf(rows, span, sumFigures)],
    groups: await groupsOf(query, span, { ...services, rows, models }),
    cache: savedByCache(rows),
    tokens: sumOfModels(models),
    sessions: { count, credits },
    errors: byName(rows, "failed").map(({ name, pages }) => ({ code: name, count: pages })),
    refusals: byName(rows, "refused").map(({ name, pages }) => ({ code: name, count: pages })),
  };
}

/**
 * Rounds the period to whole clock steps.
 * @throws ServiceError BAD_REQUEST for periods whose figures are not kept.
 */
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
  /** Filtered by period, team and key. */
  readonly rows: readonly FigureRow[];
  readonly models: Models;
}

const NO_TOKENS = { inputTokens: null, outputTokens: null };
/** Filter → groupings that it can narrow. */
const NARROWED: Readonly<Record<"site" | "format", readonly UsageGrouping[]>> = {
  site: ["team", "key", "site", "format"],
  format: ["team", "key", "site"],
};

/**
 * Requests by the grouping of the query, most frequent first.
 * @throws ServiceError BAD_REQUEST for a filter of other groupings.
 */
async function groupsOf(
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

/** Sum over all models. */
function sumOfModels(models: Models): UsageAnswer["data"]["tokens"] {
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
    // Use without a key is grouped per team.
    const group = by === "team" ? id : `${teamId} ${keyId}`;
    const { pages: before = 0, credits: earlier = 0 } = groups.get(group) ?? {};
    const owner = by === "team" ? null : teamId;
    const sums = { pages: before + pages, credits: earlier + credits };
    groups.set(group, { id, teamId: owner, name: names.get(id) ?? "", ...sums, ...NO_TOKENS });
  }
  return [...groups.values()].toSorted((a, b) => b.pages - a.pages);
}
