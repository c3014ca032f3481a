import { type Engine, lacksOf } from "../engine.ts";
import type { Visit } from "../visit.ts";
import type { Need } from "./needs.ts";

/** Features that change what a server sends: a page fetched without them is a different page. */
const SHAPES_ANSWERS: ReadonlySet<string> = new Set(["mobile", "profile"]);

/** The cheapest first. */
export function byCost(engines: readonly Engine[]): readonly Engine[] {
  return [...engines].sort((one, other) => one.cost - other.cost);
}

/** The cheapest engine that answers can be shaped with as the visit wants; without one, the cheapest. */
export async function firstEngine(
  engines: readonly Engine[],
  { browserFeatures }: Visit,
  signal: AbortSignal,
): Promise<Engine | undefined> {
  const wanted = browserFeatures.filter((name) => SHAPES_ANSWERS.has(name));
  const able = engines.filter((engine) => lacksOf(engine, wanted).length === 0);
  return (await firstAvailable(able, signal)) ?? (await firstAvailable(engines, signal));
}

/** Has the engine get ready that the visit is going to need after this one. */
export function warmUpNext(engines: readonly Engine[], first: Engine, { browserFeatures }: Visit): void {
  const [next] = offering(engines, lacksOf(first, browserFeatures));
  next?.warmUp?.();
}

/** The next engine that brings what is missing, if that is worth its cost. */
export async function nextEngine(
  engines: readonly Engine[],
  { capabilities, isAsked }: Need,
  { prefersHttp }: Visit,
  signal: AbortSignal,
): Promise<Engine | undefined> {
  if (prefersHttp && !isAsked) return undefined;
  return firstAvailable(offering(engines, capabilities), signal);
}

/** Engines that offer some of this: those that offer the most of it first, then the cheapest. */
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
