import { setTimeout as sleep } from "node:timers/promises";

import type { Capture } from "../capture.ts";
import { type Attempt, type Engine, lacksOf, type Refusal } from "../engine.ts";
import type { Visit } from "../visit.ts";
import { firstEngine, nextEngine, warmUpNext } from "./choose-engine.ts";
import type { HostMemory } from "./host-memory.ts";
import { isRefused, judge } from "./judge.ts";
import { type CountText, hasLostText } from "./lost-text.ts";
import { askedFor, learnFromGuess, needOf } from "./needs.ts";
import { NO_ENGINE, nothing, type Outcome } from "./outcome.ts";
import { answering, MAX_REFRESHES, refreshed } from "./refresh.ts";
import { withOwnBody } from "./take-over.ts";

interface EngineChoices {
  /** From the cheapest on. */
  readonly rungs: readonly Engine[];
  readonly hosts: HostMemory;
  readonly countText: CountText;
}

/** Tries the cheapest engine first, then others that provide what the result lacks. */
export async function tryEngines(
  attempt: Attempt,
  { rungs, hosts, countText }: EngineChoices,
  signal: AbortSignal,
): Promise<Outcome> {
  const { visit } = attempt;
  const first = await firstEngine(rungs, attempt, signal);
  if (!first) return nothing(NO_ENGINE);
  warmUpNext(rungs, first, visit);
  const tried = [first];
  const end = (result: Outcome["result"], isWhole = true): Outcome => ({
    result: isRefused(result) || !climbed ? result : { ...result, capture: { ...result.capture, climbed } },
    tried: tried.map(({ name }) => name),
    isWhole,
  });
  let failure: Refusal | undefined;
  let climbed = climbedPast(rungs, first, visit);
  let result = await judge(first, await first.visit(attempt, signal));
  const pauseMs = visit.isOfJob ? undefined : pauseAskedBy(result);
  if (pauseMs !== undefined) {
    await sleep(pauseMs, undefined, { signal });
    result = await judge(first, await first.visit(attempt, signal));
  }
  for (let refreshes = 0; refreshes < MAX_REFRESHES && !isRefused(result); refreshes += 1) {
    const onward = refreshed(attempt, result);
    const arrived = onward && (await judge(first, await first.visit(onward, signal)));
    if (!arrived || isRefused(arrived)) break;
    result = answering(result, arrived);
  }
  // A refusal by the first engine (name, connection, certificate) would be the same with any other.
  while (!isRefused(result) && !result.asksForPause) {
    const need = needOf(result, visit, hosts);
    if (!need) break;
    const others = rungs.filter((engine) => !tried.includes(engine));
    const engine = await nextEngine(others, need, visit, signal);
    if (!engine) return need.isAsked && failure ? end(failure) : end(result, false);
    tried.push(engine);
    // It asks for the page itself, so that all of its requests are those of one visitor.
    const next = await judge(engine, await engine.visit(attempt, signal));
    if (isRefused(next)) {
      failure = next;
      continue;
    }
    if (need.isGuess) learnFromGuess(result, next, hosts);
    if (!need.isAsked && (await hasLostText(result, next, countText, signal))) break;
    climbed ??= climbedFrom(tried, need.because);
    result = withOwnBody(result, next);
  }
  return end(result);
}

/** Longest pause within a visit, in seconds. */
const MAX_PAUSE_SECONDS = 5;

/** Milliseconds that a host with too many requests asks to wait, if that is short enough. */
function pauseAskedBy(result: Outcome["result"]): number | undefined {
  if (isRefused(result) || result.capture.statusCode !== 429) return undefined;
  const after = result.capture.headers["retry-after"] ?? "";
  return /^\d{1,2}$/.test(after) && Number(after) <= MAX_PAUSE_SECONDS ? Number(after) * 1000 : undefined;
}

/** Reason for skipping the cheapest engine: the request changes what servers send. */
function climbedPast([cheapest]: readonly Engine[], first: Engine, { browserFeatures }: Visit) {
  const lacks = cheapest === undefined || cheapest === first ? [] : lacksOf(cheapest, browserFeatures);
  return lacks.length === 0 || !cheapest ? undefined : climbedFrom([cheapest], askedFor(lacks));
}

/** Explains why the first of these engines was not enough. */
function climbedFrom([first]: readonly Engine[], because: string): Capture["climbed"] {
  return first && { from: first.name, because };
}
