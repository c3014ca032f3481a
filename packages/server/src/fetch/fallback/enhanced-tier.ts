import type { Tier } from "../engine.ts";
import type { Visit } from "../visit.ts";
import type { HostMemory } from "./host-memory.ts";
import { isRefused } from "./judge.ts";
import type { Outcome } from "./outcome.ts";

/**
 * Tiers of a visit in the order of the attempts. The next one is tried when the site blocks the one before
 * (contract, section 3.21). Hosts that accept only the enhanced tier are remembered.
 */
export function tiersOf({ url, proxy }: Visit, hosts: HostMemory): readonly Tier[] {
  if (proxy !== "auto") return [proxy];
  return hosts.recall(url).needsEnhanced ? ["enhanced"] : ["basic", "enhanced"];
}

/** Whether the site refused access. */
export function isBlocked({ result }: Outcome): boolean {
  return !isRefused(result) && result.isBlocked;
}

/**
 * Chooses between the outcomes of two tiers: the later one, unless it failed. Remembers hosts that need it.
 */
export function laterTier(
  before: Outcome | undefined,
  after: Outcome,
  { url }: Visit,
  hosts: HostMemory,
): Outcome {
  if (!before) return after;
  if (isRefused(after.result)) return before;
  if (!isBlocked(after)) hosts.learn(url, { needsEnhanced: true });
  return after;
}
