import type { Attempt, Engine, Refusal } from "../engine.ts";
import { firstEngine, nextEngine, warmUpNext } from "./choose-engine.ts";
import type { HostMemory } from "./host-memory.ts";
import { isRefused, judge } from "./judge.ts";
import { type CountText, hasLostText } from "./lost-text.ts";
import { learnFromGuess, needOf } from "./needs.ts";
import { NO_ENGINE, nothing, type Outcome } from "./outcome.ts";
import { answering, MAX_REFRESHES, refreshed } from "./refresh.ts";
import { nextAttempt, withOwnBody } from "./take-over.ts";

interface ClimbParts {
  /** The cheapest first. */
  readonly rungs: readonly Engine[];
  readonly hosts: HostMemory;
  readonly countText: CountText;
}

/** The cheapest engine first, then others that bring what is missing in what came. */
export async function climb(
  attempt: Attempt,
  { rungs, hosts, countText }: ClimbParts,
  signal: AbortSignal,
): Promise<Outcome> {
  const { visit } = attempt;
  const first = await firstEngine(rungs, visit, signal);
  if (!first) return nothing(NO_ENGINE);
  warmUpNext(rungs, first, visit);
  const tried = [first];
  const end = (result: Outcome["result"], isWhole = true): Outcome => ({
    result,
    tried: tried.map(({ name }) => name),
    isWhole,
  });
  let failure: Refusal | undefined;
  let result = await judge(first, await first.visit(attempt, signal));
  for (let refreshes = 0; refreshes < MAX_REFRESHES && !isRefused(result); refreshes += 1) {
    const onward = refreshed(attempt, result);
    const arrived = onward && (await judge(first, await first.visit(onward, signal)));
    if (!arrived || isRefused(arrived)) break;
    result = answering(result, arrived);
  }
  // A refusal by the first engine (name, connection, certificate) would be the same with any other.
  while (!isRefused(result)) {
    const need = needOf(result, visit, hosts);
    if (!need) break;
    const others = rungs.filter((engine) => !tried.includes(engine));
    const engine = await nextEngine(others, need, visit, signal);
    if (!engine) return need.isAsked && failure ? end(failure) : end(result, false);
    tried.push(engine);
    const next = await judge(engine, await engine.visit(nextAttempt(attempt, result), signal));
    if (isRefused(next)) {
      failure = next;
      continue;
    }
    if (need.isGuess) learnFromGuess(result, next, hosts);
    if (!need.isAsked && (await hasLostText(result, next, countText, signal))) break;
    result = withOwnBody(result, next);
  }
  return end(result);
}
