import { ProxyHealth } from "../../platform/net/proxy-health.ts";
import type { Proxy } from "../../platform/net/proxies.ts";
import type { Engine } from "../engine.ts";
import type { Visit } from "../visit.ts";
import { byCost } from "./choose-engine.ts";
import { climb } from "./climb.ts";
import { isBlocked, laterTier, tiersOf } from "./enhanced-tier.ts";
import { HostMemory } from "./host-memory.ts";
import { isRefused } from "./judge.ts";
import type { CountText } from "./lost-text.ts";
import { type Acquired, NO_ENGINE, nothing, type Outcome, settle } from "./outcome.ts";
import { throughOtherProxy, throughProxy } from "./proxy-retry.ts";

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
  /** Those of the moment: the operator may change them. */
  readonly proxies: () => readonly Proxy[];
  /** Called with whether a proxy that was used has connected. */
  readonly onProxy?: ((proxy: Proxy, works: boolean) => void) | undefined;
  readonly countText: CountText;
}

export function openLadder({ engines, proxies, onProxy, countText }: LadderParts): Ladder {
  const rungs = byCost(engines);
  const hosts = new HostMemory();
  const parts = { rungs, hosts, countText };
  const proxyHealth = new ProxyHealth(proxies, { onUse: onProxy });

  return {
    async acquire(visit, signal) {
      let outcome: Outcome | undefined;
      for (const tier of tiersOf(visit, hosts)) {
        const attempt = throughProxy({ visit, tier }, proxyHealth);
        let latest = isRefused(attempt) ? nothing(attempt) : await climb(attempt, parts, signal);
        const other = isRefused(attempt) ? undefined : throughOtherProxy(attempt, latest, proxyHealth);
        if (other) latest = await climb(other, parts, signal);
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
      // A failure is reported by the first visit that needs the engine.
      for (const engine of rungs) engine.isAvailable(signal).catch(() => undefined);
    },
  };
}
