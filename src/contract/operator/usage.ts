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
  to: z.iso.datetime().optional().describe("Not included. Default: now."),
  step: z.enum(["day", "hour"]).default("day").describe("Hours are kept for 62 days, days for two years."),
  by: z.enum(["team", "key", "format", "way"]).default("team").describe("What `groups` are."),
  team: TeamQuery,
  key: z.string().max(100).optional().describe("Id of a key; needs `team`."),
});

export const UsageAnswer = answerOf(
  z.strictObject({
    from: Time,
    to: Time,
    step: z.enum(["day", "hour"]),
    by: z.enum(["team", "key", "format", "way"]),
    total: Figures,
    series: z
      .array(z.strictObject({ start: Time, ...Figures.shape }))
      .describe("Oldest first, UTC, without gaps."),
    groups: z
      .array(
        z.strictObject({
          id: Id.describe("Of the team or key, or the name of the format or way."),
          name: z.string().describe("Empty for what was deleted, and for work done without a key."),
          pages: Count,
          credits: Count,
        }),
      )
      .describe("Most pages first; a request with two formats counts for both."),
    errors: z.array(z.strictObject({ code: z.string(), count: Count })).describe("Most frequent first."),
  }),
);

export type UsageQuery = z.output<typeof UsageQuery>;
export type UsageAnswer = z.output<typeof UsageAnswer>;

export const readUsage = operatorOperation({
  line: "GET /admin/api/usage",
  summary: "How much was done: over time, and by team, key, format or way",
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
      groups: [{ id: TEAM_ID, name: "Research", pages: 120, credits: 130 }],
      errors: [{ code: "SCRAPE_TIMEOUT", count: 3 }],
    },
  }),
  errors: [400],
});
