/** Lets at most `slots` tasks run at once; the others wait in order of arrival. */
export class Gate {
  readonly #slots: number;
  #running = 0;
  readonly #waiting: (() => void)[] = [];

  constructor(slots: number) {
    this.#slots = slots;
  }

  get running(): number {
    return this.#running;
  }

  get waiting(): number {
    return this.#waiting.length;
  }

  /**
   * Runs the task once a slot is free.
   * @throws the signal's reason when it is aborted while waiting; the task is then never started.
   */
  async run<T>(task: () => Promise<T>, signal: AbortSignal): Promise<T> {
    await this.#enter(signal);
    try {
      return await task();
    } finally {
      this.#leave();
    }
  }

  async #enter(signal: AbortSignal): Promise<void> {
    signal.throwIfAborted();
    if (this.#running < this.#slots) {
      this.#running += 1;
      return;
    }
    await new Promise<void>((resolve, reject) => {
      const admit = () => {
        signal.removeEventListener("abort", giveUp);
        resolve();
      };
      const giveUp = () => {
        this.#waiting.splice(this.#waiting.indexOf(admit), 1);
        reject(signal.reason as Error);
      };
      this.#waiting.push(admit);
      signal.addEventListener("abort", giveUp, { once: true });
    });
  }

  #leave(): void {
    const next = this.#waiting.shift();
    if (next) next();
    else this.#running -= 1;
  }
}
