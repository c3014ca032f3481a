import { z } from "zod";

import { DAY, LATER, success, TEAM_ID } from "../api/example-values.ts";
import { defineShape } from "../api/operation-shape.ts";
import { operatorOperation } from "../api/operator-operation.ts";
import { figuresExample } from "./overview-shapes.ts";
import { answerOf, Count, Id, TeamQuery, Time } from "../api/operator-fields.ts";
import { Figures } from "./overview-shapes.ts";

const UsageGrouping = z.enum(["team", "key", "site", "format", "model", "way", "kind"]);

/** `GET /admin/api/usage`. */
export const UsageQuery = z.object({
  from: z.iso.datetime().optional().describe("Default: 30 days ago."),
  to: z.iso.datetime().optional().describe("End of the period, exclusive. Default: now."),
  step: z
    .enum(["day", "hour"])
    .default("day")
    .describe("Hourly figures are stored for 62 days, daily figures for two years."),
  by: UsageGrouping.default("team").describe(
    "What `groups` are. Those by model count calls of whole days in UTC.",
  ),
  team: TeamQuery,
  key: z.string().max(100).optional().describe("Id of a key. Requires `team`."),
  site: z
    .string()
    .max(253)
    .optional()
    .describe("Host: `groups` count requests for its pages only. For groups by team, key, format or site."),
  format: z
    .string()
    .max(100)
    .optional()
    .describe("`groups` count requests for this format only. For groups by team, key or site."),
});

/** `GET /admin/api/usage.csv`. */
export const UsageTableQuery = UsageQuery.extend({
  rows: z
    .enum(["series", "groups"])
    .default("series")
    .describe("`series`: one row per period; `groups`: one row per group."),
});

export const UsageAnswer = answerOf(
  z.strictObject({
    from: Time,
    to: Time,
    step: z.enum(["day", "hour"]),
    by: UsageGrouping,
    total: Figures,
    series: z
      .array(z.strictObject({ start: Time, ...Figures.shape }))
      .describe("One entry per period in UTC, oldest first, without gaps."),
    groups: z
      .array(
        z.strictObject({
          id: Id.describe(
            "Id of the team or key, or the name of the site, format, model, source or kind of work.",
          ),
          teamId: Id.nullable().describe("Team of a key; null for all other groups."),
          name: z
            .string()
            .describe(
              "Empty for deleted teams and keys, for requests without a key, and for sites beyond 1,000 of a key on a day.",
            ),
          pages: Count.describe("By model: calls of the model."),
          credits: Count.describe("By model: 0. Credits are charged for requests."),
          inputTokens: Count.nullable().describe("By model only; null for all other groups."),
          outputTokens: Count.nullable(),
        }),
      )
      .describe("Most pages first; at most 500 sites. A request with two formats counts for both."),
    cache: z
      .strictObject({
        hits: Count.describe("Pages that were not fetched, because they were in the cache."),
        savedMs: Count.describe(
          "Time that this saved: estimated from the average durations of requests with and without the cache.",
        ),
      })
      .describe("What the cache saved."),
    tokens: z
      .strictObject({ calls: Count, input: Count, output: Count })
      .describe("Use of language models on the days of the period, in UTC. Not narrowed to a key."),
    sessions: z.strictObject({ count: Count, credits: Count }).describe("Browser sessions that ended."),
    errors: z.array(z.strictObject({ code: z.string(), count: Count })).describe("Most frequent first."),
    refusals: z
      .array(z.strictObject({ code: z.string(), count: Count }))
      .describe("Calls that were refused before any work began, most frequent first."),
  }),
);

export type UsageGrouping = z.output<typeof UsageGrouping>;
export type UsageQuery = z.output<typeof UsageQuery>;
export type UsageAnswer = z.output<typeof UsageAnswer>;

export const readUsage = operatorOperation({
  line: "GET /admin/api/usage",
  summary: "Usage over time, and by team, key, site, format, model or source",
  query: UsageQuery,
  answer: defineShape("Usage", UsageAnswer, {
    success,
    data: {
      from: DAY,
      to: LATER,
      step: "day",
      by: "team",
      total: figuresExample,
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
});
