import type { CodeCall, CodeResult, CodeRunner } from "./code-runner.ts";
import type { WarmBox } from "./warm-box.ts";

/** The browser of a session, as boxes reach it. */
export interface SocketBrowser {
  listen(socketPath: string): Promise<{ close(): Promise<void> }>;
}

/** Runs the code of a session in a box of its own, which is replaced when it ends. */
export class BoxRunner implements CodeRunner {
  readonly #browser: SocketBrowser;
  readonly #takeBox: () => Promise<WarmBox>;
  #current: { readonly box: WarmBox; readonly socket: { close(): Promise<void> } } | undefined;

  constructor(browser: SocketBrowser, takeBox: () => Promise<WarmBox>) {
    this.#browser = browser;
    this.#takeBox = takeBox;
  }

  async run({ signal, ...order }: CodeCall): Promise<CodeResult> {
    const box = await this.#box();
    try {
      return await box.run(order, signal);
    } finally {
      if (!box.isAlive) await this.close();
    }
  }

  async close(): Promise<void> {
    const current = this.#current;
    this.#current = undefined;
    await current?.box.close();
    await current?.socket.close();
  }

  async #box(): Promise<WarmBox> {
    if (this.#current && !this.#current.box.isAlive) await this.close();
    if (this.#current) return this.#current.box;
    const box = await this.#takeBox();
    const socket = await this.#browser.listen(box.socketPath);
    this.#current = { box, socket };
    return box;
  }
}
