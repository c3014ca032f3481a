type Listener = (text: string) => void;

/** Who hears what in this process. */
export class Topics {
  readonly #listeners = new Map<string, Set<Listener>>();

  get isHeard(): boolean {
    return this.#listeners.size > 0;
  }

  /** @returns what ends the hearing. */
  hear(topic: string, listener: Listener): () => void {
    const listeners = this.#listeners.get(topic) ?? new Set();
    // The same function may hear twice, and end twice.
    const own: Listener = (text) => listener(text);
    this.#listeners.set(topic, listeners.add(own));
    return () => {
      listeners.delete(own);
      if (listeners.size === 0 && this.#listeners.get(topic) === listeners) this.#listeners.delete(topic);
    };
  }

  tell(topic: string, text: string): void {
    for (const listener of this.#listeners.get(topic) ?? []) listener(text);
  }
}
