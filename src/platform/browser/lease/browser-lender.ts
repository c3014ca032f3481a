import type { WebSocket } from "ws";

import { BrowserFailure } from "../cdp/browser-failure.ts";
import type { BrowserProcess } from "../launch/browser-process.ts";
import { type Launcher, type LaunchOptions, openLauncher } from "../launch/launch.ts";
import { guardMemory } from "../memory-guard.ts";
import type { LeaseOrder } from "./lease-order.ts";

/** What a borrower has not read yet, beyond what the system keeps for it. */
const MAX_UNSENT_BYTES = 512 * 1024 * 1024;
const PING_MS = 5000;
const SILENT_MS = 15_000;
/** Going away (RFC 6455, section 7.4.1). */
const ENDS = 1001;
/** Between the messages of the pipe that browsers read. */
const SEPARATOR = 0;

interface LenderOptions {
  /** Browsers lent at once. */
  readonly most: number;
  /** Finds the program; undefined when there is none. */
  readonly find: (order: LeaseOrder, signal: AbortSignal) => Promise<LaunchOptions | undefined>;
}

/** A browser that was started for a borrower. */
export interface LentBrowser {
  /** Lets the borrower speak to it, until either has gone. */
  serve(socket: WebSocket): void;
  /** Ends it. To be called when the borrower did not come. */
  close(): Promise<void>;
}

/** Lends browsers to other nodes: one process for each, which ends with the connection of its borrower. */
export class BrowserLender {
  readonly most: number;
  readonly #find: LenderOptions["find"];
  readonly #launchers = new Map<string, Promise<Launcher | undefined>>();
  readonly #closing = new AbortController();
  readonly #lent = new Set<() => Promise<void>>();
  #taken = 0;

  constructor({ most, find }: LenderOptions) {
    this.most = most;
    this.#find = find;
  }

  get free(): number {
    return this.most - this.#taken;
  }

  /**
   * @returns why there is none: all are lent, or this node has no such program.
   * @throws BrowserFailure when it does not start.
   */
  async lend(order: LeaseOrder): Promise<LentBrowser | "all-lent" | "no-such-browser"> {
    if (this.free <= 0) return "all-lent";
    this.#taken += 1;
    try {
      const launch = await this.#launcher(order);
      const started = await launch?.(this.#closing.signal);
      if (started) return this.#lend(started);
      this.#taken -= 1;
      return "no-such-browser";
    } catch (failure) {
      this.#taken -= 1;
      throw failure;
    }
  }

  async close(): Promise<void> {
    this.#closing.abort(new BrowserFailure("browser-lost", "The service is stopping."));
    await Promise.all([...this.#lent].map((close) => close()));
  }

  #launcher(order: LeaseOrder): Promise<Launcher | undefined> {
    const key = JSON.stringify(order);
    const launcher =
      this.#launchers.get(key) ??
      this.#find(order, this.#closing.signal).then(
        (found) => found && openLauncher({ ...found, opensWindows: order.opensWindows }),
      );
    this.#launchers.set(key, launcher);
    return launcher;
  }

  #lend(started: BrowserProcess): LentBrowser {
    let closing: Promise<void> | undefined;
    const close = () => {
      closing ??= (async () => {
        await started.close();
        this.#lent.delete(close);
        this.#taken -= 1;
      })();
      return closing;
    };
    this.#lent.add(close);
    return { close, serve: (socket) => serve(started, socket, close) };
  }
}

function serve({ connection }: BrowserProcess, socket: WebSocket, close: () => Promise<void>): void {
  const send = connection.bridge((text) => {
    if (socket.bufferedAmount > MAX_UNSENT_BYTES) socket.terminate();
    else socket.send(text);
  });
  // NOTE: not before the bridge, as what it asks would be answered to the borrower.
  const memory = guardMemory(connection.browser, () => !connection.isLost);
  socket.once("close", () => memory.stop());
  socket.on("message", (data: Buffer, isBinary) => {
    // A message that would be several is none of DevTools.
    if (isBinary || data.includes(SEPARATOR)) socket.terminate();
    else send(data.toString("utf8"));
  });
  socket.once("close", () => void close());
  connection.whenLost(() => socket.close(ENDS));
  endWhenSilent(socket);
}

/** A borrower that has gone without a word gives its browser back. */
function endWhenSilent(socket: WebSocket): void {
  let heardAtMs = performance.now();
  const hear = () => {
    heardAtMs = performance.now();
  };
  socket.on("pong", hear).on("message", hear).on("ping", hear);
  const timer = setInterval(() => {
    if (performance.now() - heardAtMs > SILENT_MS) socket.terminate();
    else if (socket.readyState === socket.OPEN) socket.ping();
  }, PING_MS).unref();
  socket.once("close", () => clearInterval(timer));
}
