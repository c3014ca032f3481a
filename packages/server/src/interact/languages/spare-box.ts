import type { WarmBox } from "./warm-box.ts";

/** Who has taken a box opens a page for it now, and should not have to share the processor with the next box. */
const NEXT_AFTER_MS = 1500;

/**
 * Keeps one box ready: loading Node and Playwright takes 0.7 s of CPU, which no request then waits for. The next one is
 * started a while after one was taken.
 */
export class SpareBox {
  readonly #start: () => Promise<WarmBox>;
  readonly #onError: (failure: unknown) => void;
  #next: Promise<WarmBox> | undefined;
  #preparing: NodeJS.Timeout | undefined;
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
    clearTimeout(this.#preparing);
    this.#preparing = setTimeout(() => this.prepare(), NEXT_AFTER_MS).unref();
    const box = await next;
    if (box.isAlive) return box;
    await box.close();
    return this.#start();
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    clearTimeout(this.#preparing);
    const next = await this.#next?.catch(() => undefined);
    await next?.close();
  }
}
