import { Gate } from "../../../kit/gate.ts";
import { untilAborted } from "../../../kit/single-flight.ts";
import { Browser, type TabOptions } from "../browser.ts";
import { BrowserFailure } from "../cdp/browser-failure.ts";
import type { BrowserPool, BrowserPoolOptions } from "../pool.ts";
import type { BrowserTab } from "../tab/tab.ts";
import type { LeaseOrder } from "./lease-order.ts";
import type { NodeLeases } from "./node-leases.ts";

/** Pages open in one browser at once: more browsers spread over more nodes. */
export const TABS_PER_LEASE = 4;
/** An unused browser is returned, as others may wait for it. */
const IDLE_MS = 15_000;
const LOOK_MS = 1000;
/** For one page, while browsers are lost before they open it. */
const MAX_BROWSERS_TRIED = 3;

export interface LeasedPoolOptions extends Pick<
  BrowserPoolOptions,
  "guard" | "egressHost" | "maxTabs" | "prepareIdleTab" | "onStartFailure"
> {
  readonly leases: Pick<NodeLeases, "hasAny" | "isLending" | "take">;
  readonly order: LeaseOrder;
}

/** A browser of another node, and how many pages of ours are open in it. */
interface Held {
  readonly browser: Browser;
  readonly url: string;
  openTabs: number;
  idleTimer?: NodeJS.Timeout;
}

interface OpenTab {
  readonly held: Held;
  readonly tab: BrowserTab;
}

export function openLeasedPool(options: LeasedPoolOptions): BrowserPool {
  return new LeasedBrowsers(options);
}

class LeasedBrowsers implements BrowserPool {
  readonly #options: LeasedPoolOptions;
  readonly #gate: Gate;
  readonly #closing = new AbortController();
  readonly #held = new Set<Held>();
  #leasing: Promise<Held> | undefined;

  constructor(options: LeasedPoolOptions) {
    this.#options = options;
    this.#gate = new Gate(options.maxTabs);
  }

  async isAvailable(signal: AbortSignal): Promise<boolean> {
    const { leases, order } = this.#options;
    return untilAborted(leases.hasAny(order.program), signal);
  }

  get isStarting(): boolean {
    return this.#leasing !== undefined && this.#held.size === 0;
  }

  /** Other nodes may need the browsers that this one does not need yet. */
  warmUp(): void {
    return undefined;
  }

  async withTab<T>(
    options: TabOptions,
    use: (tab: BrowserTab) => Promise<T>,
    signal: AbortSignal,
  ): Promise<T> {
    return this.#gate.run(async () => {
      const { tab, held } = await this.#open(options, signal);
      try {
        return await use(tab);
      } finally {
        tab.close().catch(() => undefined);
        this.#giveBack(held);
      }
    }, signal);
  }

  async close(): Promise<void> {
    this.#closing.abort(new BrowserFailure("browser-lost", "The service is stopping."));
    await this.#leasing?.catch(() => undefined);
    await Promise.all([...this.#held].map((held) => this.#drop(held)));
  }

  /** A browser that is lost before it has opened the page was not lost by the page: the next one is tried. */
  async #open(options: TabOptions, signal: AbortSignal): Promise<OpenTab> {
    for (let tries = 1; ; tries += 1) {
      try {
        return await this.#openOnce(options, signal);
      } catch (failure) {
        const isLost = failure instanceof BrowserFailure && failure.kind === "browser-lost";
        if (!isLost || tries === MAX_BROWSERS_TRIED || this.#closing.signal.aborted) throw failure;
      }
    }
  }

  async #openOnce(options: TabOptions, signal: AbortSignal): Promise<OpenTab> {
    const held = await this.#take(signal);
    try {
      return { held, tab: await held.browser.openTab(options, signal) };
    } catch (failure) {
      this.#giveBack(held);
      throw failure;
    }
  }

  async #take(signal: AbortSignal): Promise<Held> {
    for (;;) {
      signal.throwIfAborted();
      const held = await this.#withRoom();
      if (held) return held;
      await untilAborted(this.#lease(), signal);
    }
  }

  /** A browser with room, with one more open tab counted. */
  async #withRoom(): Promise<Held | undefined> {
    for (const held of this.#held) {
      const { browser, url } = held;
      const isLending = await this.#options.leases.isLending(url);
      // Meanwhile it may have been returned.
      const isFit = isLending && !browser.isLost && !browser.isWorn;
      if (!isFit) this.#retire(held);
      else if (held.openTabs < TABS_PER_LEASE) {
        clearInterval(held.idleTimer);
        held.openTabs += 1;
        return held;
      }
    }
    return undefined;
  }

  /** One at a time: those who wait share what comes. */
  #lease(): Promise<Held> {
    this.#leasing ??= this.#leaseOne()
      .catch((failure: unknown) => {
        if (!this.#closing.signal.aborted) this.#options.onStartFailure?.(failure);
        throw failure;
      })
      .finally(() => {
        this.#leasing = undefined;
      });
    return this.#leasing;
  }

  async #leaseOne(): Promise<Held> {
    const { leases, order, guard, egressHost, prepareIdleTab } = this.#options;
    const { connection, url } = await leases.take(order, this.#closing.signal);
    const close = async () => connection.close();
    const browser = new Browser({ connection, guard, egressHost, prepareIdleTab, isOurs: false, close });
    const held: Held = { browser, url, openTabs: 0 };
    connection.whenLost(() => void this.#drop(held).catch(() => undefined));
    await browser.prepare(this.#closing.signal);
    this.#held.add(held);
    this.#whenIdle(held);
    return held;
  }

  #giveBack(held: Held): void {
    held.openTabs -= 1;
    this.#whenIdle(held);
  }

  /** Gives it back after a while, and at once where its node is going to end. */
  #whenIdle(held: Held): void {
    if (held.openTabs > 0 || !this.#held.has(held)) return;
    const idleUntilMs = performance.now() + IDLE_MS;
    const look = async () => {
      const isWanted = performance.now() < idleUntilMs && (await this.#options.leases.isLending(held.url));
      if (!isWanted && held.openTabs === 0) this.#retire(held);
    };
    clearInterval(held.idleTimer);
    // The list of nodes that cannot be read is read again a moment later.
    held.idleTimer = setInterval(() => void look().catch(() => undefined), LOOK_MS).unref();
  }

  /** Ends it once its last page has ended. */
  #retire(held: Held): void {
    this.#held.delete(held);
    clearInterval(held.idleTimer);
    held.browser.retire().catch(() => undefined);
  }

  async #drop(held: Held): Promise<void> {
    this.#held.delete(held);
    clearInterval(held.idleTimer);
    await held.browser.close();
  }
}
