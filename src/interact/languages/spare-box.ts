import type { WarmBox } from "./warm-box.ts";

/**
 * Keeps one box ready: loading Node and Playwright takes 0.7 s of CPU, which nobody has to wait for then. The next one is
 * started when one is taken.
 */
export class SpareBox {
  readonly #start: () => Promise<WarmBox>;
  readonly #onError: (failure: unknown) => void;
  #next: Promise<WarmBox> | undefined;
  #isClosed = false;

  constructor(start: () => Promise<WarmBox>, onError: (failure: unknown) => void) {
    this.#start = start;
    this.#onError = onError;
  }

  /** Starts one in the background, unless there is one. */
  prepare(): void {
    if (this.#isClosed) return;
    this.#next ??= this.#start();
    this.#next.catch((failure: unknown) => {
      this.#next = undefined;
      this.#onError(failure);
    });
  }

  /** A box for one session, which has to close it. @throws what starting one throws. */
  async take(): Promise<WarmBox> {
    const next = this.#next ?? this.#start();
    this.#next = undefined;
    const box = await next;
    this.prepare();
    if (box.isAlive) return box;
    await box.close();
    return this.#start();
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    const next = await this.#next?.catch(() => undefined);
    await next?.close();
  }
}
