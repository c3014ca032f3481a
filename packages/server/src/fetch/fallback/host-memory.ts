import { LRUCache } from "lru-cache";

/** How long a lesson is believed. Sites change. */
const REMEMBERED_MS = 60 * 60 * 1000;
const REMEMBERED_HOSTS = 10_000;

/** What earlier visits taught about a host. */
interface HostLessons {
  /** Pages of this host with little text are complete: a browser found no more in one. */
  readonly isThin?: boolean;
  /** The basic tier is kept out, the enhanced one is let in. */
  readonly needsEnhanced?: boolean;
}

/** Remembers for a while what visits have taught about hosts, so that nothing is tried without success again and again. */
export class HostMemory {
  readonly #lessons = new LRUCache<string, HostLessons>({ max: REMEMBERED_HOSTS, ttl: REMEMBERED_MS });

  recall(url: string): HostLessons {
    return this.#lessons.get(new URL(url).host) ?? {};
  }

  learn(url: string, lessons: HostLessons): void {
    const { host } = new URL(url);
    this.#lessons.set(host, { ...this.#lessons.get(host), ...lessons });
  }
}
