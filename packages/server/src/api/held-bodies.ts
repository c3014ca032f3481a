import { ServiceError } from "./errors.ts";
import { limits } from "./limits.ts";
import { type Comer, Gate } from "@pergamon-dev/kit/gate";

/** Bodies up to this size never wait. 10,000 connections (MAX_CONNECTIONS) hold at most 640 MB of them. */
export const SMALL_BODY_BYTES = 64 * 1024;

const MAX_WAITING = 1000;
const MAX_WAIT_MS = 20_000;
const RETRY_AFTER_SECONDS = 5;

/**
 * Bounds the total size of large bodies in this process: request bodies, uploaded files, and documents being
 * sent to clients that read and watch runs. Bodies over the bound wait, fairly between teams; a team has at
 * most half.
 */
export class HeldBodies {
  readonly #gate: Gate;
  readonly #maxWaitMs: number;

  constructor(maxBytes: number, maxWaitMs = MAX_WAIT_MS) {
    const overflow = () => overloaded();
    // A body of the maximum size must fit, or it would be counted as smaller.
    const share = Math.max(maxBytes / 2, Math.min(maxBytes, limits.pageBytes));
    this.#gate = new Gate(maxBytes, { most: MAX_WAITING, overflow, share });
    this.#maxWaitMs = maxWaitMs;
  }

  get heldBytes(): number {
    return this.#gate.running;
  }

  /**
   * Waits until a body of this size may be held.
   * @returns a function that releases it.
   * @throws ServiceError OVERLOADED when the wait is too long, or too many wait; the signal's reason once it
   * is aborted.
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
