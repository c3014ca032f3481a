import { ServiceError } from "../../contract/errors.ts";
import { PLENTY_OF_TEXT } from "../../content/html/static-evidence.ts";
import { withoutCredentials } from "../../platform/net/credentials.ts";
import type { Proxy } from "../../platform/net/proxies.ts";
import { ProxyHealth } from "../../platform/net/proxy-health.ts";
import type { Capture } from "../capture.ts";
import {
  type Attempt,
  type EngineResult,
  type Engine,
  isRefusal,
  type Refusal,
  type Tier,
} from "../engine.ts";
import { judge, type Judged } from "./judge.ts";
import { HostMemory } from "./host-memory.ts";
import type { CountText } from "./count-text.ts";
import { textOfPage } from "./static-page.ts";
import type { Visit } from "../visit.ts";

/** Pages that send their visitors on to another, one after the other. */
const MAXIMUM_REFRESHES = 3;
const PROXY_FAILED = /ERR_(?:PROXY_CONNECTION|TUNNEL_CONNECTION)_FAILED/;
/** A browser that makes this much more text of a page was worth its time. */
const WORTHWHILE_TEXT = 1.3;
/** A browser that leaves less than this share of what the server's page says has run scripts that failed. */
const LEFT_TEXT = 1 / 3;

/** Gets pages, by the cheapest way that brings what is asked for. */
export interface Ladder {
  /**
   * @throws ServiceError with the refusal when no way brings the page back.
   * @throws the signal's reason, once `signal` is aborted.
   */
  acquire(visit: Visit, signal: AbortSignal): Promise<Acquired>;
  /** Whether visits that need a browser have to wait until it has started. */
  readonly isStartingBrowser: boolean;
  /** Looks in the background for a browser, so that the first page that needs one does not wait for the search. */
  lookForBrowser(): void;
}

export interface Acquired {
  readonly capture: Capture;
  /** False when a browser would have made more of the page and was not used. */
  readonly isWhole: boolean;
}

interface Rungs {
  /** Cheap; brings what servers send. */
  readonly http: Engine;
  /** Dear; brings what people see. */
  readonly browser: Engine;
  readonly proxies: readonly Proxy[];
  readonly countText: CountText;
}

export function openLadder(rungs: Rungs): Ladder {
  return new TwoRungs(rungs);
}

/** What a tier came back with, and what was tried for it. */
interface Outcome {
  readonly result: Judged | Refusal;
  readonly tried: readonly string[];
  readonly isWhole: boolean;
}

/** Why a browser is needed: something was asked of it, or what came was seen, or guessed, to be a shell. */
type Need = "none" | "asked" | "seen" | "guessed";

class TwoRungs implements Ladder {
  readonly #rungs: Rungs;
  readonly #hosts = new HostMemory();
  readonly #proxies: ProxyHealth;

  constructor(rungs: Rungs) {
    this.#rungs = rungs;
    this.#proxies = new ProxyHealth(rungs.proxies);
  }

  get isStartingBrowser(): boolean {
    return this.#rungs.browser.isStarting === true;
  }

  lookForBrowser(): void {
    // What goes wrong is told to the first who asks.
    this.#rungs.browser.isAvailable(new AbortController().signal).catch(() => undefined);
  }

  /** The basic tier, then the enhanced one if the site keeps it out and the caller does not mind. */
  async acquire(visit: Visit, signal: AbortSignal): Promise<Acquired> {
    const isAuto = visit.proxy === "auto";
    const startsEnhanced = isAuto ? this.#hosts.recall(visit.url).needsEnhanced : visit.proxy === "enhanced";
    const first = await this.#acquireByTier(visit, startsEnhanced ? "enhanced" : "basic", signal);
    if (!isAuto || startsEnhanced || !isBlocked(first.result)) return settled(first, visit);
    const second = await this.#acquireByTier(visit, "enhanced", signal);
    if (isRefused(second.result)) return settled(first, visit);
    if (!isBlocked(second.result)) this.#hosts.learn(visit.url, { needsEnhanced: true });
    return settled(second, visit);
  }

  /** One more try, through another proxy, when one does not connect. */
  async #acquireByTier(visit: Visit, tier: Tier, signal: AbortSignal): Promise<Outcome> {
    const proxy = this.#proxies.choose(tier, visit.proxyCountry);
    if (proxy === "none-for-country") return refused(noProxy(visit.proxyCountry ?? visit.country));
    const outcome = await this.#acquireBy({ visit, tier, proxy }, signal);
    if (!proxy || !isRefused(outcome.result) || !PROXY_FAILED.test(outcome.result.message)) return outcome;
    this.#proxies.failed(proxy);
    const other = this.#proxies.choose(tier, visit.proxyCountry);
    if (typeof other !== "object" || other === proxy) return outcome;
    return this.#acquireBy({ visit, tier, proxy: other }, signal);
  }

  /** Plain HTTP first; then the browser, if something asked for or something seen needs it. */
  async #acquireBy(attempt: Attempt, signal: AbortSignal): Promise<Outcome> {
    const { http, browser } = this.#rungs;
    const { visit } = attempt;
    const isOnlyForBrowsers = visit.browser.mobile || visit.browser.profile !== undefined;
    if (isOnlyForBrowsers && (await browser.isAvailable(signal))) {
      return { result: await visitBy(browser, attempt, signal), tried: [browser.name], isWhole: true };
    }
    if (visit.browserFeatures.length > 0) browser.warmUp?.();
    const fetched = await this.#fetch(attempt, signal);
    const unchanged: Outcome = { result: fetched, tried: [http.name], isWhole: true };
    // What keeps plain HTTP from a site keeps a browser from it, too.
    if (isRefused(fetched)) return unchanged;
    const need = this.#need(fetched, visit);
    if (need === "none") return unchanged;
    if (need !== "asked" && visit.prefersHttp) return { ...unchanged, isWhole: false };
    if (!(await browser.isAvailable(signal))) return { ...unchanged, isWhole: false };
    return this.#goOn(attempt, fetched, need, signal);
  }

  /** Follows pages that do nothing but send their visitors on. */
  async #fetch(attempt: Attempt, signal: AbortSignal): Promise<Judged | Refusal> {
    const { http } = this.#rungs;
    let fetched = await visitBy(http, attempt, signal);
    for (let refreshes = 0; refreshes < MAXIMUM_REFRESHES && !isRefused(fetched); refreshes += 1) {
      const next = refreshTarget(fetched);
      if (next === undefined) break;
      const followed = await visitBy(http, { ...attempt, visit: redirected(attempt.visit, next) }, signal);
      if (isRefused(followed)) break;
      fetched = withCapture(followed, { ...followed.capture, requestedUrl: attempt.visit.url });
    }
    return fetched;
  }

  #need(fetched: Judged, { browserFeatures }: Visit): Need {
    const { judgement, isShown, capture } = fetched;
    if (browserFeatures.length > 0 && isShown) return "asked";
    if (!judgement?.needsBrowser) return "none";
    if (!judgement.isGuess) return "seen";
    return this.#hosts.recall(capture.url).isThin ? "none" : "guessed";
  }

  /** The browser takes over what was fetched. Where that was kept out, it tries for itself. */
  async #goOn(attempt: Attempt, fetched: Judged, need: Need, signal: AbortSignal): Promise<Outcome> {
    const { http, browser } = this.#rungs;
    const tried = [http.name, browser.name];
    const handOver = documentOf(fetched);
    const rendered = await visitBy(browser, { ...attempt, ...(handOver && { handOver }) }, signal);
    if (isRefused(rendered)) {
      return need === "asked"
        ? { result: rendered, tried, isWhole: true }
        : { result: fetched, tried, isWhole: false };
    }
    if (need === "guessed") this.#compare(fetched.capture, rendered.capture);
    if (need !== "asked" && (await this.#hasLost(fetched, rendered, signal))) {
      return { result: fetched, tried, isWhole: true };
    }
    return { result: withOwnBody(fetched, rendered), tried, isWhole: true };
  }

  /** A guess that was wrong is not made again for this host. */
  #compare(fetched: Capture, rendered: Capture): void {
    if (textOfPage(rendered) <= textOfPage(fetched) * WORTHWHILE_TEXT) {
      this.#hosts.learn(fetched.url, { isThin: true });
    }
  }

  /** Whether scripts took away most of what the server's page says, and put nothing in its place. */
  async #hasLost(fetched: Judged, rendered: Judged, signal: AbortSignal): Promise<boolean> {
    const isSamePage = addressOf(rendered) === addressOf(fetched);
    if (!isSamePage || !fetched.isPage || fetched.isBlocked || rendered.isBlocked) return false;
    if (textOfPage(rendered.capture) >= PLENTY_OF_TEXT) return false;
    const { countText } = this.#rungs;
    const left = await countText(rendered.capture, signal);
    return left < LEFT_TEXT * (await countText(fetched.capture, signal));
  }
}

/** The status and where the page is, wherever in it. */
function addressOf({ capture }: Judged): string {
  return `${capture.statusCode} ${capture.url.split("#", 1)[0]}`;
}

async function visitBy(engine: Engine, attempt: Attempt, signal: AbortSignal): Promise<Judged | Refusal> {
  const outcome = await engine.visit(attempt, signal);
  return isRefusal(outcome) ? outcome : judge(outcome);
}

function isRefused(result: Judged | Refusal): result is Refusal {
  return "code" in result;
}

function isBlocked(result: Judged | Refusal): boolean {
  return !isRefused(result) && result.isBlocked;
}

/** What is worth handing over to a browser. */
function documentOf({ engineResult, capture, isBlocked: isOutside }: Judged): EngineResult["handOver"] {
  return isOutside || capture.body.byteLength === 0 ? undefined : engineResult.handOver;
}

function refreshTarget({ capture, judgement }: Judged): string | undefined {
  const refreshUrl = judgement?.refreshUrl;
  if (refreshUrl === undefined || !URL.canParse(refreshUrl, capture.url)) return undefined;
  const { href, protocol } = new URL(refreshUrl, capture.url);
  return href !== capture.url && /^https?:$/.test(protocol) ? href : undefined;
}

/** The same visit elsewhere; credentials stay behind when it is another site. */
function redirected(visit: Visit, url: string): Visit {
  const isSameOrigin = new URL(url).origin === new URL(visit.url).origin;
  const headers = Object.entries(visit.headers);
  return { ...visit, url, headers: Object.fromEntries(isSameOrigin ? headers : withoutCredentials(headers)) };
}

/** A file that is no page stays the file, and nothing stays nothing; a browser only adds what it saw of it. */
function withOwnBody(fetched: Judged, rendered: Judged): Judged {
  const isEmpty = fetched.capture.body.byteLength === 0;
  if (isEmpty ? textOfPage(rendered.capture) > 0 : fetched.isPage) return rendered;
  const { body, contentType, headers } = fetched.capture;
  return withCapture(rendered, { ...rendered.capture, body, contentType, headers });
}

function withCapture(judged: Judged, capture: Capture): Judged {
  return { ...judged, capture };
}

/** @throws ServiceError when nothing came back, or actions were asked for and nothing can do them. */
function settled({ result, tried, isWhole }: Outcome, { browserFeatures }: Visit): Acquired {
  if (isRefused(result)) throw errorOf(result, tried);
  const { capture } = result;
  if (capture.engine === "browser" || browserFeatures.length === 0) return { capture, isWhole };
  if (browserFeatures.includes("actions")) throw new ServiceError("SCRAPE_ACTIONS_NOT_SUPPORTED");
  return { capture: { ...capture, lacks: browserFeatures }, isWhole: false };
}

function errorOf({ code, message, cause }: Refusal, tried: readonly string[]): ServiceError {
  if (code !== "SCRAPE_ALL_ENGINES_FAILED") return new ServiceError(code, { message, cause });
  const opening = "All scraping engines failed to retrieve content from this URL.";
  return new ServiceError(code, {
    message: `${opening} Engines tried: [${tried.join(", ")}]. ${message}`,
    cause,
  });
}

function refused(refusal: Refusal): Outcome {
  return { result: refusal, tried: [], isWhole: true };
}

function noProxy(country: string): Refusal {
  return {
    code: "SCRAPE_PROXY_SELECTION_ERROR",
    message: `The specified proxy location could not be selected: no proxy for ${country} is configured.`,
  };
}
