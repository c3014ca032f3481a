import { chooseProxy, type Proxy } from "./proxies.ts";

/** A proxy that failed is not used for this long. */
const REST_MS = 60_000;

/** Called after each use of a proxy with whether it connected. */
type OnProxyUse = (proxy: Proxy, works: boolean) => void;

interface ProxyHealthOptions {
  readonly clock?: () => number;
  readonly onUse?: OnProxyUse | undefined;
}

/** Chooses among the operator's proxies, and avoids those that have just failed. */
export class ProxyHealth {
  readonly #proxies: () => readonly Proxy[];
  readonly #clock: () => number;
  readonly #onUse: OnProxyUse | undefined;
  readonly #failedAtMs = new WeakMap<Proxy, number>();

  /** @param proxies returns the current proxies. */
  constructor(proxies: () => readonly Proxy[], { clock = Date.now, onUse }: ProxyHealthOptions = {}) {
    this.#proxies = proxies;
    this.#clock = clock;
    this.#onUse = onUse;
  }

  /**
   * Chooses as `chooseProxy`, among working proxies. When all suitable ones have failed, one of them is tried
   * again.
   */
  choose(tier: Proxy["tier"], country: string | undefined): Proxy | undefined | "none-for-country" {
    const among = chooseProxy(this.#proxies(), tier, country);
    if (typeof among !== "object" || this.#works(among)) return among;
    const working = this.#proxies().filter((proxy) => this.#works(proxy));
    const other = chooseProxy(working, tier, country);
    return typeof other === "object" ? other : among;
  }

  failed(proxy: Proxy): void {
    this.#failedAtMs.set(proxy, this.#clock());
    this.#onUse?.(proxy, false);
  }

  worked(proxy: Proxy): void {
    this.#onUse?.(proxy, true);
  }

  #works(proxy: Proxy): boolean {
    const failedAtMs = this.#failedAtMs.get(proxy);
    return failedAtMs === undefined || this.#clock() - failedAtMs >= REST_MS;
  }
}
