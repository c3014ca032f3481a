import type { FastifyInstance } from "fastify";

import type { AuditLog } from "../../accounts/audit.ts";
import type { Callers } from "../../accounts/callers.ts";
import {
  readThreatPolicy,
  saveThreatPolicy,
  type SetPolicy,
  ThreatPolicyRequest,
} from "../../accounts/threat-policy.ts";
import type { Database } from "../../platform/database/database.ts";
import { refuseThreatProtection } from "../../scrape/request/permissions.ts";

interface ThreatProtectionRoutes {
  readonly database: Database;
  readonly callers: Callers;
  readonly audit: AuditLog;
}

/** The team's threat policy (contract, section 6.1). */
export function addThreatProtectionRoutes(
  app: FastifyInstance,
  { database, callers, audit }: ThreatProtectionRoutes,
): void {
  app.get("/v2/team/threat-protection", async ({ caller }) => {
    refuseThreatProtection(caller.team);
    return show(await readThreatPolicy(database, caller.teamId));
  });

  app.put("/v2/team/threat-protection", async ({ caller, body }) => {
    refuseThreatProtection(caller.team);
    const { teamId, keyId } = caller;
    const { origin: _origin, ...policy } = ThreatPolicyRequest.parse(body);
    const saved = await saveThreatPolicy(database, teamId, policy);
    callers.forget();
    await audit.write({ kind: "threatPolicy.changed", teamId, keyId, details: { threatPolicy: policy } });
    return show(saved);
  });
}

function show({ policy, updatedAtMs }: SetPolicy) {
  const updatedAt = updatedAtMs === null ? null : new Date(updatedAtMs).toISOString();
  return { success: true, data: { ...policy, configured: updatedAt !== null, updatedAt } };
}
