import { NotFoundError } from "../api/errors.ts";
import { ThreatPolicy, type ThreatProtection } from "../api/threat-policy.ts";
import type { Database, Statements } from "../storage/database/database.ts";
import { canonicalHost, HostList } from "../net/guard/host-list.ts";

/** The policy of a team that has set none. */
export const NO_POLICY: ThreatPolicy = ThreatPolicy.parse({ mode: "off" });

export interface SetPolicy {
  readonly policy: ThreatPolicy;
  /** Null when the team has set no policy. */
  readonly updatedAtMs: number | null;
}

export async function readThreatPolicy(database: Database, teamId: string): Promise<SetPolicy> {
  const row = await database
    .prepared<{ policy: string | null; updatedAtMs: number | null }>(
      `SELECT threat_policy AS "policy", threat_policy_updated_at AS "updatedAtMs" FROM teams WHERE id = ?`,
    )
    .get(teamId);
  if (!row?.policy) return { policy: NO_POLICY, updatedAtMs: null };
  return { policy: ThreatPolicy.parse(JSON.parse(row.policy)), updatedAtMs: row.updatedAtMs };
}

/** @param policy null removes the team's policy. @throws NotFoundError when the team does not exist. */
export async function saveThreatPolicy(
  statements: Statements,
  teamId: string,
  policy: ThreatPolicy | null,
): Promise<SetPolicy> {
  const updatedAtMs = policy && Date.now();
  const changed = await statements
    .prepared(
      "UPDATE teams SET threat_policy = ?, threat_policy_updated_at = ? WHERE id = ? AND deleted_at IS NULL",
    )
    .run(policy && JSON.stringify(policy), updatedAtMs, teamId);
  if (changed === 0) throw new NotFoundError("Team not found.");
  return { policy: policy ?? NO_POLICY, updatedAtMs };
}

/** The policy for a request; undefined when there is nothing to check. */
export function effectivePolicy(
  policy: ThreatPolicy,
  override: ThreatProtection | undefined,
): ThreatPolicy | undefined {
  if (!override) return policy.mode === "off" ? undefined : policy;
  const given = Object.entries(override).filter(([, value]) => value !== undefined);
  const merged = { ...policy, ...(Object.fromEntries(given) as Partial<ThreatPolicy>) };
  // A request that lists domains wants them checked, even when the team's policy is off.
  const mode = override.mode === undefined && policy.mode === "off" ? "manual-only" : merged.mode;
  return mode === "off" ? undefined : { ...merged, mode };
}

/** Decides by the lists alone (contract, section 3.28: whitelist, blacklist, top-level domains). */
export function judgeByLists(
  policy: ThreatPolicy,
  url: string,
): "allowed" | "blacklist" | "blocked_tld" | "unlisted" {
  const host = canonicalHost(new URL(url));
  if (listOf(policy.whitelist).has(host)) return "allowed";
  if (listOf(policy.blacklist).has(host)) return "blacklist";
  if (policy.blockedTlds.some((label) => host.endsWith(`.${label}`))) return "blocked_tld";
  return "unlisted";
}

export function isBlockedByLists(policy: ThreatPolicy, url: string): boolean {
  return ["blacklist", "blocked_tld"].includes(judgeByLists(policy, url));
}

/** Lists of teams are used often, so their compiled form is cached. */
const lists = new WeakMap<readonly string[], HostList>();

function listOf(entries: readonly string[]): HostList {
  const known = lists.get(entries);
  if (known) return known;
  const list = new HostList(entries);
  lists.set(entries, list);
  return list;
}
