import { z } from "zod";

import { type Endpoints, keyRestrictionsFor } from "../../api/key-restrictions.ts";
import { Allowance, TeamFlags, TeamLimits } from "../../api/teams.ts";
import { ThreatPolicy } from "../../api/threat-policy.ts";

const Name = z.string().min(1).max(200);
const Credits = z.int().min(0).max(1_000_000_000_000);
const Limit = z.coerce.number().int().min(1);
const Cursor = z.string().max(200);

/** Bodies and queries of the operator's interface, for its routes and its descriptions. */
export const NewTeam = z.strictObject({
  name: Name,
  credits: Credits.optional().describe(
    "Prepaid credits. Default: unlimited without credits and an allowance.",
  ),
  allowance: Allowance.optional(),
  flags: TeamFlags.optional(),
  limits: TeamLimits.optional(),
  threatPolicy: ThreatPolicy.optional(),
});

/** What is left out stays as it is. */
export const TeamPatch = z.strictObject({
  name: Name.optional(),
  allowance: Allowance.nullable()
    .optional()
    .describe("Null ends the allowance. Credits already granted stay."),
  isLimited: z.literal(false).optional().describe("Unlimited credits."),
  flags: TeamFlags.optional(),
  limits: TeamLimits.optional(),
  threatPolicy: ThreatPolicy.nullable().optional().describe("Null removes the limit."),
});

export const TopUp = z.strictObject({ add: Credits.min(1) });

/** A key, or changes of one: restrictions replace all that it had. */
export function newKeyFor(endpoints: Endpoints) {
  return z.strictObject({ name: Name.optional(), restrictions: keyRestrictionsFor(endpoints).optional() });
}

export const KeyRotation = z.strictObject({
  graceHours: z
    .int()
    .min(0)
    .max(168)
    .default(24)
    .describe("How long the old text of the key still works. 0 ends it at once."),
});

export const LedgerQuery = z.object({ limit: Limit.max(1000).default(100), cursor: Cursor.optional() });

/** Of teams and of keys. */
export const ListQuery = z.object({ limit: Limit.max(1000).default(1000), cursor: Cursor.optional() });

export const FeedbackQuery = z.object({
  team: z.string().max(100).optional(),
  limit: Limit.max(1000).default(100),
  cursor: Cursor.optional(),
});

export const AuditQuery = z.object({
  team: z.string().max(100).optional(),
  limit: Limit.max(10_000).default(1000),
  cursor: Cursor.optional(),
});
