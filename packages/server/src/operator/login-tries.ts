import { LRUCache } from "lru-cache";
import { atMost } from "@pergamon-dev/kit/at-most";

import { RateLimitError } from "../api/errors.ts";

const MAX_TRIES = 5;
const WINDOW_MS = 60_000;
/** Maximum addresses in memory: more than are likely to try at the same time. */
const MAX_ADDRESSES = 10_000;

/** Limits failed logins per address. Its clock is monotonic. */
export class LoginTries {
  readonly #clock: () => number;
  /** Times of the latest tries per address, oldest first. */
  readonly #tries = new LRUCache<string, readonly number[]>(atMost(MAX_ADDRESSES));

  constructor(clock: () => number = () => performance.now()) {
    this.#clock = clock;
  }

  /**
   * Counts a try before its key is checked, so that concurrent tries cannot exceed the limit.
   * @returns a function to call after success, which removes the try from the count.
   * @throws RateLimitError when the address has failed too often within a minute. That try does not count.
   */
  count(address: string): () => void {
    const nowMs = this.#clock();
    const network = networkOf(address);
    const lately = (this.#tries.get(network) ?? []).filter((triedMs) => nowMs - triedMs < WINDOW_MS);
    const [first = nowMs] = lately;
    if (lately.length >= MAX_TRIES) {
      const retryAfterSeconds = Math.ceil((first + WINDOW_MS - nowMs) / 1000);
      throw new RateLimitError(
        `Too many failed logins. Try again in ${retryAfterSeconds} seconds.`,
        retryAfterSeconds,
      );
    }
    this.#tries.set(network, [...lately, nowMs]);
    return () => {
      const counted = this.#tries.get(network) ?? [];
      const at = counted.indexOf(nowMs);
      this.#tries.set(network, counted.toSpliced(at, at < 0 ? 0 : 1));
    };
  }
}

/** One IPv6 customer owns a whole /64, so the prefix counts, not the address. */
function networkOf(address: string): string {
  if (!address.includes(":") || address.includes(".")) return address;
  const [head = "", tail] = address.split("%", 1)[0]?.split("::") ?? [];
  const groups = head.split(":").filter((group) => group !== "");
  const rest = tail?.split(":").filter((group) => group !== "") ?? [];
  const zeros = tail === undefined ? [] : Array<string>(8 - groups.length - rest.length).fill("0");
  return [...groups, ...zeros, ...rest].slice(0, 4).join(":");
}
