import { z } from "zod";

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
import { Allowance, TeamFlags, TeamLimits } from "../../api/teams.ts";
import { ThreatPolicy } from "../../api/threat-policy.ts";
import {
  LedgerQuery,
  ListQuery,
  NewTeam,
  TeamPatch,
  TopUp,
} from "../../history/operator/account-requests-shapes.ts";
import { answerOf, Count, Id, pageOf, Success, Time, Version } from "../../api/operator-fields.ts";
import { operatorOperation } from "../../api/operator-operation.ts";

const Team = z.strictObject({
  teamId: Id,
  version: Version,
  name: z.string(),
  flags: TeamFlags.extend({ zeroDataRetention: z.enum(["off", "allowed", "forced"]).exactOptional() }),
  limits: TeamLimits,
  isLimited: z.boolean().describe("False when credits are unlimited."),
  allowance: Allowance.nullable(),
  threatPolicy: ThreatPolicy,
  remainingCredits: Count.nullable().describe("Null when credits are unlimited."),
  creditsUsedThisMonth: Count,
  createdAt: Time,
});

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

export type TeamEntry = z.output<typeof Team>;
/** A threat policy as it is sent: fields with a default may be missing. */
export type ThreatPolicyPatch = z.input<typeof ThreatPolicy>;

const Account = z.enum(["issuer", "allowance", "prepaid", "used"]);
const Movement = z.strictObject({
  id: Id.describe("Id of the entry. For used credits, the id of the request."),
  from: Account,
  to: Account,
  amount: Count,
  balance: z
    .int()
    .describe(
      "Credits of the team after this entry and all older ones. Meaningless when credits are unlimited.",
    ),
  keyId: Id.nullable(),
  createdAt: Time,
});

export type LedgerEntry = z.output<typeof Movement>;

export const createTeam = operatorOperation({
  line: "POST /admin/api/teams",
  summary: "Create a team with its first key. The key is shown only once",
  body: defineShape("NewTeam", NewTeam, {
    name: "Research",
    allowance: { credits: 10_000, period: "month" },
  }),
  answer: defineShape(
    "MadeTeam",
    z.strictObject({
      success: Success,
      keyId: Id,
      apiKey: z.string().describe("The key. It is shown only once."),
      teamId: Id,
    }),
    { success, teamId: TEAM_ID, keyId: KEY_ID, apiKey: API_KEY },
  ),
});

export const listTeams = operatorOperation({
  line: "GET /admin/api/teams",
  summary: "List all teams, oldest first",
  query: ListQuery,
  answer: defineShape("Teams", pageOf(Team), { ...lastPage, data: [team] }),
  errors: [400],
});

export const changeTeam = operatorOperation({
  line: "PATCH /admin/api/teams/{id}",
  summary: "Change the permissions and limits of a team",
  params: { id: teamIdPart },
  body: defineShape("TeamPatch", TeamPatch, { limits: { concurrency: 20 } }),
  answer: defineShape("Team", answerOf(Team), { success, data: team }),
  errors: [404, 412],
});

export const deleteTeam = operatorOperation({
  line: "DELETE /admin/api/teams/{id}",
  summary: "Delete a team and its data",
  params: { id: teamIdPart },
  answer: done,
  errors: [400, 404],
});

export const topUpTeam = operatorOperation({
  line: "POST /admin/api/teams/{id}/credits",
  summary: "Add prepaid credits",
  params: { id: teamIdPart },
  body: defineShape("TopUp", TopUp, { add: 1000 }),
  answer: defineShape("Remaining", z.strictObject({ success: Success, remainingCredits: Count }), {
    success,
    remainingCredits: 10_995,
  }),
  errors: [404],
});

export const readLedger = operatorOperation({
  line: "GET /admin/api/teams/{id}/ledger",
  summary: "List the credit movements of a team, newest first",
  params: { id: teamIdPart },
  query: LedgerQuery,
  answer: defineShape("Ledger", pageOf(Movement), {
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
});
