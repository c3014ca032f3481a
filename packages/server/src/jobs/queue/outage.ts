import type { OwnPart } from "@pergamon-dev/kit/process/own-failure";
import type { Clock } from "../../storage/clock/clock.ts";

/** After this many failures in a row no task begins. A single failure may be that of one task. */
const FAILURES = 3;
/** Tasks that begin at once after a pause, to test whether the outage is over. */
const PROBES = 4;
const MAX_PAUSE_MS = 60_000;

/** Infers from the failures of tasks whether tasks of a kind can run at all now. */
export class Outage {
  readonly #clock: Pick<Clock, "now">;
  #failures = 0;
  #pauses = 0;
  #untilMs = 0;
  #part: OwnPart | undefined;

  constructor(clock: Pick<Clock, "now">) {
    this.#clock = clock;
  }

  /** Resource that is lacking. Undefined while tasks begin as usual. */
  get part(): OwnPart | undefined {
    return this.#failures < FAILURES ? undefined : this.#part;
  }

  failed(part: OwnPart): void {
    this.#part = part;
    this.#failures += 1;
    const nowMs = this.#clock.now();
    // Tasks that began before a pause fail together, so they cause only one.
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

  /** How long no task may begin, from now on. */
  get heldMs(): number {
    return Math.max(0, this.#untilMs - this.#clock.now());
  }

  /** How many tasks may be under way. */
  get most(): number {
    if (this.#failures < FAILURES) return Infinity;
    return this.heldMs > 0 ? 0 : PROBES;
  }
}

/** Length of the n-th pause: one second at first, then twice the last one, at most a minute. */
export function pauseMs(pauses: number): number {
  return Math.min(MAX_PAUSE_MS, 1000 * 2 ** (pauses - 1));
}
