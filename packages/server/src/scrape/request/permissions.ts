import type { Caller } from "../../accounts/callers.ts";
import type { Team } from "../../accounts/teams.ts";
import { mayRead } from "../../api/key-restrictions.ts";
import type { ThreatProtection } from "../../api/threat-policy.ts";
import { ForbiddenError } from "../../api/errors.ts";
import { actionNamed } from "../../fetch/actions/requested-action.ts";
import type { ScrapeRequest } from "./schema.ts";
import { refuseRetention } from "./retention.ts";

/** @throws ForbiddenError when the caller may not ask for this (in the order of contract section 4.1). */
export function checkPermissions(request: ScrapeRequest, caller: Caller): void {
  refuseRetention(request, caller.team);
  if (request.threatProtection) refuseOverride(request.threatProtection, caller.team);
  refuseFormats(request, caller);
}

/** @throws ForbiddenError when the team may not use threat protection. */
export function refuseThreatProtection({ flags }: Team): void {
  if (flags.threatProtection !== false) return;
  throw new ForbiddenError(
    "Threat protection is an enterprise feature and is not enabled for your team. The operator of this service can enable it.",
  );
}

/** Contract, section 3.28. */
function refuseOverride({ mode }: ThreatProtection, team: Team): void {
  refuseThreatProtection(team);
  const { threatPolicy } = team;
  if (!threatPolicy.allowRequestOverrides) {
    throw new ForbiddenError(
      "Per-request threat protection overrides are disabled by your organization's threat protection configuration.",
    );
  }
  if (mode === "off" && threatPolicy.mode !== "off") {
    throw new ForbiddenError(
      "Threat protection is enforced for your team and cannot be disabled per-request. Leave mode out.",
    );
  }
  if (mode === "zscaler") {
    throw new ForbiddenError("No zscaler connection is configured. Use the mode normal or manual-only.");
  }
}

function refuseFormats({ formats, actions }: ScrapeRequest, { restrictions }: Caller): void {
  const { formats: allowed } = restrictions;
  if (!allowed) return;
  // Actions with results count like formats.
  const outputs = actions.filter(({ type }) => actionNamed(type).leaves !== undefined);
  const wanted = new Set([...formats, ...outputs].map(({ type }) => type));
  const refused = [...wanted].filter((type) => !mayRead(restrictions, type));
  if (refused.length === 0) return;
  throw new ForbiddenError(
    `Request blocked: this API key is restricted to the following formats: ${allowed.join(", ")}. Requested formats not allowed: ${refused.join(", ")}.`,
  );
}
