/** The end of a service, announced: balancers and other nodes leave it before it refuses anything. */
export class Drain {
  readonly #listeners: (() => void)[] = [];
  #hasBegun = false;

  get hasBegun(): boolean {
    return this.#hasBegun;
  }

  /** Calls the listener when it begins. */
  onBegin(listener: () => void): void {
    this.#listeners.push(listener);
  }

  begin(): void {
    if (this.#hasBegun) return;
    this.#hasBegun = true;
    for (const listener of this.#listeners) listener();
  }
}
