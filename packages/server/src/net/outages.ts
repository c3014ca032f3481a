import { networkInterfaces } from "node:os";

/**
 * Interval of looks at the network interfaces during work. Connections notice nothing before they time out.
 */
const LOOK_MS = 1000;

/** Knows when this machine was offline during work that needs the network. */
export class Outages {
  readonly #interfaces: typeof networkInterfaces;
  #underWay = 0;
  #looking: NodeJS.Timeout | undefined;
  /** Times when other machines, and this one, were last unreachable. */
  #othersAwayAtMs = Number.NEGATIVE_INFINITY;
  #allAwayAtMs = Number.NEGATIVE_INFINITY;

  constructor(interfaces = networkInterfaces) {
    this.#interfaces = interfaces;
  }

  /** Watches the network until the work has ended. */
  async watch<Result>(work: () => Promise<Result>): Promise<Result> {
    this.#underWay += 1;
    if (this.#underWay === 1) this.#looking = setInterval(() => this.#look(), LOOK_MS).unref();
    return work().finally(() => {
      this.#underWay -= 1;
      if (this.#underWay === 0) clearInterval(this.#looking);
    });
  }

  /** Says whether there was a moment since then, by `Date.now()`, without a route to this address. */
  hadOne({ hostname }: URL, sinceMs: number): boolean {
    this.#look();
    const isHere = hostname === "localhost" || hostname === "[::1]" || hostname.startsWith("127.");
    return (isHere ? this.#allAwayAtMs : this.#othersAwayAtMs) >= sinceMs;
  }

  #look(): void {
    try {
      const addresses = Object.values(this.#interfaces()).flatMap((found) => found ?? []);
      if (addresses.every(({ internal }) => internal)) this.#othersAwayAtMs = Date.now();
      if (addresses.length === 0) this.#allAwayAtMs = Date.now();
    } catch {
      // The system cannot list the interfaces without a free file descriptor.
    }
  }
}
