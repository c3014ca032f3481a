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
  const { needsEnhanced, keepsOut } = hosts.recall(url);
  if (needsEnhanced) return ["enhanced"];
  return keepsOut ? ["basic"] : ["basic", "enhanced"];
}

/** Whether the site refused access. */
export function isBlocked({ result }: Outcome): boolean {
  return !isRefused(result) && result.isBlocked;
}

/**
 * Chooses between the outcomes of two tiers: the later one, unless it failed. Remembers hosts that need it,
 * but not for a limit of their rate, which passes by itself.
 */
export function laterTier(
  before: Outcome | undefined,
  after: Outcome,
  { url }: Visit,
  hosts: HostMemory,
): Outcome {
  if (!before) return after;
  if (isRefused(after.result)) return before;
  const isRateLimit = !isRefused(before.result) && before.result.capture.statusCode === TOO_MANY_REQUESTS;
  if (!isBlocked(after) && !isRateLimit) hosts.learn(url, { needsEnhanced: true });
  return after;
}

const TOO_MANY_REQUESTS = 429;

/** Whether the next tier waits for challenges: once per visit, and not where that was in vain lately. */
export function isPatient(before: Outcome | undefined, { url }: Visit, hosts: HostMemory): boolean {
  return !hosts.recall(url).keepsOut && (before === undefined || !isChallenge(before));
}

/** Remembers whether the host's challenge was in the way. */
export function learnFromEnd(end: Outcome, { url }: Visit, hosts: HostMemory): void {
  const keepsOut = isChallenge(end);
  if (keepsOut || hosts.recall(url).keepsOut) hosts.learn(url, { keepsOut });
}

function isChallenge({ result }: Outcome): boolean {
  return !isRefused(result) && result.blocked?.kind === "challenge";
}
