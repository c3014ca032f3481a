import { z } from "zod";

import type { AuditLog } from "./audit.ts";
import type { Callers } from "./callers.ts";
import { readThreatPolicy, saveThreatPolicy, type SetPolicy } from "./threat-policy.ts";
import { ThreatPolicy, ThreatPolicyRequest } from "../api/threat-policy.ts";
import { DAY, success, threatPolicy } from "../api/example-values.ts";
import { defineShape } from "../api/operation-shape.ts";
import { Success, Time } from "../api/operator-fields.ts";
import { defineOperation } from "../api/operation.ts";
import type { Database } from "../storage/database/database.ts";
import { refuseThreatProtection } from "../scrape/request/permissions.ts";

interface PolicyServices {
  readonly database: Database;
  readonly callers: Callers;
  readonly audit: AuditLog;
}

const answer = defineShape(
  "ThreatPolicy",
  () =>
    z.strictObject({
      success: Success,
      data: ThreatPolicy.extend({ configured: z.boolean(), updatedAt: Time.nullable() }),
    }),
  { success, data: { ...threatPolicy, configured: true, updatedAt: DAY } },
);

const read = defineOperation({
  line: "GET /v2/team/threat-protection",
  tag: "Account",
  summary: "Read the threat policy of the team",
  answer,
  permit: ({ caller }) => refuseThreatProtection(caller.team),
  async handle({ caller }, { database }: PolicyServices) {
    return show(await readThreatPolicy(database, caller.teamId));
  },
});

const change = defineOperation({
  line: "PUT /v2/team/threat-protection",
  tag: "Account",
  summary: "Set the threat policy of the team",
  description:
    "Replaces the team's policy for every later request. A mode that asks a classifier needs THREATS_URL.",
  body: defineShape("ThreatPolicyRequest", ThreatPolicyRequest, {
    mode: "manual-only",
    blacklist: ["bad.example"],
  }),
  answer,
  permit: ({ caller }) => refuseThreatProtection(caller.team),
  async handle({ caller, body }, { database, callers, audit }: PolicyServices) {
    const { teamId, keyId } = caller;
    const { origin: _origin, integration: _integration, ...policy } = body;
    const saved = await saveThreatPolicy(database, teamId, policy);
    callers.forget();
    await audit.write({ kind: "threatPolicy.changed", teamId, keyId, details: { threatPolicy: policy } });
    return show(saved);
  },
});

/** Operations on the team's threat policy (contract, section 6.1). */
export const threatProtection = [read, change];

function show({ policy, updatedAtMs }: SetPolicy) {
  const updatedAt = updatedAtMs === null ? null : new Date(updatedAtMs).toISOString();
  return { success: true as const, data: { ...policy, configured: updatedAt !== null, updatedAt } };
}
