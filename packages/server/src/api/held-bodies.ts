import { ServiceError } from "./errors.ts";
import { limits } from "./limits.ts";
import { type Comer, Gate } from "@pergamon-dev/kit/gate";

/** Up to here a body waits for no other: 10,000 connections (MAX_CONNECTIONS) hold 640 MB of such bodies at most. */
export const SMALL_BODY_BYTES = 64 * 1024;

const MAX_WAITING = 1000;
const MAX_WAIT_MS = 20_000;
const RETRY_AFTER_SECONDS = 5;

/**
 * All large bodies that this process holds in memory, together: those of requests, files that are read, and documents on
 * their way to those who read and watch runs. What does not fit waits, fairly between teams; a team has half at most.
 */
export class HeldBodies {
  readonly #gate: Gate;
  readonly #maxWaitMs: number;

  constructor(maxBytes: number, maxWaitMs = MAX_WAIT_MS) {
    const overflow = () => overloaded();
    // A body of the largest size has to fit, or it would be counted as smaller.
    const share = Math.max(maxBytes / 2, Math.min(maxBytes, limits.pageBytes));
    this.#gate = new Gate(maxBytes, { most: MAX_WAITING, overflow, share });
    this.#maxWaitMs = maxWaitMs;
  }

  get heldBytes(): number {
    return this.#gate.running;
  }

  /**
   * Waits until so much may be held.
   * @returns what is called when it is held no more.
   * @throws ServiceError OVERLOADED when that takes too long, or too many wait; the signal's reason once it is aborted.
   */
  async hold(tenant: string, sizeBytes: number, signal?: AbortSignal): Promise<() => void> {
    if (sizeBytes <= SMALL_BODY_BYTES) return () => undefined;
    const tooLong = new AbortController();
    const timer = setTimeout(() => tooLong.abort(overloaded()), this.#maxWaitMs);
    const signals = signal ? [signal, tooLong.signal] : [tooLong.signal];
    const comer: Comer = { tenant, slots: sizeBytes, signal: AbortSignal.any(signals) };
    return this.#gate.enter(comer).finally(() => clearTimeout(timer));
  }
}

function overloaded(): ServiceError {
  return new ServiceError("OVERLOADED", { retryAfterSeconds: RETRY_AFTER_SECONDS });
}
