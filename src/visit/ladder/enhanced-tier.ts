import type { Tier } from "../engine.ts";
import type { Visit } from "../visit.ts";
import type { HostMemory } from "./host-memory.ts";
import { isRefused } from "./judge.ts";
import type { Outcome } from "./outcome.ts";

/**
 * Makes a visit on the basic tier, then on the enhanced one if the site blocks it and the caller does not mind
 * (contract, section 3.21). Hosts that let only the enhanced tier in are remembered.
 */
export async function tryByTier(
  { url, proxy }: Visit,
  hosts: HostMemory,
  acquire: (tier: Tier) => Promise<Outcome>,
): Promise<Outcome> {
  if (proxy !== "auto") return acquire(proxy);
  if (hosts.recall(url).needsEnhanced) return acquire("enhanced");
  const first = await acquire("basic");
  if (!isBlocked(first)) return first;
  const second = await acquire("enhanced");
  if (isRefused(second.result)) return first;
  if (!isBlocked(second)) hosts.learn(url, { needsEnhanced: true });
  return second;
}

function isBlocked({ result }: Outcome): boolean {
  return !isRefused(result) && result.isBlocked;
}
