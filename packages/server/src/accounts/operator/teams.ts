import { z } from "zod";
import { lazy } from "@pergamon-dev/kit/lazy";

import type { Administration, TeamState } from "../administration.ts";
import { teamVersion } from "../teams.ts";
import { done } from "../../api/common-shapes.ts";
import {
  API_KEY,
  DAY,
  KEY_ID,
  lastPage,
  SCRAPE_ID,
  success,
  TEAM_ID,
  teamIdPart,
  threatPolicy,
  VERSION,
} from "../../api/example-values.ts";
import { defineShape } from "../../api/operation-shape.ts";
import {
  CursorQuery,
  limitOf,
  answerOf,
  Count,
  Id,
  pageOf,
  Success,
  Time,
  Version,
} from "../../api/operator-fields.ts";
import { forOperator } from "../../api/operator-operation.ts";
import { Allowance, TeamFlags, TeamLimits } from "../../api/teams.ts";
import { ThreatPolicy } from "../../api/threat-policy.ts";
import { defineOperation } from "../../api/operation.ts";
import { pageFrom } from "../../api/page-from.ts";
import { versionIn } from "../../api/version-in.ts";
import { ListQuery } from "./keys.ts";

const Name = lazy(() => z.string().min(1).max(200));
const Credits = lazy(() => z.int().min(0).max(1_000_000_000_000));

const NewTeam = () =>
  z.strictObject({
    name: Name(),
    credits: Credits()
      .optional()
      .describe("Prepaid credits. Default: unlimited without credits and an allowance."),
    allowance: Allowance().optional(),
    flags: TeamFlags.optional(),
    limits: TeamLimits.optional(),
    threatPolicy: ThreatPolicy.optional(),
  });

/** Members that are left out do not change. */
const TeamPatch = () =>
  z.strictObject({
    name: Name().optional(),
    allowance: Allowance()
      .nullable()
      .optional()
      .describe("Null ends the allowance. Credits already granted stay."),
    isLimited: z.literal(false).optional().describe("Unlimited credits."),
    flags: TeamFlags.optional(),
    limits: TeamLimits.optional(),
    threatPolicy: ThreatPolicy.nullable().optional().describe("Null removes the limit."),
  });

const TopUp = () =>
  z
    .strictObject({
      add: Credits().min(1).optional(),
      credits: Credits().min(1).optional().describe("Another name of add, as at the creation of a team."),
    })
    .refine(({ add, credits }) => (add === undefined) !== (credits === undefined), {
      path: ["add"],
      error: "Send add, or credits.",
    });

const Team = lazy(() =>
  z.strictObject({
    teamId: Id,
    version: Version,
    name: z.string(),
    flags: TeamFlags.extend({ zeroDataRetention: z.enum(["off", "allowed", "forced"]).exactOptional() }),
    limits: TeamLimits,
    isLimited: z.boolean().describe("False when credits are unlimited."),
    allowance: Allowance().nullable(),
    threatPolicy: ThreatPolicy,
    remainingCredits: Count.nullable().describe("Null when credits are unlimited."),
    creditsUsedThisMonth: Count,
    createdAt: Time,
  }),
);

const team = {
  teamId: TEAM_ID,
  version: VERSION,
  name: "Research",
  flags: {},
  limits: { concurrency: 10 },
  isLimited: true,
  allowance: { credits: 10_000, period: "month" },
  threatPolicy: { ...threatPolicy, mode: "off", blacklist: [] },
  remainingCredits: 9_995,
  creditsUsedThisMonth: 5,
  createdAt: DAY,
};

export type TeamEntry = z.output<ReturnType<typeof Team>>;
/** A threat policy in a request, where fields with a default may be missing. */
export type ThreatPolicyPatch = z.input<typeof ThreatPolicy>;

const Account = lazy(() => z.enum(["issuer", "allowance", "prepaid", "used"]));
const Movement = lazy(() =>
  z.strictObject({
    id: Id.describe("Id of the entry. For used credits, the id of the request."),
    from: Account(),
    to: Account(),
    amount: Count,
    balance: z
      .int()
      .describe(
        "Credits of the team after this entry and all older ones. Meaningless when credits are unlimited.",
      ),
    keyId: Id.nullable(),
    createdAt: Time,
  }),
);

export type LedgerEntry = z.output<ReturnType<typeof Movement>>;

const teamAnswer = defineShape("Team", () => answerOf(Team()), { success, data: team });

const create = defineOperation({
  ...forOperator,
  line: "POST /admin/api/teams",
  audit: "team.created",
  summary: "Create a team with its first key. The key is shown only once",
  body: defineShape("NewTeam", NewTeam, {
    name: "Research",
    allowance: { credits: 10_000, period: "month" },
  }),
  answer: defineShape(
    "MadeTeam",
    () =>
      z.strictObject({
        success: Success,
        keyId: Id,
        apiKey: z.string().describe("The key. It is shown only once."),
        teamId: Id,
      }),
    { success, teamId: TEAM_ID, keyId: KEY_ID, apiKey: API_KEY },
  ),
  async handle({ body }, administration: Administration) {
    return { success: true, ...(await administration.createTeam(body)) };
  },
});

const list = defineOperation({
  ...forOperator,
  line: "GET /admin/api/teams",
  summary: "List all teams, oldest first",
  query: ListQuery,
  answer: defineShape("Teams", () => pageOf(Team()), { ...lastPage, data: [team] }),
  errors: [400],
  async handle({ query: { limit, cursor, search } }, administration: Administration) {
    const teams = await administration.listTeams({ afterId: cursor, search, count: limit + 1 });
    return pageFrom(teams, { limit, idOf: ({ id }) => id, show: showTeam });
  },
});

const read = defineOperation({
  ...forOperator,
  line: "GET /admin/api/teams/{id}",
  least: "team",
  summary: "Get a team with its limits and credits",
  params: { id: teamIdPart },
  answer: teamAnswer,
  errors: [404],
  handle: async ({ params }, administration: Administration) => ({
    success: true,
    data: showTeam(await administration.readTeam(params.id)),
  }),
});

const change = defineOperation({
  ...forOperator,
  line: "PATCH /admin/api/teams/{id}",
  audit: "team.changed",
  summary: "Change the permissions and limits of a team",
  params: { id: teamIdPart },
  body: defineShape("TeamPatch", TeamPatch, { limits: { concurrency: 20 } }),
  answer: teamAnswer,
  errors: [404, 412],
  async handle({ params, body, headers }, administration: Administration) {
    const changed = await administration.changeTeam(params.id, body, versionIn(headers["if-match"]));
    return { success: true, data: showTeam(changed) };
  },
});

const remove = defineOperation({
  ...forOperator,
  line: "DELETE /admin/api/teams/{id}",
  audit: "team.deleted",
  summary: "Delete a team and its data",
  params: { id: teamIdPart },
  answer: done,
  errors: [400, 404],
  async handle({ params }, administration: Administration) {
    await administration.deleteTeam(params.id);
    return { success: true };
  },
});

const topUp = defineOperation({
  ...forOperator,
  line: "POST /admin/api/teams/{id}/credits",
  audit: "credits.added",
  tells: ["add"],
  summary: "Add prepaid credits",
  params: { id: teamIdPart },
  body: defineShape("TopUp", TopUp, { add: 1000 }),
  answer: defineShape("Remaining", () => z.strictObject({ success: Success, remainingCredits: Count }), {
    success,
    remainingCredits: 10_995,
  }),
  errors: [404],
  async handle({ params, body }, administration: Administration) {
    const { add, credits = add ?? 0 } = body;
    return { success: true, remainingCredits: await administration.addCredits(params.id, credits) };
  },
});

const ledger = defineOperation({
  ...forOperator,
  line: "GET /admin/api/teams/{id}/ledger",
  least: "team",
  summary: "List the credit movements of a team, newest first",
  params: { id: teamIdPart },
  query: z.object({ limit: limitOf(100, 1000), cursor: CursorQuery }),
  answer: defineShape("Ledger", () => pageOf(Movement()), {
    ...lastPage,
    data: [
      {
        id: SCRAPE_ID,
        from: "allowance",
        to: "used",
        amount: 5,
        balance: 9_995,
        keyId: KEY_ID,
        createdAt: DAY,
      },
    ],
  }),
  errors: [400],
  async handle({ params, query: { limit, cursor } }, administration: Administration) {
    const entries = await administration.ledger(params.id, { afterId: cursor, count: limit + 1 });
    const show = ({ createdAtMs, ...entry }: (typeof entries)[number]) => ({
      ...entry,
      createdAt: iso(createdAtMs),
    });
    return pageFrom(entries, { limit, idOf: ({ id }) => id, show });
  },
});

/** Operations on teams and their credits, which the command line has too. */
export const teamOperations = [create, list, read, change, remove, topUp, ledger];

function showTeam(state: TeamState) {
  const { id, createdAtMs, remaining, usedThisMonth, isLimited, ...others } = state;
  return {
    teamId: id,
    version: teamVersion(state),
    ...others,
    allowance: others.allowance ?? null,
    isLimited,
    remainingCredits: remaining ?? null,
    creditsUsedThisMonth: usedThisMonth,
    createdAt: iso(createdAtMs),
  };
}

function iso(timeMs: number): string {
  return new Date(timeMs).toISOString();
}
