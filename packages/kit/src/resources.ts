/** Closes resources, newest first. A failing close does not keep the others open. */
export class Resources {
  readonly #closers: (() => Promise<void> | void)[] = [];

  /** Registers the resource for closing, and returns it. */
  add<T>(resource: T, close: (resource: T) => Promise<void> | void): T {
    this.#closers.push(() => close(resource));
    return resource;
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
