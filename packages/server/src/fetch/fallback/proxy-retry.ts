import type { ProxyHealth } from "../../net/proxy-health.ts";
import type { Attempt, Refusal } from "../engine.ts";
import { isRefused } from "./judge.ts";
import type { Outcome } from "./outcome.ts";

const PROXY_FAILED = /ERR_(?:PROXY_CONNECTION|TUNNEL_CONNECTION)_FAILED/;

/** An attempt on a tier, through a proxy if there are any. */
export function throughProxy(attempt: Omit<Attempt, "proxy">, proxies: ProxyHealth): Attempt | Refusal {
  const { visit, tier } = attempt;
  const proxy = proxies.choose(tier, visit.proxyCountry);
  return proxy === "none-for-country" ? noProxy(visit.proxyCountry ?? visit.country) : { ...attempt, proxy };
}

/** The same attempt through another proxy, when the first proxy did not connect. */
export function throughOtherProxy(
  attempt: Attempt,
  { result }: Outcome,
  proxies: ProxyHealth,
): Attempt | undefined {
  const { visit, tier, proxy } = attempt;
  if (!proxy) return undefined;
  if (!isRefused(result) || !PROXY_FAILED.test(result.message)) {
    if (!isRefused(result)) proxies.worked(proxy);
    return undefined;
  }
  proxies.failed(proxy);
  const other = proxies.choose(tier, visit.proxyCountry);
  return typeof other !== "object" || other === proxy ? undefined : { ...attempt, proxy: other };
}

function noProxy(country: string): Refusal {
  return {
    code: "SCRAPE_PROXY_SELECTION_ERROR",
    message: `The specified proxy location could not be selected: no proxy for ${country} is configured.`,
  };
}
