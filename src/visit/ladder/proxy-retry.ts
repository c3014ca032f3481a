import type { ProxyHealth } from "../../platform/net/proxy-health.ts";
import type { Attempt, Refusal } from "../engine.ts";
import { isRefused } from "./judge.ts";
import type { Outcome } from "./outcome.ts";

const PROXY_FAILED = /ERR_(?:PROXY_CONNECTION|TUNNEL_CONNECTION)_FAILED/;

/** Makes an attempt through a proxy, if there are any; once more through another one when it does not connect. */
export async function tryByProxy(
  proxies: ProxyHealth,
  { visit, tier }: Pick<Attempt, "visit" | "tier">,
  acquire: (attempt: Attempt) => Promise<Outcome>,
): Promise<Outcome> {
  const proxy = proxies.choose(tier, visit.proxyCountry);
  if (proxy === "none-for-country") {
    return { result: noProxy(visit.proxyCountry ?? visit.country), tried: [], isWhole: true };
  }
  const outcome = await acquire({ visit, tier, proxy });
  if (!proxy || !isRefused(outcome.result) || !PROXY_FAILED.test(outcome.result.message)) return outcome;
  proxies.failed(proxy);
  const other = proxies.choose(tier, visit.proxyCountry);
  if (typeof other !== "object" || other === proxy) return outcome;
  return acquire({ visit, tier, proxy: other });
}

function noProxy(country: string): Refusal {
  return {
    code: "SCRAPE_PROXY_SELECTION_ERROR",
    message: `The specified proxy location could not be selected: no proxy for ${country} is configured.`,
  };
}
