import { z } from "zod";

import { KeyRestrictions } from "../../accounts/restrictions.ts";
import { Allowance, TeamFlags, TeamLimits } from "../../accounts/teams.ts";
import { Version } from "../../contract/operator/fields.ts";
import { RequestsAnswer } from "../../contract/operator/requests.ts";
import { FeedbackRequest } from "../../contract/feedback.ts";
import { ThreatPolicy } from "../../accounts/threat-policy.ts";

const Success = z.literal(true);
const Time = z.iso.datetime();
const Count = z.int().min(0);
const Id = z.string();
const Name = z.string();
const Cursor = z.string().nullable().describe("Asks for the next page; null on the last.");
const Account = z.enum(["issuer", "allowance", "prepaid", "used"]);

const Team = z.strictObject({
  teamId: Id,
  version: Version,
  name: Name,
  flags: TeamFlags.extend({ zeroDataRetention: z.enum(["off", "allowed", "forced"]).exactOptional() }),
  limits: TeamLimits,
  isLimited: z.boolean().describe("False: credits never run out."),
  allowance: Allowance.nullable(),
  threatPolicy: ThreatPolicy,
  remainingCredits: Count.nullable().describe("Null when credits never run out."),
  creditsUsedThisMonth: Count,
  createdAt: Time,
});

const Movement = z.strictObject({
  id: Id.describe("Of a scrape, where credits were used."),
  from: Account,
  to: Account,
  amount: Count,
  keyId: Id.nullable(),
  createdAt: Time,
});

const Key = z.strictObject({
  keyId: Id,
  version: Version,
  teamId: Id,
  name: Name,
  restrictions: KeyRestrictions,
  createdAt: Time,
  lastUsedAt: Time.nullable(),
  revokedAt: Time.nullable(),
  expiresAt: Time.nullable().describe("When it ends by itself; null for never."),
});

const FeedbackEntry = z.strictObject({
  id: Id,
  teamId: Id,
  keyId: Id.nullable(),
  jobId: Id,
  content: FeedbackRequest.omit({ jobId: true, origin: true, integration: true }),
  createdAt: Time,
});

const MadeKey = z.strictObject({
  success: Success,
  keyId: Id,
  apiKey: z.string().describe("Told this once."),
});

function pageOf<Entry extends z.ZodType>(entry: Entry) {
  return z.strictObject({ success: Success, data: z.array(entry), cursor: Cursor });
}

/** What the operator is told. */
export const operatorAnswers = {
  MadeTeam: MadeKey.extend({ teamId: Id }),
  MadeKey,
  Team: z.strictObject({ success: Success, data: Team }),
  Teams: pageOf(Team),
  Remaining: z.strictObject({ success: Success, remainingCredits: Count }),
  Ledger: pageOf(Movement),
  Keys: pageOf(Key),
  Requests: RequestsAnswer,
  FeedbackEntries: pageOf(FeedbackEntry),
  Status: z.strictObject({
    success: Success,
    uptimeSeconds: Count,
    fetching: Count,
    waiting: Count,
    memoryBytes: Count,
    eventLoopLagMs: Count,
    overloaded: z.string().nullable().describe("Why requests are turned away; null when they are not."),
  }),
};
