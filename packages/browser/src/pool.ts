import { lazy } from "@pergamon-dev/kit/lazy";
import { Gate } from "@pergamon-dev/kit/gate";
import { untilAborted } from "@pergamon-dev/kit/single-flight";
import { ANSWER_LIMIT_MS, Browser, type BrowserParts, type TabOptions } from "./browser.ts";
import { BrowserFailure } from "./cdp/browser-failure.ts";
import { type Launcher, type LaunchOptions, openLauncher } from "./launch/launch.ts";
import { connectRemoteBrowser } from "./launch/remote-browser.ts";
import type { BrowserTab } from "./tab/tab.ts";
import type { OpenEgress } from "./egress.ts";

/** An unused browser is closed after this time. */
const IDLE_MS = 5 * 60 * 1000;

/** Warm browsers that scrapes share. Each scrape has its own tab. */
export interface BrowserPool {
  /** Whether a browser is available at all. The first call searches for one. */
  isAvailable(signal: AbortSignal): Promise<boolean>;
  /** Whether a browser is starting, and tabs must wait for it. */
  readonly isStarting: boolean;
  /** Starts a browser and a tab in the background, unless they exist, because a caller will soon need one. */
  warmUp(): void;
  /**
   * Opens a tab once there is room, passes it to `use` and always closes it.
   * @throws BrowserFailure when no browser is available, or the tab is lost; errors of `use`; the signal's
   * reason.
   */
  withTab<T>(options: TabOptions, use: (tab: BrowserTab) => Promise<T>, signal: AbortSignal): Promise<T>;
  close(): Promise<void>;
}

export interface BrowserPoolOptions {
  readonly openEgress: OpenEgress;
  /** Finds the program; undefined when there is none. Called once, for the first tab. */
  readonly find: (signal: AbortSignal) => Promise<LaunchOptions | undefined>;
  /** Addresses of remote browsers, which are used instead of a local one. */
  readonly remoteUrls: readonly string[];
  /** Host at which browsers reach proxies of this process. */
  readonly egressHost: string;
  /** Maximum open tabs. */
  readonly maxTabs: number;
  /** Milliseconds that a running browser may take to answer. Default: 15 seconds. */
  readonly answerLimitMs?: number;
  /** Prepares each new tab with the steps that most of its users would do first. */
  readonly prepareIdleTab?: BrowserParts["prepareIdleTab"];
  /**
   * Called when a browser does not start, or may not be used. Callers that wait for a tab get fewer details.
   */
  readonly onStartFailure?: (failure: unknown) => void;
  /** Called for each opened tab. */
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
    // The caller that asks for a tab gets the failure.
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
          // The answer does not wait until the tab is closed.
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

  /**
   * Returns the browser for the next tab: the current one, or a new one when the current one is lost or worn.
   */
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

  /** Connects to the next address in the list, so that browsers share the work and a dead one is skipped. */
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
