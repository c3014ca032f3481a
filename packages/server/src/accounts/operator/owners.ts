import { z } from "zod";

import { KEY_ID, success, TEAM_ID } from "../../api/example-values.ts";
import { defineShape } from "../../api/operation-shape.ts";
import { defineOperation } from "../../api/operation.ts";
import { answerOf, Count, Id } from "../../api/operator-fields.ts";
import { forOperator } from "../../api/operator-operation.ts";
import type { Database } from "../../storage/database/database.ts";
import type { Limits } from "../limits.ts";
import { namesOfKeys, namesOfTeams } from "../owner-names.ts";

/** Ids of one question. */
const MAX_IDS = 100;
const MAX_LISTED = 20;

const Ids = z
  .string()
  .max(MAX_IDS * 101)
  .default("")
  .transform((text) => [...new Set(text.split(",").filter((id) => id !== ""))].slice(0, MAX_IDS));

const NamesAnswer = () =>
  answerOf(
    z.strictObject({ teams: z.record(z.string(), z.string()), keys: z.record(z.string(), z.string()) }),
  );

const RunningAnswer = () =>
  answerOf(
    z.array(
      z.strictObject({
        teamId: Id,
        running: Count,
        waiting: Count.describe("Requests that wait for a place of their team."),
        limit: Count.nullable().describe("Places of the team; null: no limit."),
      }),
    ),
  );

export interface OwnerServices {
  readonly database: Database;
  readonly limits: Pick<Limits, "busy">;
}

/** Many names by one question. Teams and keys that are gone have none. */
const names = defineOperation({
  ...forOperator,
  line: "GET /admin/api/names",
  query: z.object({ teams: Ids, keys: Ids }),
  answer: defineShape("Names", NamesAnswer, {
    success,
    data: { teams: { [TEAM_ID]: "Research" }, keys: { [KEY_ID]: "ci" } },
  }),
  errors: [400],
  async handle({ query: { teams, keys } }, { database }: OwnerServices) {
    const data = { teams: await namesOfTeams(database, teams), keys: await namesOfKeys(database, keys) };
    return { success: true, data };
  },
});

/** Who is at work now, and who waits; the busiest first. */
const running = defineOperation({
  ...forOperator,
  line: "GET /admin/api/running",
  answer: defineShape("RunningTeams", RunningAnswer, {
    success,
    data: [{ teamId: TEAM_ID, running: 2, waiting: 1, limit: 2 }],
  }),
  async handle(_call, { limits }: OwnerServices) {
    const busy = await limits.busy();
    const order = busy.toSorted((a, b) => b.running + b.waiting - a.running - a.waiting);
    const data = order.slice(0, MAX_LISTED).map(({ limit = null, ...load }) => ({ ...load, limit }));
    return { success: true, data };
  },
});

export const ownerOperations = [names, running];
