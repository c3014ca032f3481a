/** About what beginning a check takes. */
const TURN_MS = 5;
/** Teams that are remembered before those whose turns are over are forgotten. */
const MANY_TEAMS = 1000;

/**
 * Spreads what a team has due at once over the time that it takes, so that other teams come between: the first of each
 * team is due now, and each further one a moment after the one before.
 */
export class TeamTurns {
  readonly #lastMs = new Map<string, number>();

  /** @returns when it is due. */
  next(teamId: string, nowMs: number): number {
    if (this.#lastMs.size >= MANY_TEAMS) this.#forgetBefore(nowMs);
    const lastMs = this.#lastMs.get(teamId) ?? Number.NEGATIVE_INFINITY;
    const dueMs = Math.max(nowMs, lastMs + TURN_MS);
    this.#lastMs.set(teamId, dueMs);
    return dueMs;
  }

  #forgetBefore(nowMs: number): void {
    for (const [teamId, lastMs] of this.#lastMs) if (lastMs + TURN_MS <= nowMs) this.#lastMs.delete(teamId);
  }
}
