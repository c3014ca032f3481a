import { ServiceError } from "../../api/errors.ts";
import { PartAway } from "@pergamon-dev/kit/process/own-failure";
import { NetworkError, type NetworkErrorKind } from "@pergamon-dev/kit/network-error";
import { Outages } from "../../net/outages.ts";
import { ProxyHealth } from "../../net/proxy-health.ts";
import type { Proxy } from "../../net/proxies.ts";
import type { Attempt, Engine, Refusal } from "../engine.ts";
import type { Visit } from "../visit.ts";
import { byCost } from "./choose-engine.ts";
import { tryEngines } from "./try-engines.ts";
import { isBlocked, isPatient, laterTier, learnFromEnd, tiersOf } from "./enhanced-tier.ts";
import { HostMemory } from "./host-memory.ts";
import { isRefused } from "./judge.ts";
import type { CountText } from "./lost-text.ts";
import { type Acquired, NO_ENGINE, nothing, type Outcome, settle } from "./outcome.ts";
import { throughOtherProxy, throughProxy } from "./proxy-retry.ts";

/** Gets pages by the cheapest sufficient engine. */
export interface Fallback {
  /**
   * @throws ServiceError with the refusal when no engine returns the page; PartAway when this machine had no
   * network.
   * @throws the signal's reason, once `signal` is aborted.
   */
  acquire(visit: Visit, signal: AbortSignal): Promise<Acquired>;
  /** Whether visits may have to wait until an engine has started. */
  readonly isStarting: boolean;
  /**
   * Explains a failure of a visit that began at `sinceMs`. Reports a network outage of this machine when that
   * may be the cause.
   */
  explain(failure: unknown, url: string, sinceMs: number): unknown;
  /**
   * Searches in the background for programs of engines, so that the first visit does not wait for the search.
   */
  prepare(): void;
}

interface LadderParts {
  readonly engines: readonly Engine[];
  /** Returns the current proxies. The operator may change them. */
  readonly proxies: () => readonly Proxy[];
  /** Called with whether a proxy has connected. */
  readonly onProxy?: ((proxy: Proxy, works: boolean) => void) | undefined;
  readonly countText: CountText;
  readonly outages?: Outages;
}

/** Errors without a response from the host. */
const UNHEARD: ReadonlySet<NetworkErrorKind> = new Set(["timeout", "unreachable", "reset", "empty-response"]);

export function openLadder({ engines, proxies, onProxy, countText, ...parts }: LadderParts): Fallback {
  const rungs = byCost(engines);
  const hosts = new HostMemory();
  const climbing = { rungs, hosts, countText };
  const { outages = new Outages() } = parts;
  const proxyHealth = new ProxyHealth(proxies, { onUse: onProxy });

  async function acquire(visit: Visit, signal: AbortSignal): Promise<Acquired> {
    let outcome: Outcome | undefined;
    for (const tier of tiersOf(visit, hosts)) {
      const patience = { isPatient: isPatient(outcome, visit, hosts) };
      const attempt = throughProxy({ visit, tier, ...patience }, proxyHealth);
      let latest = isRefused(attempt) ? nothing(attempt) : await tryEngines(attempt, climbing, signal);
      const other = isRefused(attempt) ? undefined : throughOtherProxy(attempt, latest, proxyHealth);
      if (other) latest = await tryEngines(other, climbing, signal);
      outcome = laterTier(outcome, latest, visit, hosts);
      if (!isBlocked(latest) || isLeftAlone(latest, attempt)) break;
    }
    outcome ??= nothing(NO_ENGINE);
    learnFromEnd(outcome, visit, hosts);
    return settle(outcome, visit);
  }

  /** The enhanced tier may go on from another address, unless it is for a job. */
  function isLeftAlone({ result }: Outcome, attempt: Attempt | Refusal): boolean {
    if (isRefused(result) || isRefused(attempt) || !result.asksForPause) return false;
    const { visit, proxy } = attempt;
    return visit.isOfJob === true || proxyHealth.choose("enhanced", visit.proxyCountry) === proxy;
  }

  function explain(failure: unknown, url: string, sinceMs: number): unknown {
    const isOurs = isUnheard(failure) && outages.hadOne(new URL(url), sinceMs);
    return isOurs ? new PartAway("network", failure) : failure;
  }

  return {
    acquire(visit, signal) {
      const startedAtMs = Date.now();
      return outages
        .watch(() => acquire(visit, signal))
        .catch((failure: unknown) => Promise.reject(explain(failure, visit.url, startedAtMs)));
    },
    explain,
    get isStarting() {
      return rungs.some((engine) => engine.isStarting === true);
    },
    prepare() {
      const { signal } = new AbortController();
      // The first visit that needs the engine reports a failure.
      for (const engine of rungs) engine.isAvailable(signal).catch(() => undefined);
    },
  };
}

/** Whether the network may be the cause of a failed visit. Browsers report only the code. */
function isUnheard(failure: unknown): boolean {
  if (!(failure instanceof ServiceError)) return false;
  const { code, cause } = failure;
  if (cause instanceof NetworkError) return UNHEARD.has(cause.kind);
  return code === "SCRAPE_SITE_ERROR" || code === "SCRAPE_TIMEOUT";
}
