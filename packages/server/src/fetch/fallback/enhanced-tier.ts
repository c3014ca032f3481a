import type { Tier } from "../engine.ts";
import type { Visit } from "../visit.ts";
import type { HostMemory } from "./host-memory.ts";
import { isRefused } from "./judge.ts";
import type { Outcome } from "./outcome.ts";

/**
 * The tiers of a visit in the order in which they are tried, each because the site blocks the one before (contract,
 * section 3.21). Hosts that let only the enhanced one in are remembered.
 */
export function tiersOf({ url, proxy }: Visit, hosts: HostMemory): readonly Tier[] {
  if (proxy !== "auto") return [proxy];
  return hosts.recall(url).needsEnhanced ? ["enhanced"] : ["basic", "enhanced"];
}

/** Whether the site did not let us in. */
export function isBlocked({ result }: Outcome): boolean {
  return !isRefused(result) && result.isBlocked;
}

/** The outcome that counts of two tiers: the later one, unless it failed. Hosts that need the later one are remembered. */
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
