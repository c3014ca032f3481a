/** One slot as one process sees it. */
interface OwnUse {
  /** Of all processes together; Infinity for none. */
  readonly limit: number;
  readonly running: number;
  readonly waiting: number;
  /** When the longest waiting request came; Infinity if none waits. */
  readonly oldestMs: number;
  /** Free seats, kept so that the next request need not ask the store. */
  readonly kept: number;
}

/** What another process has of a slot and wants of it. */
export interface OtherUse {
  readonly seats: number;
  readonly waiting: number;
  readonly oldestMs: number;
}

/**
 * How many seats of a slot a process may have while the others are as they are: as many as it needs, if they are free
 * and no request elsewhere has waited longer for them. Never fewer than it uses.
 */
export function quotaFor(own: OwnUse, others: readonly OtherUse[]): number {
  const { limit, running, waiting, oldestMs, kept } = own;
  const taken = others.reduce((sum, { seats }) => sum + seats, 0);
  const olderClaims = claimsOf(others.filter((other) => other.oldestMs < oldestMs));
  const wanted = running + waiting + (claimsOf(others) > 0 ? 0 : kept);
  return Math.max(running, Math.min(wanted, limit - taken - olderClaims));
}

/**
 * How many seats a process keeps for its own requests while others want some, too, without asking who has waited longer:
 * its even share. So most seats stay where they are, and none is empty while processes agree on who gets it next.
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

/** How many wait elsewhere. */
export function claimsOf(others: readonly OtherUse[]): number {
  return others.reduce((sum, { waiting }) => sum + waiting, 0);
}

/** Whether more seats are taken than there are: a limit was lowered. */
export function isOverfull(limit: number, seats: number, others: readonly OtherUse[]): boolean {
  return others.reduce((sum, other) => sum + other.seats, seats) > limit;
}
