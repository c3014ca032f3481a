/** A measurement that took longer says too little, unless the last good one is old. */
const GOOD_MS = 50;
const OLD_MS = 60_000;

/** Asks the server for the time, in milliseconds since 1970. */
type Ask = () => Promise<number>;

/**
 * The clock of the server, as this machine's monotonic one shows it: right to half the time of the round that measured
 * it. Nodes whose own clocks differ agree on when a lease ends, and setting the clock of a node changes nothing.
 */
export class PostgresClock {
  #offsetMs: number | undefined;
  #measuredAtMs = 0;

  nowMs(): number {
    return this.#offsetMs === undefined ? Date.now() : Math.floor(performance.now() + this.#offsetMs);
  }

  async measure(ask: Ask): Promise<void> {
    const sentMs = performance.now();
    const serverMs = await ask();
    const receivedMs = performance.now();
    const isGood = receivedMs - sentMs <= GOOD_MS;
    const isOld = this.#offsetMs === undefined || receivedMs - this.#measuredAtMs > OLD_MS;
    if (!isGood && !isOld) return;
    this.#offsetMs = serverMs - (sentMs + receivedMs) / 2;
    this.#measuredAtMs = receivedMs;
  }
}

export const SERVER_TIME = "SELECT (extract(epoch FROM clock_timestamp()) * 1000)::bigint AS ms";
