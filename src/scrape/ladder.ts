import { detectFile, type FileKind } from "../content/file-kind.ts";
import { ServiceError } from "../contract/errors.ts";
import { withoutCredentials } from "../platform/net/credentials.ts";
import { chooseProxy, type Proxy } from "../platform/net/proxies.ts";
import type { Capture } from "./capture.ts";
import { type Attempt, type Brought, type Engine, isRefusal, type Refusal, type Tier } from "./engine.ts";
import { HostMemory } from "./host-memory.ts";
import { isChallenge, judgeStaticPage, textOfPage } from "./static-page.ts";
import type { Visit } from "./visit.ts";

/** Answers that a stronger disguise may turn into the page (contract, section 3.21). */
const ESCALATES: ReadonlySet<number> = new Set([401, 403, 429]);
/** Pages that send their visitors on to another, one after the other. */
const MAXIMUM_REFRESHES = 3;
/** A browser that makes this much more text of a page was worth its time. */
const WORTHWHILE_TEXT = 1.3;
/** Kinds of files that a browser shows as they are, so that it can take pictures of them. */
const SHOWN: ReadonlySet<FileKind> = new Set(["html", "json", "xml", "markdown", "text", "code", "image"]);
/** Failures after which a browser may still get the page: it is the protocol that broke, not the way there. */
const BROWSER_MAY_SUCCEED = /ERR_(?:CONNECTION_RESET|EMPTY_RESPONSE|INVALID_RESPONSE)/;

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
  /** False when a browser would have made more of the page and was not used. */
  readonly isWhole: boolean;
}

interface Rungs {
  /** Cheap; brings what servers send. */
  readonly http: Engine;
  /** Dear; brings what people see. */
  readonly browser: Engine;
  readonly proxies: readonly Proxy[];
}

export function openLadder(rungs: Rungs): Ladder {
  return new TwoRungs(rungs);
}

/** What a tier came back with, and what was tried for it. */
interface Outcome {
  readonly result: Brought | Refusal;
  readonly tried: readonly string[];
  readonly isWhole: boolean;
}

class TwoRungs implements Ladder {
  readonly #rungs: Rungs;
  readonly #hosts = new HostMemory();

  constructor(rungs: Rungs) {
    this.#rungs = rungs;
  }

  /** The basic tier, then the enhanced one if the site keeps it out and the caller does not mind. */
  async climb(visit: Visit, signal: AbortSignal): Promise<Climbed> {
    const isAuto = visit.proxy === "auto";
    const startsEnhanced = isAuto ? this.#hosts.recall(visit.url).needsEnhanced : visit.proxy === "enhanced";
    const first = await this.#climbTier(visit, startsEnhanced ? "enhanced" : "basic", signal);
    if (!isAuto || startsEnhanced || !isBlocked(first)) return settled(first, visit);
    const second = await this.#climbTier(visit, "enhanced", signal);
    if (isRefusal(second.result)) return settled(first, visit);
    if (!isBlocked(second)) this.#hosts.learn(visit.url, { needsEnhanced: true });
    return settled(second, visit);
  }

  /** Plain HTTP first; then the browser, if something asked for or something seen needs it. */
  async #climbTier(visit: Visit, tier: Tier, signal: AbortSignal): Promise<Outcome> {
    const { http, browser, proxies } = this.#rungs;
    const proxy = chooseProxy(proxies, tier, visit.proxyCountry);
    if (proxy === "none-for-country") return refused(noProxy(visit.proxyCountry ?? visit.country));
    const attempt: Attempt = { visit, tier, proxy };
    if (visit.browser.mobile && (await browser.isAvailable(signal))) return this.#browse(attempt, signal);

    const fetched = await this.#fetch(attempt, signal);
    const unchanged: Outcome = { result: fetched, tried: [http.name], isWhole: true };
    const need = await this.#need(fetched, visit);
    if (need === "none") return unchanged;
    if (need === "seen" && visit.prefersHttp) return { ...unchanged, isWhole: false };
    if (!(await browser.isAvailable(signal))) return { ...unchanged, isWhole: false };
    return this.#goOn(attempt, fetched, need, signal);
  }

  /** Follows pages that do nothing but send their visitors on. */
  async #fetch(attempt: Attempt, signal: AbortSignal): Promise<Brought | Refusal> {
    const { http } = this.#rungs;
    let brought = await http.visit(attempt, signal);
    for (let refreshes = 0; refreshes < MAXIMUM_REFRESHES && !isRefusal(brought); refreshes += 1) {
      const next = await refreshTarget(brought.capture);
      if (next === undefined) break;
      const followed = await http.visit({ ...attempt, visit: redirected(attempt.visit, next) }, signal);
      if (isRefusal(followed)) break;
      brought = { ...followed, capture: { ...followed.capture, requestedUrl: attempt.visit.url } };
    }
    return brought;
  }

  /** Why a browser is needed: it was `asked` for something, or what came was `seen` to be a shell. */
  async #need(fetched: Brought | Refusal, visit: Visit): Promise<"none" | "asked" | "seen" | "guessed"> {
    const isAsked = visit.browserFeatures.length > 0;
    if (isRefusal(fetched)) return BROWSER_MAY_SUCCEED.test(fetched.message) ? "seen" : "none";
    const kind = await kindOf(fetched.capture);
    if (isAsked && SHOWN.has(kind)) return "asked";
    if (kind !== "html" && fetched.capture.body.byteLength > 0) return "none";
    const { needsBrowser, isGuess } = judgeStaticPage(fetched.capture);
    if (!needsBrowser) return "none";
    if (isGuess && this.#hosts.recall(fetched.capture.url).isThin) return "none";
    return isGuess ? "guessed" : "seen";
  }

  /** The browser takes over what was fetched. Where that kept us out, it tries for itself. */
  async #goOn(
    attempt: Attempt,
    fetched: Brought | Refusal,
    need: "asked" | "seen" | "guessed",
    signal: AbortSignal,
  ): Promise<Outcome> {
    const tried = [this.#rungs.http.name, this.#rungs.browser.name];
    const handOver = isRefusal(fetched) || isKeptOut(fetched.capture) ? undefined : fetched.handOver;
    const rendered = await this.#rungs.browser.visit({ ...attempt, ...(handOver && { handOver }) }, signal);
    if (isRefusal(rendered)) {
      const isFallback = need !== "asked" && !isRefusal(fetched) && fetched.capture.body.byteLength > 0;
      return { result: isFallback ? fetched : rendered, tried, isWhole: !isFallback };
    }
    if (isRefusal(fetched)) return { result: rendered, tried, isWhole: true };
    if (need === "guessed") this.#compare(fetched.capture, rendered.capture);
    return { result: { capture: await withOwnBody(fetched.capture, rendered.capture) }, tried, isWhole: true };
  }

  async #browse(attempt: Attempt, signal: AbortSignal): Promise<Outcome> {
    const { browser } = this.#rungs;
    return { result: await browser.visit(attempt, signal), tried: [browser.name], isWhole: true };
  }

  /** A guess that was wrong is not made again for this host. */
  #compare(fetched: Capture, rendered: Capture): void {
    if (textOfPage(rendered) <= textOfPage(fetched) * WORTHWHILE_TEXT) {
      this.#hosts.learn(fetched.url, { isThin: true });
    }
  }
}

function isBlocked({ result }: Outcome): boolean {
  return !isRefusal(result) && isKeptOut(result.capture);
}

function isKeptOut(capture: Capture): boolean {
  return ESCALATES.has(capture.statusCode) || (isHtml(capture) && isChallenge(capture));
}

/** A look at the header is enough here: pages that keep visitors out are honest about their type. */
function isHtml({ contentType }: Capture): boolean {
  return contentType === undefined || /html/i.test(contentType);
}

async function kindOf({ body, contentType, url }: Capture): Promise<FileKind> {
  return (await detectFile(body, contentType, url)).kind;
}

async function refreshTarget(capture: Capture): Promise<string | undefined> {
  if (capture.statusCode !== 200 || !isHtml(capture) || (await kindOf(capture)) !== "html") return undefined;
  const { refreshUrl } = judgeStaticPage(capture);
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

/** A file that is no page stays the file; a browser only adds what it saw of it. */
async function withOwnBody(fetched: Capture, rendered: Capture): Promise<Capture> {
  if ((await kindOf(fetched)) === "html" || fetched.body.byteLength === 0) return rendered;
  const { body, contentType, headers } = fetched;
  return { ...rendered, body, contentType, headers };
}

function settled({ result, tried, isWhole }: Outcome, { browserFeatures }: Visit): Climbed {
  if (isRefusal(result)) throw errorOf(result, tried);
  const { capture } = result;
  return { capture, lacking: capture.engine === "browser" ? [] : browserFeatures, isWhole };
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
