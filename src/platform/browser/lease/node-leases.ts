import { setTimeout as pause } from "node:timers/promises";

import { BrowserFailure } from "../cdp/browser-failure.ts";
import type { CdpConnection } from "../cdp/cdp-connection.ts";
import { ConnectionRefused } from "../cdp/websocket-transport.ts";
import { connectRemoteBrowser } from "../launch/remote-browser.ts";
import { type LeaseOrder, leaseTarget, type LentProgram } from "./lease-order.ts";

/** A node that lends browsers. */
export interface LendingNode {
  readonly url: string;
  readonly free: number;
  readonly programs: readonly string[];
}

interface LeaseParts {
  /** Those that lend to others now; they may be a few seconds behind. */
  readonly nodes: () => Promise<readonly LendingNode[]>;
  /** What nodes are known by to each other. */
  readonly headers: Readonly<Record<string, string>>;
}

/** A browser of another node, until it is returned by closing its connection. */
export interface Lease {
  readonly connection: CdpConnection;
  /** Where it is. */
  readonly url: string;
}

/** From the request to a browser that has started, which takes up to 20 seconds on a slow disk. */
const CONNECT_LIMIT_MS = 25_000;
/** A node that could not be reached is left alone for so long. */
const LEFT_ALONE_MS = 10_000;
/** Until the next look when all browsers are lent. */
const WAIT_MS = 250;
/** How old the list of nodes may be. */
const LIST_MS = 1000;
const BUSY = 503;

/** Browsers of other nodes: of the one that has most to lend, or else the next. */
export class NodeLeases {
  readonly #parts: LeaseParts;
  readonly #leftAloneUntilMs = new Map<string, number>();
  #listed: { readonly atMs: number; readonly nodes: Promise<readonly LendingNode[]> } | undefined;

  constructor(parts: LeaseParts) {
    this.#parts = parts;
  }

  /** Whether a node lends such a browser at all. */
  async hasAny(program: LentProgram): Promise<boolean> {
    return (await this.#nodes()).some(({ programs }) => programs.includes(program));
  }

  /** Whether a node still lends: one that is going to end, or is silent, does not. */
  async isLending(url: string): Promise<boolean> {
    return (await this.#nodes()).some((node) => node.url === url);
  }

  /**
   * Waits while all browsers are lent.
   * @throws BrowserFailure of kind `unavailable` when no node lends one, or none answers; the signal's reason.
   */
  async take(order: LeaseOrder, signal: AbortSignal): Promise<Lease> {
    for (;;) {
      const { lease, isWorthWaiting } = await this.#tryAll(order, signal);
      if (lease) return lease;
      if (!isWorthWaiting) {
        throw new BrowserFailure("unavailable", "No node with the role browse lends a browser.");
      }
      await pause(WAIT_MS, undefined, { signal }).catch(() => signal.throwIfAborted());
    }
  }

  async #tryAll(order: LeaseOrder, signal: AbortSignal) {
    let isWorthWaiting = false;
    for (const { url, programs } of await this.#inOrder()) {
      if (!programs.includes(order.program)) continue;
      try {
        return { lease: await this.#connect(url, order, signal), isWorthWaiting };
      } catch (failure) {
        signal.throwIfAborted();
        const { cause } = failure as { readonly cause?: unknown };
        if (cause instanceof ConnectionRefused && cause.status === BUSY) isWorthWaiting = true;
        else this.#leftAloneUntilMs.set(url, performance.now() + LEFT_ALONE_MS);
      }
    }
    return { lease: undefined, isWorthWaiting };
  }

  async #connect(url: string, order: LeaseOrder, signal: AbortSignal): Promise<Lease> {
    const limit = AbortSignal.any([signal, AbortSignal.timeout(CONNECT_LIMIT_MS)]);
    const address = `${url.replace(/^http/, "ws")}${leaseTarget(order)}`;
    return { url, connection: await connectRemoteBrowser(address, limit, this.#parts.headers) };
  }

  /** Those with most to lend first, and those that did not answer lately last. */
  async #inOrder(): Promise<readonly LendingNode[]> {
    const nowMs = performance.now();
    const isLeftAlone = ({ url }: LendingNode) => (this.#leftAloneUntilMs.get(url) ?? 0) > nowMs;
    const nodes = await this.#nodes();
    return nodes.toSorted(
      (one, other) => Number(isLeftAlone(one)) - Number(isLeftAlone(other)) || other.free - one.free,
    );
  }

  #nodes(): Promise<readonly LendingNode[]> {
    const nowMs = performance.now();
    if (this.#listed && nowMs - this.#listed.atMs < LIST_MS) return this.#listed.nodes;
    const nodes = this.#parts.nodes();
    this.#listed = { atMs: nowMs, nodes };
    nodes.catch(() => {
      this.#listed = undefined;
    });
    return nodes;
  }
}
