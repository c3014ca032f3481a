import { LRUCache } from "lru-cache";

import { RateLimitError } from "../api/errors.ts";

const MAX_TRIES = 5;
const WINDOW_MS = 60_000;
/** Addresses that are remembered: more than try at the same time, and few enough for memory. */
const MAX_ADDRESSES = 10_000;

/** Limits the failed logins of an address. It uses a monotonic clock. */
export class LoginTries {
  readonly #clock: () => number;
  /** When each of the latest tries was made, oldest first. */
  readonly #tries = new LRUCache<string, readonly number[]>({ max: MAX_ADDRESSES });

  constructor(clock: () => number = () => performance.now()) {
    this.#clock = clock;
  }

  /**
   * Counts a try before it is looked at, so that many at once are not more than the limit.
   * @returns what to call when it succeeded: then it does not count.
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

/** Who has one address of IPv6 has 2^64 of them. */
function networkOf(address: string): string {
  if (!address.includes(":") || address.includes(".")) return address;
  const [head = "", tail] = address.split("%", 1)[0]?.split("::") ?? [];
  const groups = head.split(":").filter((group) => group !== "");
  const rest = tail?.split(":").filter((group) => group !== "") ?? [];
  const zeros = tail === undefined ? [] : Array<string>(8 - groups.length - rest.length).fill("0");
  return [...groups, ...zeros, ...rest].slice(0, 4).join(":");
}
