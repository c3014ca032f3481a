import type { CodeCall, CodeResult, CodeRunner } from "./code-runner.ts";
import type { WarmBox } from "./warm-box.ts";

/** The browser of a session, as boxes reach it. */
export interface SocketBrowser {
  listen(socketPath: string): Promise<{ close(): Promise<void> }>;
}

/** After so long without code a box is given up: it takes 80 MB. The page stays; variables of the code go. */
const PARKED_AFTER_MS = 120_000;

/** Runs the code of a session in a box of its own, which is replaced when it ends. */
export class BoxRunner implements CodeRunner {
  readonly #browser: SocketBrowser;
  readonly #takeBox: () => Promise<WarmBox>;
  readonly #onError: (failure: unknown) => void;
  #parking: NodeJS.Timeout | undefined;
  #current: { readonly box: WarmBox; readonly socket: { close(): Promise<void> } } | undefined;

  /** @param onError called when a box could not be given up */
  constructor(browser: SocketBrowser, takeBox: () => Promise<WarmBox>, onError: (failure: unknown) => void) {
    this.#browser = browser;
    this.#takeBox = takeBox;
    this.#onError = onError;
  }

  async run({ signal, ...order }: CodeCall): Promise<CodeResult> {
    clearTimeout(this.#parking);
    const box = await this.#box();
    try {
      return await box.run(order, signal);
    } finally {
      if (!box.isAlive) await this.close();
      else this.#parking = setTimeout(() => void this.close().catch(this.#onError), PARKED_AFTER_MS).unref();
    }
  }

  async close(): Promise<void> {
    clearTimeout(this.#parking);
    const current = this.#current;
    this.#current = undefined;
    await current?.box.close();
    await current?.socket.close();
  }

  async #box(): Promise<WarmBox> {
    if (this.#current && !(await this.#current.box.rouse())) await this.close();
    if (this.#current) return this.#current.box;
    const box = await this.#takeBox();
    const socket = await this.#browser.listen(box.socketPath);
    this.#current = { box, socket };
    return box;
  }
}
