/** Who wants to know that something of a run is different. */
export class RunWatch {
  readonly #listeners = new Map<string, Set<() => void>>();
  readonly #ofAll = new Set<(runId: string) => void>();

  /** @returns what ends it. */
  watch(runId: string, listener: () => void): () => void {
    const listeners = this.#listeners.get(runId) ?? new Set();
    this.#listeners.set(runId, listeners.add(listener));
    return () => {
      listeners.delete(listener);
      if (listeners.size === 0) this.#listeners.delete(runId);
    };
  }

  /** @param listener called with the id of each run that is different. @returns what ends it. */
  watchAll(listener: (runId: string) => void): () => void {
    this.#ofAll.add(listener);
    return () => this.#ofAll.delete(listener);
  }

  /** To be called in the transaction of the change; listeners are called afterwards. */
  changed(runId: string): void {
    const listeners = this.#listeners.get(runId);
    if (!listeners && this.#ofAll.size === 0) return;
    setImmediate(() => {
      listeners?.forEach((listener) => listener());
      this.#ofAll.forEach((listener) => listener(runId));
    });
  }
}
