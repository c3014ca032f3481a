import { LRUCache } from "lru-cache";

/** How long a lesson is believed. Sites change. */
const REMEMBERED_MS = 60 * 60 * 1000;
const REMEMBERED_HOSTS = 10_000;

/** What earlier visits taught about a host. */
export interface HostLessons {
  /** Thin pages of this host are all there is: a browser made no more of one. */
  readonly isThin?: boolean;
  /** The basic tier is kept out, the enhanced one is let in. */
  readonly needsEnhanced?: boolean;
}

/** Remembers for a while what visits have taught about hosts, so that nothing is tried in vain again and again. */
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
