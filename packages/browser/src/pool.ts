import { lazy } from "@pergamon-dev/kit/lazy";
import { Gate } from "@pergamon-dev/kit/gate";
import { untilAborted } from "@pergamon-dev/kit/single-flight";
import { ANSWER_LIMIT_MS, Browser, type BrowserParts, type TabOptions } from "./browser.ts";
import { BrowserFailure } from "./cdp/browser-failure.ts";
import { type Launcher, type LaunchOptions, openLauncher } from "./launch/launch.ts";
import { connectRemoteBrowser } from "./launch/remote-browser.ts";
import type { BrowserTab } from "./tab/tab.ts";
import type { OpenEgress } from "./egress.ts";

/** Closes an unused browser. */
const IDLE_MS = 5 * 60 * 1000;

/** Warm browsers that scrapes share, each scrape in a tab of its own. */
export interface BrowserPool {
  /** Whether there can be a browser at all. Looks for one the first time. */
  isAvailable(signal: AbortSignal): Promise<boolean>;
  /** Whether the first browser, or the next one, is on its way, and tabs have to wait for it. */
  readonly isStarting: boolean;
  /** Starts a browser and a tab in it in the background, unless they are there: one is going to be wanted soon. */
  warmUp(): void;
  /**
   * Opens a tab once there is room, lets it be used and closes it in any case.
   * @throws BrowserFailure when no browser can be had, or the tab is lost; what `use` throws; the signal's reason.
   */
  withTab<T>(options: TabOptions, use: (tab: BrowserTab) => Promise<T>, signal: AbortSignal): Promise<T>;
  close(): Promise<void>;
}

export interface BrowserPoolOptions {
  readonly openEgress: OpenEgress;
  /** Finds the program; undefined when there is none. Asked once, when the first tab is wanted. */
  readonly find: (signal: AbortSignal) => Promise<LaunchOptions | undefined>;
  /** Addresses of browsers elsewhere; they are used instead of one of ours. */
  readonly remoteUrls: readonly string[];
  /** Where browsers reach proxies of this process. */
  readonly egressHost: string;
  /** Tabs open at once. */
  readonly maxTabs: number;
  /** How long a browser that runs may take to answer, in milliseconds. Default: 15 seconds. */
  readonly answerLimitMs?: number;
  /** Does to a tab, as soon as it is open, what most of its users would do first. */
  readonly prepareIdleTab?: BrowserParts["prepareIdleTab"];
  /** Called when a browser does not start, or may not be used. Callers that wait for a tab get fewer details. */
  readonly onStartFailure?: (failure: unknown) => void;
  /** Called for each tab that was opened. */
  readonly onTab?: () => void;
}

export function openBrowserPool(options: BrowserPoolOptions): BrowserPool {
  return new SharedBrowsers(options);
}

type Connected = Pick<BrowserParts, "connection" | "isOurs" | "close">;

class SharedBrowsers implements BrowserPool {
  readonly #options: BrowserPoolOptions;
  readonly #gate: Gate;
  readonly #closing = new AbortController();
  readonly #browsers = new Set<Browser>();
  readonly #find = lazy(() => this.#options.find(this.#closing.signal));
  #launch: Launcher | undefined;
  #current: Promise<Browser> | undefined;
  #isStarting = false;
  #nextRemote = 0;
  #idleTimer: NodeJS.Timeout | undefined;

  constructor(options: BrowserPoolOptions) {
    this.#options = options;
    this.#gate = new Gate(options.maxTabs);
  }

  async isAvailable(signal: AbortSignal): Promise<boolean> {
    if (this.#options.remoteUrls.length > 0) return true;
    return (await untilAborted(this.#find(), signal)) !== undefined;
  }

  get isStarting(): boolean {
    return this.#isStarting;
  }

  warmUp(): void {
    // Failures are reported to the caller that asks for a tab.
    this.#prepareTab().catch(() => undefined);
  }

  async withTab<T>(
    options: TabOptions,
    use: (tab: BrowserTab) => Promise<T>,
    signal: AbortSignal,
  ): Promise<T> {
    clearTimeout(this.#idleTimer);
    try {
      return await this.#gate.run(async () => {
        const tab = await this.#open(options, signal);
        try {
          return await use(tab);
        } finally {
          // The answer need not wait for the end of the page that it was taken from.
          tab.close().catch(() => undefined);
        }
      }, signal);
    } finally {
      this.#whenIdle();
    }
  }

  async close(): Promise<void> {
    clearTimeout(this.#idleTimer);
    this.#closing.abort(new BrowserFailure("browser-lost", "The service is stopping."));
    await this.#current?.catch(() => undefined);
    await Promise.all([...this.#browsers].map((browser) => browser.close()));
  }

  async #prepareTab(): Promise<void> {
    if (!(await this.isAvailable(this.#closing.signal))) return;
    try {
      (await this.#browser()).makeSpare();
    } finally {
      this.#whenIdle();
    }
  }

  async #open(options: TabOptions, signal: AbortSignal): Promise<BrowserTab> {
    const browser = await untilAborted(this.#browser(), signal);
    const tab = await browser.openTab(options, signal);
    this.#options.onTab?.();
    return tab;
  }

  /** The browser for the next tab: the present one, or a new one when that is lost or worn. */
  async #browser(): Promise<Browser> {
    const present = this.#current;
    const browser = await present?.catch(() => undefined);
    if (browser && !browser.isLost && !browser.isWorn) return browser;
    if (this.#current === present) {
      this.#current = this.#start();
      this.#isStarting = true;
      const started = () => {
        this.#isStarting = false;
      };
      this.#current.then(started, (failure: unknown) => {
        started();
        if (!this.#closing.signal.aborted) this.#options.onStartFailure?.(failure);
      });
      void browser?.retire().catch(() => undefined);
    }
    return this.#current ?? this.#browser();
  }

  async #start(): Promise<Browser> {
    const parts = await this.#connect();
    const { openEgress, egressHost, prepareIdleTab, answerLimitMs } = this.#options;
    const browser = new Browser({ ...parts, openEgress, egressHost, prepareIdleTab, answerLimitMs });
    this.#browsers.add(browser);
    parts.connection.whenLost(() => {
      this.#browsers.delete(browser);
      void browser.close().catch(() => undefined);
    });
    await browser.prepare(this.#closing.signal);
    return browser;
  }

  async #connect(): Promise<Connected> {
    if (this.#options.remoteUrls.length > 0) return this.#connectRemote();
    const found = await this.#find();
    if (!found) throw new BrowserFailure("unavailable", "No browser was found.");
    this.#launch ??= openLauncher(found);
    const launched = await this.#launch(this.#closing.signal);
    return { ...launched, isOurs: true };
  }

  /** The next of the list, so that the browsers share the work and a dead one is left behind. */
  async #connectRemote(): Promise<Connected> {
    const { remoteUrls, answerLimitMs = ANSWER_LIMIT_MS } = this.#options;
    const address = remoteUrls[this.#nextRemote % remoteUrls.length] ?? "";
    this.#nextRemote += 1;
    const late = AbortSignal.timeout(answerLimitMs);
    const limit = AbortSignal.any([this.#closing.signal, late]);
    const connection = await connectRemoteBrowser(address, limit).catch((failure: unknown) => {
      if (failure !== late.reason) throw failure;
      throw new BrowserFailure("unavailable", "A browser elsewhere does not answer.", { cause: failure });
    });
    return { connection, isOurs: false, close: async () => connection.close() };
  }

  #whenIdle(): void {
    if (this.#gate.running > 0 || this.#closing.signal.aborted) return;
    clearTimeout(this.#idleTimer);
    this.#idleTimer = setTimeout(() => {
      const idle = this.#current;
      this.#current = undefined;
      void idle?.then((browser) => browser.retire()).catch(() => undefined);
    }, IDLE_MS).unref();
  }
}
