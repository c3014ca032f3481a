import { z } from "zod";

import { DAY, LATER, success, TEAM_ID } from "../example-values.ts";
import { defineShape } from "../operation.ts";
import { operatorOperation } from "./operator-operation.ts";
import { figuresExample } from "./overview.ts";
import { answerOf, Count, Id, TeamQuery, Time } from "./fields.ts";
import { Figures } from "./overview.ts";

/** `GET /admin/api/usage` and, as a table, `GET /admin/api/usage.csv`. */
export const UsageQuery = z.object({
  from: z.iso.datetime().optional().describe("Default: 30 days ago."),
  to: z.iso.datetime().optional().describe("End of the period, exclusive. Default: now."),
  step: z
    .enum(["day", "hour"])
    .default("day")
    .describe("Hourly figures are stored for 62 days, daily figures for two years."),
  by: z.enum(["team", "key", "format", "way", "kind"]).default("team").describe("What `groups` are."),
  team: TeamQuery,
  key: z.string().max(100).optional().describe("Id of a key. Requires `team`."),
});

export const UsageAnswer = answerOf(
  z.strictObject({
    from: Time,
    to: Time,
    step: z.enum(["day", "hour"]),
    by: z.enum(["team", "key", "format", "way", "kind"]),
    total: Figures,
    series: z
      .array(z.strictObject({ start: Time, ...Figures.shape }))
      .describe("One entry per period in UTC, oldest first, without gaps."),
    groups: z
      .array(
        z.strictObject({
          id: Id.describe("Id of the team or key, or the name of the format, source or kind of work."),
          teamId: Id.nullable().describe("Team of a key; null for all other groups."),
          name: z.string().describe("Empty for deleted teams and keys, and for requests without a key."),
          pages: Count,
          credits: Count,
        }),
      )
      .describe("Most pages first. A request with two formats counts for both."),
    errors: z.array(z.strictObject({ code: z.string(), count: Count })).describe("Most frequent first."),
    refusals: z
      .array(z.strictObject({ code: z.string(), count: Count }))
      .describe("Calls that were refused before any work began, most frequent first."),
  }),
);

export type UsageQuery = z.output<typeof UsageQuery>;
export type UsageAnswer = z.output<typeof UsageAnswer>;

export const readUsage = operatorOperation({
  line: "GET /admin/api/usage",
  summary: "Usage over time, and by team, key, format or source",
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
      groups: [{ id: TEAM_ID, teamId: null, name: "Research", pages: 120, credits: 130 }],
      errors: [{ code: "SCRAPE_TIMEOUT", count: 3 }],
      refusals: [{ code: "insufficient_credits", count: 1 }],
    },
  }),
  errors: [400],
});
