/** Lets one at a time have the connection, first come first served. */
export class Turns {
  #taken = false;
  readonly #waiting: (() => void)[] = [];

  get isFree(): boolean {
    return !this.#taken;
  }

  async take(): Promise<void> {
    if (this.#taken) return new Promise((resolve) => this.#waiting.push(resolve));
    this.#taken = true;
  }

  /** Hands the connection to the next who waits. */
  give(): void {
    const next = this.#waiting.shift();
    if (next) next();
    else this.#taken = false;
  }
}
