import { type Attempt, type Engine, lacksOf, SCRIPTS } from "../engine.ts";
import type { Visit } from "../visit.ts";
import type { Need } from "./needs.ts";

/** Sorts engines from the cheapest on. */
export function byCost(engines: readonly Engine[]): readonly Engine[] {
  return [...engines].sort((one, other) => one.cost - other.cost);
}

/**
 * The cheapest engine that does all that is asked for, so that one and the same visitor makes all requests of the visit.
 * Without one, the cheapest.
 */
export async function firstEngine(
  engines: readonly Engine[],
  { visit, tier }: Attempt,
  signal: AbortSignal,
): Promise<Engine | undefined> {
  const wanted = tier === "enhanced" ? [...visit.browserFeatures, SCRIPTS] : visit.browserFeatures;
  const able = engines.filter((engine) => lacksOf(engine, wanted).length === 0);
  return (await firstAvailable(able, signal)) ?? (await firstAvailable(engines, signal));
}

/** Warms up the engine that the visit will need next. */
export function warmUpNext(engines: readonly Engine[], first: Engine, { browserFeatures }: Visit): void {
  const [next] = offering(engines, lacksOf(first, browserFeatures));
  next?.warmUp?.();
}

/** Next engine that provides what is missing, if that is worth its cost. */
export async function nextEngine(
  engines: readonly Engine[],
  { capabilities, isAsked }: Need,
  { prefersHttp }: Visit,
  signal: AbortSignal,
): Promise<Engine | undefined> {
  if (prefersHttp && !isAsked) return undefined;
  return firstAvailable(offering(engines, capabilities), signal);
}

/** Engines that offer some of the capabilities: first those that offer the most, then the cheapest. */
function offering(engines: readonly Engine[], capabilities: readonly string[]): readonly Engine[] {
  const lacking = (engine: Engine) => lacksOf(engine, capabilities).length;
  return engines
    .filter((engine) => lacking(engine) < capabilities.length)
    .sort((one, other) => lacking(one) - lacking(other));
}

async function firstAvailable(engines: readonly Engine[], signal: AbortSignal): Promise<Engine | undefined> {
  for (const engine of engines) {
    if (await engine.isAvailable(signal)) return engine;
  }
  return undefined;
}
