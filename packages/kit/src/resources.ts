/** Closes what was opened, newest first. A failing close does not keep the others open. */
export class Resources {
  readonly #closers: (() => Promise<void> | void)[] = [];

  /** Notes that the resource is to be closed, and returns it. */
  add<T>(resource: T, close: (resource: T) => Promise<void> | void): T {
    this.#closers.push(() => close(resource));
    return resource;
  }

  /** @throws AggregateError when closing something failed, after everything was tried. */
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
