import { networkInterfaces } from "node:os";

/** How often the interfaces are looked at during work: connections notice nothing before they time out. */
const LOOK_MS = 1000;

/** Knows when this machine was without network while work was under way that needs it. */
export class Outages {
  readonly #interfaces: typeof networkInterfaces;
  #underWay = 0;
  #looking: NodeJS.Timeout | undefined;
  /** When other machines, and this one, could last not be reached. */
  #othersAwayAtMs = Number.NEGATIVE_INFINITY;
  #allAwayAtMs = Number.NEGATIVE_INFINITY;

  constructor(interfaces = networkInterfaces) {
    this.#interfaces = interfaces;
  }

  /** Looks at the network until the work has ended. */
  async watch<Result>(work: () => Promise<Result>): Promise<Result> {
    this.#underWay += 1;
    if (this.#underWay === 1) this.#looking = setInterval(() => this.#look(), LOOK_MS).unref();
    return work().finally(() => {
      this.#underWay -= 1;
      if (this.#underWay === 0) clearInterval(this.#looking);
    });
  }

  /** Whether since then, by `Date.now()`, there was a moment without a way to this address. */
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
      // The system does not tell them without a free file.
    }
  }
}
