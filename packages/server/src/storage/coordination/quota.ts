interface OwnUse {
  /** Limit of all processes together; Infinity for no limit. */
  readonly limit: number;
  readonly running: number;
  readonly waiting: number;
  /** Arrival time of the longest waiting request; Infinity if none waits. */
  readonly oldestMs: number;
  /** Free seats that are kept so that the next request need not ask the store. */
  readonly kept: number;
}

/** Seats and waiting requests of another process in a slot. */
export interface OtherUse {
  readonly seats: number;
  readonly waiting: number;
  readonly oldestMs: number;
  /** Limit of all processes together, as that process knows it. */
  readonly limit: number;
}

/**
 * Number of seats that a process may hold while the others stay as they are. It gets as many as it needs, if
 * they are free and no request elsewhere has waited longer. The result is never below the seats in use.
 */
export function quotaFor(own: OwnUse, others: readonly OtherUse[]): number {
  const { limit, running, waiting, oldestMs, kept } = own;
  const taken = others.reduce((sum, { seats }) => sum + seats, 0);
  const olderClaims = claimsOf(others.filter((other) => other.oldestMs < oldestMs));
  const wanted = running + waiting + (claimsOf(others) > 0 ? 0 : kept);
  return Math.max(running, Math.min(wanted, limit - taken - olderClaims));
}

/**
 * Even share of seats that a process keeps for its own requests while others want some too, whoever has
 * waited longer. Most seats therefore stay in place, and none is empty while processes agree on who gets it
 * next.
 */
export function evenShare(limit: number, others: readonly OtherUse[]): number {
  const wanting = others.map(({ seats, waiting }) => seats + waiting).toSorted((one, other) => one - other);
  let left = limit;
  for (const [index, wanted] of wanting.entries()) {
    const sharers = wanting.length - index + 1;
    const share = Math.floor(left / sharers);
    if (wanted > share) {
      const isAnyShort = others.some(({ seats, waiting }) => waiting > 0 && seats < share);
      return share > 0 && !isAnyShort ? Math.ceil(left / sharers) : share;
    }
    left -= wanted;
  }
  return Math.max(0, left);
}

/** Number of requests that wait in other processes. */
export function claimsOf(others: readonly OtherUse[]): number {
  return others.reduce((sum, { waiting }) => sum + waiting, 0);
}

/** True when more seats are taken than exist, because a limit was lowered. */
export function isOverfull(limit: number, seats: number, others: readonly OtherUse[]): boolean {
  return others.reduce((sum, other) => sum + other.seats, seats) > limit;
}
