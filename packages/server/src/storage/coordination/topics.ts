type Listener = (text: string) => void;

/** Listeners of this process by topic. */
export class Topics {
  readonly #listeners = new Map<string, Set<Listener>>();

  get isHeard(): boolean {
    return this.#listeners.size > 0;
  }

  /** @returns a function that ends the subscription. */
  hear(topic: string, listener: Listener): () => void {
    const listeners = this.#listeners.get(topic) ?? new Set();
    // The same function may subscribe twice, and unsubscribe twice.
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
