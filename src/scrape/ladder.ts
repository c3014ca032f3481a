import { detectFile } from "../content/file-kind.ts";
import { ServiceError } from "../contract/errors.ts";
import { chooseProxy, type Proxy } from "../platform/net/proxies.ts";
import type { Capture } from "./capture.ts";
import { type Attempt, type Brought, type Engine, isRefusal, type Refusal, type Tier } from "./engine.ts";
import type { Visit } from "./visit.ts";

/** Answers that a stronger disguise may turn into the page (contract, section 3.21). */
const ESCALATES = new Set([401, 403, 429]);

/** Gets pages, by the cheapest way that brings what is asked for. */
export interface Ladder {
  /**
   * @throws ServiceError with the refusal when no way brings the page back.
   * @throws the signal's reason, once `signal` is aborted.
   */
  climb(visit: Visit, signal: AbortSignal): Promise<Climbed>;
}

export interface Climbed {
  readonly capture: Capture;
  /** Names of what was asked for and could not be done, such as `screenshot`. */
  readonly lacking: readonly string[];
}

interface Rungs {
  /** Cheap; brings what servers send. */
  readonly http: Engine;
  /** Dear; brings what people see. */
  readonly browser: Engine;
  readonly proxies: readonly Proxy[];
}

export function openLadder(rungs: Rungs): Ladder {
  return {
    async climb(visit, signal) {
      const first = await climbTier(visit, visit.proxy === "enhanced" ? "enhanced" : "basic", rungs, signal);
      const isBlocked = !isRefusal(first) && ESCALATES.has(first.capture.statusCode);
      if (visit.proxy !== "auto" || !isBlocked) return settled(first, visit);
      const second = await climbTier(visit, "enhanced", rungs, signal);
      return settled(isRefusal(second) ? first : second, visit);
    },
  };
}

/** Plain HTTP first; then the browser, if something asked for needs it. */
async function climbTier(
  visit: Visit,
  tier: Tier,
  { http, browser, proxies }: Rungs,
  signal: AbortSignal,
): Promise<Brought | Refusal> {
  const proxy = chooseProxy(proxies, tier, visit.proxyCountry);
  if (proxy === "none-for-country") return noProxy(visit.proxyCountry ?? visit.country);
  const attempt: Attempt = { visit, tier, proxy };
  const fetched = await http.visit(attempt, signal);
  if (visit.browserFeatures.length === 0 || isRefusal(fetched)) return fetched;
  if (!(await isPage(fetched.capture)) || !(await browser.isAvailable(signal))) return fetched;
  return browser.visit({ ...attempt, ...(fetched.handOver && { handOver: fetched.handOver }) }, signal);
}

async function isPage({ body, contentType, url }: Capture): Promise<boolean> {
  return (await detectFile(body, contentType, url)).kind === "html";
}

function settled(outcome: Brought | Refusal, { browserFeatures }: Visit): Climbed {
  if (isRefusal(outcome)) throw errorOf(outcome);
  const { capture } = outcome;
  return { capture, lacking: capture.engine === "browser" ? [] : browserFeatures };
}

function errorOf({ code, message, cause }: Refusal): ServiceError {
  if (code !== "SCRAPE_ALL_ENGINES_FAILED") return new ServiceError(code, { message, cause });
  const opening = "All scraping engines failed to retrieve content from this URL.";
  return new ServiceError(code, { message: `${opening} Engines tried: [http]. ${message}`, cause });
}

function noProxy(country: string): Refusal {
  return {
    code: "SCRAPE_PROXY_SELECTION_ERROR",
    message: `The specified proxy location could not be selected: no proxy for ${country} is configured.`,
  };
}
