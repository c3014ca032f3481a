/** How often a run that other processes work on is looked at. */
const LOOK_MS = 1000;

/** Waits for changes, without missing one that comes while no caller waits. */
export class Changes {
  readonly #signal: AbortSignal;
  readonly note = (): void => this.#wake();
  #wake: () => void = () => undefined;

  constructor(signal: AbortSignal) {
    this.#signal = signal;
    signal.addEventListener("abort", this.note);
  }

  /** Resolves when there may be news, after it was asked for. */
  next(): Promise<void> {
    return new Promise((resolve) => {
      const timer = setTimeout(resolve, LOOK_MS).unref();
      this.#wake = () => {
        clearTimeout(timer);
        resolve();
      };
    });
  }

  end(): void {
    this.#wake();
    this.#signal.removeEventListener("abort", this.note);
  }
}
