import { LRUCache } from "lru-cache";
import { atMost } from "@pergamon-dev/kit/at-most";

/** Lifetime of a lesson that is not learned again, because sites change. */
const REMEMBERED_MS = 10 * 60 * 1000;
const REMEMBERED_HOSTS = 10_000;

/** Lessons of earlier visits to a host. */
interface HostLessons {
  /** Short pages of this host are complete, because a browser found no more text in one. */
  readonly isThin?: boolean;
  /** The site blocks the basic tier and accepts the enhanced one. */
  readonly needsEnhanced?: boolean;
  /** A challenge of this host was not passed, so it is asked once, without waiting. */
  readonly keepsOut?: boolean;
}

/** Remembers the lessons of visits for a while, to avoid repeating useless attempts. */
export class HostMemory {
  readonly #lessons = new LRUCache<string, HostLessons>({ ...atMost(REMEMBERED_HOSTS), ttl: REMEMBERED_MS });

  recall(url: string): HostLessons {
    return this.#lessons.get(new URL(url).host) ?? {};
  }

  learn(url: string, lessons: HostLessons): void {
    const { host } = new URL(url);
    this.#lessons.set(host, { ...this.#lessons.get(host), ...lessons });
  }
}
