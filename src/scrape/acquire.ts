import { ServiceError } from "../contract/errors.ts";
import type { Capture } from "./capture.ts";
import { type Engine, isRefusal } from "./engine.ts";
import type { Visit } from "./visit.ts";

/**
 * Climbs the ladder of engines, cheapest first, until one brings the page back.
 * @throws ServiceError with the last engine's refusal.
 * @throws the signal's reason, once `signal` is aborted.
 */
export async function acquire(
  visit: Visit,
  engines: readonly Engine[],
  signal: AbortSignal,
): Promise<Capture> {
  let refusal = new ServiceError("SCRAPE_ALL_ENGINES_FAILED");
  for (const engine of [...engines].sort((a, b) => a.cost - b.cost)) {
    signal.throwIfAborted();
    const outcome = await engine.capture(visit, signal);
    if (!isRefusal(outcome)) return outcome;
    refusal = new ServiceError(outcome.code, { message: outcome.message, cause: outcome.cause });
  }
  throw refusal;
}
