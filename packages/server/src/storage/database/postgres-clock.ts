/** A slower measurement is too imprecise. It counts only when the last good one is old. */
const GOOD_MS = 50;
const OLD_MS = 60_000;

/** Asks the server for the time, in milliseconds since 1970. */
type Ask = () => Promise<number>;

/**
 * Derives the server's clock from this machine's monotonic one, accurate to half the round trip of the
 * measurement. Nodes with different clocks thus agree on the end of a lease, and setting a node's clock
 * changes nothing.
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

/** The server's time while it runs the statement, in milliseconds since 1970. */
export const SERVER_NOW = "(extract(epoch FROM clock_timestamp()) * 1000)::bigint";
export const SERVER_TIME = `SELECT ${SERVER_NOW} AS ms`;
