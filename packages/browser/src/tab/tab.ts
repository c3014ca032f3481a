import type { Protocol } from "devtools-protocol";

import { BrowserFailure } from "../cdp/browser-failure.ts";
import type { CdpSession } from "../cdp/cdp-session.ts";
import { RequestChain } from "./interception.ts";
import { logInToProxy } from "../proxy-login.ts";
import type { Egress } from "../egress.ts";
import { PageWorkers } from "./workers.ts";

interface TabParts {
  readonly session: CdpSession;
  readonly browser: CdpSession;
  readonly contextId: string;
  readonly targetId: string;
  readonly egress: Egress;
  /** Whether we started its browser. */
  readonly isOurs: boolean;
  /** Releases context, egress and slot of a tab that was handed out. */
  readonly release: () => Promise<void>;
  /** Milliseconds that a client may take to answer a dialog before it is declined. Default: none. */
  readonly dialogGraceMs?: () => number;
  /** Ends context and egress of a tab that was not handed out. */
  readonly dispose: () => Promise<void>;
}

/** The response that the main document came with. */
type MainResponse = Protocol.Network.Response;

interface NavigationStart {
  /** Chromium's error name, such as `ERR_NAME_NOT_RESOLVED`; undefined when a document came. */
  readonly errorCode: string | undefined;
}

/** Further frames count as those that came. */
const MAX_FAILED_FRAMES = 1000;

/** The browser need not keep bodies, as nothing reads them. */
const KEPT_BODY_BYTES = { maxTotalBufferSize: 0, maxResourceBufferSize: 0 };

/**
 * One page in a separate browser context: tabs share nothing, and nothing stays. A scrape uses it in this
 * order: settings through `session` (emulation, cookies), judges of requests in `requests`, then `navigate`,
 * then commands for the ready page.
 */
export class BrowserTab {
  /**
   * DevTools session of the page. Page, Network and Target are enabled; Runtime and DOM are not, because
   * pages can detect them.
   */
  readonly session: CdpSession;
  readonly requests: RequestChain;
  readonly workers = new PageWorkers();
  /** Where the last click left the mouse, in CSS pixels. */
  pointer: { readonly x: number; readonly y: number } | undefined;
  /** Whether its visitor has a finger rather than a mouse. */
  isTouched = false;
  readonly egress: Egress;
  /** Whether we started the browser, with the languages of `launchFlags`. */
  readonly isOurs: boolean;
  readonly contextId: string;
  /** Id of the main frame, which stays the same across navigations. */
  readonly mainFrameId: string;
  readonly #browser: CdpSession;
  readonly #release: () => Promise<void>;
  readonly #dispose: () => Promise<void>;
  readonly #requestUrls = new Map<string, string>();
  readonly #failedFrames = new Set<string>();
  #response: MainResponse | undefined;
  #product = "";
  #released: Promise<void> | undefined;

  constructor({ session, browser, contextId, targetId, egress, release, dispose, ...more }: TabParts) {
    this.isOurs = more.isOurs;
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

  /** Prepares the page for scrapes. The pool does this before it hands the tab out. */
  async prepare(): Promise<void> {
    const { session } = this;
    const [{ product }] = await Promise.all([
      this.#browser.send("Browser.getVersion"),
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
    this.#product = product;
    if (this.egress.login) await logInToProxy(session, this.egress.login);
  }

  /** Version of the browser that runs, such as `153.0.8010.0`. */
  get version(): string {
    return this.#product.replace(/^.*\//, "");
  }

  /** Whether it is a whole browser rather than a headless shell, which pages can tell from one. */
  get isWhole(): boolean {
    return !this.#product.startsWith("Headless");
  }

  /** The browser's own session, for storage and permissions of `contextId`. */
  get browser(): CdpSession {
    return this.#browser;
  }

  /** The response of the current document; undefined before the first. */
  get response(): MainResponse | undefined {
    return this.#response;
  }

  /** Whether the document of a frame came with an error. */
  hasFailedFrame(frameId: string): boolean {
    return this.#failedFrames.has(frameId);
  }

  /** Undefined while the tab works. */
  get failure(): BrowserFailure | undefined {
    return this.session.failure;
  }

  /**
   * Opens a web URL and returns once its document begins to arrive, or fails.
   * @throws BrowserFailure when the tab is lost; the signal's reason once it is aborted.
   */
  async navigate(url: string, signal: AbortSignal): Promise<NavigationStart> {
    if (!/^https?:/i.test(url)) throw new TypeError("Tabs open addresses of the web only.");
    // The browser handles these in order, so it requests nothing before it intercepts.
    const starting = this.requests.start();
    const navigating = this.session.send("Page.navigate", { url }, { signal });
    const [{ errorText }] = await Promise.all([navigating, starting]);
    return { errorCode: errorText?.replace(/^net::/, "") };
  }

  /** Aborts running scripts and prevents new ones. */
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

  /** The browser that made the tab calls this to drop a tab that was never handed out. */
  discard(): Promise<void> {
    this.#released ??= this.#dispose();
    return this.#released;
  }

  #watchResponses(): void {
    this.session.on("Network.requestWillBeSent", ({ type, frameId, loaderId, requestId, request }) => {
      const isMain = type === "Document" && frameId === this.mainFrameId && requestId === loaderId;
      if (isMain) this.#requestUrls.set(requestId, request.url);
    });
    this.session.on("Network.responseReceived", ({ requestId, response, type, frameId }) => {
      if (this.#requestUrls.delete(requestId)) this.#response = response;
      else if (type === "Document" && frameId !== undefined) this.#noteFrame(frameId, response.status);
    });
  }

  #noteFrame(frameId: string, status: number): void {
    if (status < 400) this.#failedFrames.delete(frameId);
    else if (this.#failedFrames.size < MAX_FAILED_FRAMES) this.#failedFrames.add(frameId);
  }

  /** An open dialog blocks the page. Leaving is always allowed, everything else is declined. */
  #dismissDialogs(graceMs = () => 0): void {
    this.session.on("Page.javascriptDialogOpening", ({ type }) => {
      const decline = () =>
        this.session.post("Page.handleJavaScriptDialog", { accept: type === "beforeunload" });
      const waitMs = graceMs();
      if (waitMs === 0) return decline();
      const timer = setTimeout(decline, waitMs).unref();
      // Only one dialog is open at a time.
      const stop = this.session.on("Page.javascriptDialogClosed", () => {
        clearTimeout(timer);
        stop();
      });
    });
  }
}
