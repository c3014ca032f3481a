import { untilAborted } from "@pergamon-dev/kit/single-flight";
import { BrowserFailure } from "./cdp/browser-failure.ts";
import type { CdpConnection } from "./cdp/cdp-connection.ts";
import { usersOfBrowsers } from "./launch/account.ts";
import { guardMemory, type MemoryGuard } from "./memory-guard.ts";
import { BrowserTab } from "./tab/tab.ts";
import type { Egress, EgressProxy, OpenEgress } from "./egress.ts";

/** Maximum bytes of all loads of a page, before content decoding. */
const MAX_PAGE_LOAD_BYTES = 256 * 1024 * 1024;

export interface TabOptions {
  /** The operator's proxy for the tab's requests. */
  readonly proxy?: EgressProxy | undefined;
  readonly skipTlsVerification: boolean;
}

export interface BrowserParts {
  readonly connection: CdpConnection;
  readonly openEgress: OpenEgress;
  /** Host at which the browser reaches proxies of this process. */
  readonly egressHost: string;
  /** Called for every tab as soon as it is open. */
  readonly prepareIdleTab?: ((tab: BrowserTab) => Promise<void>) | undefined;
  /** Whether its processes run on this machine and are ours to end. */
  readonly isOurs: boolean;
  /** Maximum milliseconds for opening a page. Default: `ANSWER_LIMIT_MS`. */
  readonly answerLimitMs?: number | undefined;
  /** Ends the browser, if it is ours. */
  readonly close: () => Promise<void>;
}

/** A browser is replaced after this many tabs, which bounds its memory leaks. */
const TABS_PER_BROWSER = 500;
/** Maximum time that a running browser may take to answer. A page opens within a second on a busy machine. */
export const ANSWER_LIMIT_MS = 15_000;

/** A running Chromium, ours or remote, that opens tabs. */
export class Browser {
  readonly #parts: BrowserParts;
  readonly #memory: MemoryGuard | undefined;
  /** By context. Undefined while the tab is being opened. */
  readonly #tabs = new Map<string, BrowserTab | undefined>();
  #spare: Promise<BrowserTab> | undefined;
  #openTabs = 0;
  #openedTabs = 0;
  #isRetired = false;
  #closed: Promise<void> | undefined;

  constructor(parts: BrowserParts) {
    this.#parts = parts;
    if (parts.isOurs) this.#memory = guardMemory(parts.connection.browser, () => this.#openTabs > 0);
    parts.connection.browser.on("Target.targetCreated", ({ targetInfo }) => {
      const { type, openerId, targetId, browserContextId = "" } = targetInfo;
      // Pages that a page opens are closed, because only the requested page counts. Other programs may use
      // the same browser.
      const isOurs = this.#tabs.has(browserContextId);
      if (type === "page" && openerId && isOurs) this.#session.post("Target.closeTarget", { targetId });
    });
  }

  /**
   * Tells the browser what to report. Call it once, first.
   * @throws BrowserFailure when the browser is lost or does not answer in time; the signal's reason. The
   * browser is ended then.
   */
  async prepare(signal: AbortSignal): Promise<void> {
    const filter = [{ type: "page" }];
    const watching = this.#session.send("Target.setDiscoverTargets", { discover: true, filter });
    try {
      await this.#inTime(Promise.all([watching, this.#parts.isOurs && this.#watchWorkers()]), signal);
    } catch (failure) {
      await this.close();
      throw failure;
    }
  }

  /**
   * Watches workers that pages share, which belong to a context. NOTE: windows of other programs, in a browser that is not
   * ours, would wait as well, for ever.
   */
  async #watchWorkers(): Promise<void> {
    this.#session.on(
      "Target.attachedToTarget",
      ({ sessionId, targetInfo: { type, browserContextId = "" } }) => {
        if (type !== "page")
          this.#tabs.get(browserContextId)?.workers.prepare(this.#session.other(sessionId));
      },
    );
    const filter = [{ type: "shared_worker" }, { type: "service_worker" }];
    const attach = { autoAttach: true, waitForDebuggerOnStart: true, flatten: true, filter };
    await this.#session.send("Target.setAutoAttach", attach);
  }

  get isLost(): boolean {
    return this.#parts.connection.isLost;
  }

  /** Whether the browser has opened its share of tabs, or grown too much, and another should replace it. */
  get isWorn(): boolean {
    return this.#isRetired || this.#openedTabs >= TABS_PER_BROWSER || this.#memory?.isWorn === true;
  }

  /**
   * Opens a page in a new context. The caller closes it.
   * @throws BrowserFailure when the browser is lost, or does not answer in time, which ends it; CdpError when
   * it refuses; the signal's reason.
   */
  async openTab(options: TabOptions, signal: AbortSignal): Promise<BrowserTab> {
    const opening = this.#open(options);
    try {
      return await this.#inTime(opening, signal);
    } catch (failure) {
      opening.then((tab) => tab.close()).catch(() => undefined);
      throw failure;
    }
  }

  async #open({ proxy, skipTlsVerification }: TabOptions): Promise<BrowserTab> {
    this.#openedTabs += 1;
    this.#openTabs += 1;
    try {
      const tab = await this.#takeTab();
      tab.egress.route(proxy);
      if (!skipTlsVerification)
        await tab.session.send("Security.setIgnoreCertificateErrors", { ignore: false });
      return tab;
    } catch (failure) {
      await this.#leave();
      throw failure;
    }
  }

  /**
   * Opens a tab in advance: a context, its page and its process take longer to make than many pages take to
   * load.
   */
  makeSpare(): void {
    if (this.#spare || this.#isRetired || this.isLost) return;
    this.#spare = this.#createTab();
    this.#spare.catch(() => undefined);
  }

  /** Opens no more tabs, and closes the browser once the last tab is closed. */
  async retire(): Promise<void> {
    this.#isRetired = true;
    await (this.#openTabs === 0 ? this.close() : this.#dropSpare());
  }

  close(): Promise<void> {
    this.#isRetired = true;
    this.#memory?.stop();
    // The spare tab would have to wait for a browser that no longer answers.
    this.#closed ??= this.#parts.close().finally(() => this.#dropSpare());
    return this.#closed;
  }

  get #session() {
    return this.#parts.connection.browser;
  }

  /** A browser that does not answer fails all waiting callers, so that another can replace it. */
  async #inTime<T>(answer: Promise<T>, signal: AbortSignal): Promise<T> {
    const late = AbortSignal.timeout(this.#parts.answerLimitMs ?? ANSWER_LIMIT_MS);
    try {
      return await untilAborted(answer, AbortSignal.any([signal, late]));
    } catch (failure) {
      if (failure !== late.reason) throw failure;
      void this.close().catch(() => undefined);
      throw new BrowserFailure("browser-lost", "The browser does not answer any more.", { cause: failure });
    }
  }

  /** Returns the spare tab, or else a new one. */
  async #takeTab(): Promise<BrowserTab> {
    const spare = this.#spare;
    this.#spare = undefined;
    const tab = await spare?.catch(() => undefined);
    return tab && !tab.failure ? tab : this.#createTab();
  }

  async #dropSpare(): Promise<void> {
    const tab = await this.#spare?.catch(() => undefined);
    this.#spare = undefined;
    await tab?.discard().catch(() => undefined);
  }

  async #createTab(): Promise<BrowserTab> {
    const { openEgress, egressHost, isOurs } = this.#parts;
    const egress = await openEgress({
      listenHost: egressHost,
      isExposed: !isOurs,
      users: usersOfBrowsers(),
      maxBytes: MAX_PAGE_LOAD_BYTES,
    });
    try {
      return await this.#createTabBehind(egress);
    } catch (failure) {
      egress.close();
      throw failure;
    }
  }

  async #createTabBehind(egress: Egress): Promise<BrowserTab> {
    const { connection } = this.#parts;
    const { browserContextId } = await this.#session.send("Target.createBrowserContext", {
      disposeOnDetach: true,
      proxyServer: `http://${egress.address}`,
      // Without this, Chromium would reach loopback and link-local addresses past the proxy.
      proxyBypassList: "<-loopback>",
    });
    this.#tabs.set(browserContextId, undefined);
    const dispose = async () => {
      egress.close();
      this.#tabs.delete(browserContextId);
      if (!this.isLost) await this.#session.send("Target.disposeBrowserContext", { browserContextId });
    };
    try {
      const { targetId } = await this.#session.send("Target.createTarget", {
        url: "about:blank",
        browserContextId,
      });
      const { sessionId } = await this.#session.send("Target.attachToTarget", { targetId, flatten: true });
      const session = connection.session(sessionId);
      session.on("Inspector.targetCrashed", () => session.fail(this.#crash()));
      const release = async () => {
        this.makeSpare();
        // A retired browser may end before it confirms that its last context is gone.
        await Promise.all([dispose(), this.#leave()]);
      };
      const { browser } = connection;
      const { isOurs } = this.#parts;
      const parts = {
        session,
        browser,
        contextId: browserContextId,
        targetId,
        egress,
        isOurs,
        release,
        dispose,
      };
      const tab = new BrowserTab(parts);
      this.#tabs.set(browserContextId, tab);
      await Promise.all([tab.prepare(), tab.workers.watch(session)]);
      await this.#parts.prepareIdleTab?.(tab);
      return tab;
    } catch (failure) {
      await dispose().catch(() => undefined);
      throw failure;
    }
  }

  #crash(): BrowserFailure {
    return this.#memory?.isToBlame()
      ? new BrowserFailure("out-of-memory", "The page took too much memory.")
      : new BrowserFailure("tab-crashed", "The page crashed its tab.");
  }

  async #leave(): Promise<void> {
    this.#openTabs -= 1;
    if (this.#isRetired && this.#openTabs === 0) await this.close();
  }
}
