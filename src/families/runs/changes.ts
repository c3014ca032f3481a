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
      this.#wake = resolve;
    });
  }

  end(): void {
    this.#wake();
    this.#signal.removeEventListener("abort", this.note);
  }
}
