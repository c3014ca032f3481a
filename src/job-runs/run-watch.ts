/** Who wants to know that something of a run is different. */
export class RunWatch {
  readonly #listeners = new Map<string, Set<() => void>>();

  /** @returns what ends it. */
  watch(runId: string, listener: () => void): () => void {
    const listeners = this.#listeners.get(runId) ?? new Set();
    this.#listeners.set(runId, listeners.add(listener));
    return () => {
      listeners.delete(listener);
      if (listeners.size === 0) this.#listeners.delete(runId);
    };
  }

  /** To be called in the transaction of the change; listeners are told when it is over. */
  changed(runId: string): void {
    const listeners = this.#listeners.get(runId);
    if (listeners) setImmediate(() => listeners.forEach((listener) => listener()));
  }
}
