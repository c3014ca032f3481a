/** Closes resources, newest first. A failing close does not keep the others open. Meanwhile they can rest. */
export class Resources {
  readonly #closers: (() => Promise<void> | void)[] = [];
  readonly #resting: (() => Promise<void> | void)[] = [];

  /** Registers the resource for closing, and returns it. */
  add<T>(resource: T, close: (resource: T) => Promise<void> | void): T {
    this.#closers.push(() => close(resource));
    return resource;
  }

  /** @param letGo gives up what is kept only to be faster. */
  whenIdle(letGo: () => Promise<void> | void): void {
    this.#resting.push(letGo);
  }

  /** Lets all go of what they keep only to be faster. Call it when there has been nothing to do for a while. */
  async rest(): Promise<void> {
    for (const letGo of this.#resting) await letGo();
  }

  /** @throws AggregateError when a close failed, after all were tried. */
  async close(): Promise<void> {
    const failures: unknown[] = [];
    for (let closer = this.#closers.pop(); closer; closer = this.#closers.pop()) {
      try {
        await closer();
      } catch (failure) {
        failures.push(failure);
      }
    }
    if (failures.length > 0) throw new AggregateError(failures, "Not everything could be closed.");
  }
}
