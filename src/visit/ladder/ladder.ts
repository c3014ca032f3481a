import type { Proxy } from "../../platform/net/proxies.ts";
import { ProxyHealth } from "../../platform/net/proxy-health.ts";
import type { Attempt, Engine, Refusal } from "../engine.ts";
import type { Visit } from "../visit.ts";
import { byCost, firstEngine, nextEngine, warmUpNext } from "./choose-engine.ts";
import { isBlocked, laterTier, tiersOf } from "./enhanced-tier.ts";
import { HostMemory } from "./host-memory.ts";
import { isRefused, judge } from "./judge.ts";
import { type CountText, hasLostText } from "./lost-text.ts";
import { learnFromGuess, needOf } from "./needs.ts";
import { type Acquired, type Outcome, settle } from "./outcome.ts";
import { throughOtherProxy, throughProxy } from "./proxy-retry.ts";
import { answering, MAXIMUM_REFRESHES, refreshed } from "./refresh.ts";
import { handOver, withOwnBody } from "./take-over.ts";

/** Gets pages, by the cheapest way that brings what is asked for. */
export interface Ladder {
  /**
   * @throws ServiceError with the refusal when no way brings the page back.
   * @throws the signal's reason, once `signal` is aborted.
   */
  acquire(visit: Visit, signal: AbortSignal): Promise<Acquired>;
  /** Whether visits may have to wait until an engine has started. */
  readonly isStarting: boolean;
  /** Looks in the background for what engines need, so that the first visit does not wait for the search. */
  prepare(): void;
}

interface LadderParts {
  readonly engines: readonly Engine[];
  readonly proxies: readonly Proxy[];
  readonly countText: CountText;
}

export function openLadder({ engines, proxies, countText }: LadderParts): Ladder {
  const rungs = byCost(engines);
  const hosts = new HostMemory();
  const proxyHealth = new ProxyHealth(proxies);

  /** The cheapest engine first, then others that bring what is missing in what came. */
  async function climb(attempt: Attempt, signal: AbortSignal): Promise<Outcome> {
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
    for (let refreshes = 0; refreshes < MAXIMUM_REFRESHES; refreshes += 1) {
      const onward = refreshed(attempt, result);
      const arrived = onward && (await judge(first, await first.visit(onward, signal)));
      if (!arrived || isRefused(arrived)) break;
      result = answering(attempt, arrived);
    }
    // What keeps one engine from a site keeps the others from it, too.
    while (!isRefused(result)) {
      const need = needOf(result, visit, hosts);
      if (!need) break;
      const others = rungs.filter((engine) => !tried.includes(engine));
      const engine = await nextEngine(others, need, visit, signal);
      if (!engine) return need.isAsked && failure ? end(failure) : end(result, false);
      tried.push(engine);
      const next = await judge(engine, await engine.visit(handOver(attempt, result), signal));
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

  return {
    async acquire(visit, signal) {
      let outcome: Outcome | undefined;
      for (const tier of tiersOf(visit, hosts)) {
        const attempt = throughProxy({ visit, tier }, proxyHealth);
        let latest = isRefused(attempt) ? nothing(attempt) : await climb(attempt, signal);
        const other = isRefused(attempt) ? undefined : throughOtherProxy(attempt, latest, proxyHealth);
        if (other) latest = await climb(other, signal);
        outcome = laterTier(outcome, latest, visit, hosts);
        if (!isBlocked(latest)) break;
      }
      return settle(outcome ?? nothing(NO_ENGINE), visit);
    },
    get isStarting() {
      return rungs.some((engine) => engine.isStarting === true);
    },
    prepare() {
      const { signal } = new AbortController();
      // What goes wrong is told to the first who asks.
      for (const engine of rungs) engine.isAvailable(signal).catch(() => undefined);
    },
  };
}

const NO_ENGINE: Refusal = {
  code: "SCRAPE_ALL_ENGINES_FAILED",
  message: "No engine is available.",
};

function nothing(refusal: Refusal): Outcome {
  return { result: refusal, tried: [], isWhole: true };
}
