import type { OwnPart } from "@pergamon-dev/kit/process/own-failure";
import type { Clock } from "../../storage/clock/clock.ts";

/** Failures of the service's own in a row, after which nothing more is begun: one alone may be that of a single job. */
const FAILURES = 3;
/** Begun at once after a pause, to see whether it is over. */
const PROBES = 4;
const MAX_PAUSE_MS = 60_000;

/** Whether jobs of a kind can be done at all now, as those that were tried have shown. */
export class Outage {
  readonly #clock: Pick<Clock, "now">;
  #failures = 0;
  #pauses = 0;
  #untilMs = 0;
  #part: OwnPart | undefined;

  constructor(clock: Pick<Clock, "now">) {
    this.#clock = clock;
  }

  /** What is lacking; undefined while jobs are begun as usual. */
  get part(): OwnPart | undefined {
    return this.#failures < FAILURES ? undefined : this.#part;
  }

  failed(part: OwnPart): void {
    this.#part = part;
    this.#failures += 1;
    const nowMs = this.#clock.now();
    // Those that were begun before fail together.
    if (this.#failures >= FAILURES && nowMs >= this.#untilMs) {
      this.#pauses += 1;
      this.#untilMs = nowMs + pauseMs(this.#pauses);
    }
  }

  worked(): void {
    this.#failures = 0;
    this.#pauses = 0;
    this.#untilMs = 0;
  }

  /** How long nothing is to be begun from now on. */
  get heldMs(): number {
    return Math.max(0, this.#untilMs - this.#clock.now());
  }

  /** How many jobs may be under way. */
  get most(): number {
    if (this.#failures < FAILURES) return Infinity;
    return this.heldMs > 0 ? 0 : PROBES;
  }
}

/** How long the n-th pause lasts: one second, twice as long each time, at most a minute. */
export function pauseMs(pauses: number): number {
  return Math.min(MAX_PAUSE_MS, 1000 * 2 ** (pauses - 1));
}
