/** Shares one run of identical work among all simultaneous callers. */
export class SingleFlight<Result> {
  readonly #flights = new Map<string, Flight<Result>>();

  /**
   * Joins the running work of this key, or starts it. The work is aborted only when its last caller has gone.
   * @throws the caller's own signal's reason once that is aborted.
   */
  async join(
    key: string,
    signal: AbortSignal,
    start: (signal: AbortSignal) => Promise<Result>,
  ): Promise<Result> {
    signal.throwIfAborted();
    const flight = this.#flights.get(key) ?? this.#start(key, start);
    flight.waiting += 1;
    try {
      return await untilAborted(flight.result, signal);
    } finally {
      flight.waiting -= 1;
      if (flight.waiting === 0) this.#abandon(key, flight, signal);
    }
  }

  #start(key: string, start: (signal: AbortSignal) => Promise<Result>): Flight<Result> {
    const controller = new AbortController();
    const result = start(controller.signal);
    const flight: Flight<Result> = { controller, result, waiting: 0 };
    this.#flights.set(key, flight);
    const land = () => {
      if (this.#flights.get(key) === flight) this.#flights.delete(key);
    };
    result.then(land, land);
    return flight;
  }

  #abandon(key: string, flight: Flight<Result>, signal: AbortSignal): void {
    if (this.#flights.get(key) !== flight) return;
    this.#flights.delete(key);
    flight.controller.abort(signal.reason);
  }
}

interface Flight<Result> {
  readonly controller: AbortController;
  readonly result: Promise<Result>;
  waiting: number;
}

/** Settles as the promise does, or rejects with the signal's reason, whichever comes first. */
export async function untilAborted<T>(promise: Promise<T>, signal: AbortSignal): Promise<T> {
  if (signal.aborted) {
    // No caller waits for it any more, so its failure is dropped.
    promise.catch(() => undefined);
    throw signal.reason as Error;
  }
  let giveUp: (() => void) | undefined;
  const aborted = new Promise<never>((_, reject) => {
    giveUp = () => reject(signal.reason as Error);
    signal.addEventListener("abort", giveUp, { once: true });
  });
  try {
    return await Promise.race([promise, aborted]);
  } finally {
    if (giveUp) signal.removeEventListener("abort", giveUp);
  }
}
