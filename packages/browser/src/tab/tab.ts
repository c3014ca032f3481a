import type { Protocol } from "devtools-protocol";

import { BrowserFailure } from "../cdp/browser-failure.ts";
import type { CdpSession } from "../cdp/cdp-session.ts";
import { RequestChain } from "./interception.ts";
import { logInToProxy } from "../proxy-login.ts";
import type { Egress } from "../egress.ts";

/** What a tab is opened with. */
interface TabParts {
  readonly session: CdpSession;
  readonly browser: CdpSession;
  readonly contextId: string;
  readonly targetId: string;
  readonly egress: Egress;
  /** Gives everything of a tab that was handed out back: context, egress, slot. */
  readonly release: () => Promise<void>;
  /** How long a client may answer a dialog before it is declined, in milliseconds. Default: not at all. */
  readonly dialogGraceMs?: () => number;
  /** Ends context and egress of a tab that was not handed out. */
  readonly dispose: () => Promise<void>;
}

/** The answer that the page in the tab came with. */
type MainResponse = Protocol.Network.Response;

/** A document that was fetched before, for the browser to take instead of fetching it. */
interface ServedDocument {
  /** As the browser is going to ask for it; a fragment does not count. */
  readonly url: string;
  readonly status: number;
  readonly headers: readonly { readonly name: string; readonly value: string }[];
  readonly body: Uint8Array;
}

/** How a navigation began. */
interface NavigationStart {
  /** Chromium's name of what went wrong, such as `ERR_NAME_NOT_RESOLVED`; undefined when a document came. */
  readonly errorCode: string | undefined;
}

/** Bodies are not kept by the browser for us; nothing asks for them. */
const KEPT_BODY_BYTES = { maxTotalBufferSize: 0, maxResourceBufferSize: 0 };

/**
 * One page in a browser context of its own: nothing is shared with other tabs, and nothing stays. What a scrape wants
 * of the page is said in this order: settings through `session` (emulation, cookies), judges of requests in
 * `requests`, then `navigate`, then commands for the ready page.
 */
export class BrowserTab {
  /** The page's DevTools session. Page, Network and Target are enabled; Runtime and DOM are not, as pages notice. */
  readonly session: CdpSession;
  readonly requests: RequestChain;
  readonly egress: Egress;
  readonly contextId: string;
  /** The id of the main frame; it stays the same over navigations. */
  readonly mainFrameId: string;
  readonly #browser: CdpSession;
  readonly #release: () => Promise<void>;
  readonly #dispose: () => Promise<void>;
  readonly #requestUrls = new Map<string, string>();
  #response: MainResponse | undefined;
  #released: Promise<void> | undefined;

  constructor({ session, browser, contextId, targetId, egress, release, dispose, ...more }: TabParts) {
    this.session = session;
    this.egress = egress;
    this.contextId = contextId;
    this.mainFrameId = targetId;
    this.requests = new RequestChain(session);
    this.#browser = browser;
    this.#release = release;
    this.#dispose = dispose;
    this.#watchResponses();
    this.#dismissDialogs(more.dialogGraceMs);
  }

  /** Makes the page fit for scrapes. The pool does this before it hands the tab out. */
  async prepare(): Promise<void> {
    const { session } = this;
    await Promise.all([
      session.send("Page.enable"),
      session.send("Page.setLifecycleEventsEnabled", { enabled: true }),
      session.send("Network.enable", KEPT_BODY_BYTES),
      session.send("Network.setBypassServiceWorker", { bypass: true }),
      session.send("Security.setIgnoreCertificateErrors", { ignore: true }),
      this.#browser.send("Browser.setDownloadBehavior", {
        behavior: "deny",
        browserContextId: this.contextId,
      }),
    ]);
    if (this.egress.login) await logInToProxy(session, this.egress.login);
  }

  /** The browser's own session: storage and permissions of `contextId`. */
  get browser(): CdpSession {
    return this.#browser;
  }

  /** The answer that the present document came with; undefined before the first. */
  get response(): MainResponse | undefined {
    return this.#response;
  }

  /** Undefined while the tab works. */
  get failure(): BrowserFailure | undefined {
    return this.session.failure;
  }

  /** Hands this document over when the browser asks for it the first time, instead of letting it fetch. */
  serve(document: ServedDocument): void {
    let isServed = false;
    const wanted = withoutFragment(document.url);
    this.requests.add([{ urlPattern: "*", resourceType: "Document" }], ({ request, frameId }) => {
      const isWanted = frameId === this.mainFrameId && withoutFragment(request.url) === wanted;
      if (isServed || !isWanted) return undefined;
      isServed = true;
      return { verdict: "fulfill", ...document };
    });
  }

  /**
   * Opens a web address and returns once its document begins to come, or cannot be had.
   * @throws BrowserFailure when the tab is lost; the signal's reason once it is aborted.
   */
  async navigate(url: string, signal: AbortSignal): Promise<NavigationStart> {
    if (!/^https?:/i.test(url)) throw new TypeError("Tabs open addresses of the web only.");
    // The browser takes them up in this order; nothing is asked before it intercepts.
    const starting = this.requests.start();
    const navigating = this.session.send("Page.navigate", { url }, { signal });
    const [{ errorText }] = await Promise.all([navigating, starting]);
    return { errorCode: errorText?.replace(/^net::/, "") };
  }

  /** Ends what the page is doing: scripts that run are broken off, and no more are started. */
  async halt(signal: AbortSignal): Promise<void> {
    await this.session.send("Runtime.terminateExecution", undefined, { signal });
    await this.session.send("Emulation.setScriptExecutionDisabled", { value: true }, { signal });
  }

  /** Closes the page and drops everything that it stored. */
  close(): Promise<void> {
    this.session.fail(new BrowserFailure("tab-closed", "The tab was closed."));
    this.#released ??= this.#release();
    return this.#released;
  }

  /** Of the browser that made it: drops a tab that was never handed out. */
  discard(): Promise<void> {
    this.#released ??= this.#dispose();
    return this.#released;
  }

  #watchResponses(): void {
    this.session.on("Network.requestWillBeSent", ({ type, frameId, loaderId, requestId, request }) => {
      const isMain = type === "Document" && frameId === this.mainFrameId && requestId === loaderId;
      if (isMain) this.#requestUrls.set(requestId, request.url);
    });
    this.session.on("Network.responseReceived", ({ requestId, response }) => {
      if (this.#requestUrls.delete(requestId)) this.#response = response;
    });
  }

  /** An open dialog stops the page. Leaving is always allowed, everything else is declined. */
  #dismissDialogs(graceMs = () => 0): void {
    this.session.on("Page.javascriptDialogOpening", ({ type }) => {
      const decline = () =>
        this.session.post("Page.handleJavaScriptDialog", { accept: type === "beforeunload" });
      const waitMs = graceMs();
      if (waitMs === 0) return decline();
      const timer = setTimeout(decline, waitMs).unref();
      // Only one is open at a time.
      const stop = this.session.on("Page.javascriptDialogClosed", () => {
        clearTimeout(timer);
        stop();
      });
    });
  }
}

function withoutFragment(url: string): string {
  return url.replace(/#.*$/s, "");
}
