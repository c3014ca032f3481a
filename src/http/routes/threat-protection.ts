import type { FastifyInstance } from "fastify";

import type { Callers } from "../../accounts/callers.ts";
import {
  readThreatPolicy,
  saveThreatPolicy,
  type SetPolicy,
  ThreatPolicy,
} from "../../accounts/threat-policy.ts";
import type { Database } from "../../platform/database/database.ts";
import { refuseThreatProtection } from "../../scrape/permissions.ts";

/** The team's threat policy (contract, section 6.1). */
export function addThreatProtectionRoutes(
  app: FastifyInstance,
  { database, callers }: { readonly database: Database; readonly callers: Callers },
): void {
  app.get("/v2/team/threat-protection", async ({ caller }) => {
    refuseThreatProtection(caller.team);
    return show(await readThreatPolicy(database, caller.teamId));
  });

  app.put("/v2/team/threat-protection", async ({ caller, body }) => {
    refuseThreatProtection(caller.team);
    // The official client puts its name into every body.
    const { origin: _origin, ...fields } = body as Readonly<Record<string, unknown>>;
    const saved = await saveThreatPolicy(database, caller.teamId, ThreatPolicy.parse(fields));
    callers.forget();
    return show(saved);
  });
}

function show({ policy, updatedAtMs }: SetPolicy) {
  const updatedAt = updatedAtMs === null ? null : new Date(updatedAtMs).toISOString();
  return { success: true, data: { ...policy, configured: updatedAt !== null, updatedAt } };
}
