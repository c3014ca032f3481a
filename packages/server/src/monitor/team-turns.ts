/** How far in the past the turns of an idle process begin, so that all waiting work is due at once. */
const HEAD_START_MS = 60_000;
/** Above this number, teams whose turns are over are forgotten. */
const MANY_TEAMS = 1000;

/**
 * Gives teams turns in work that is ordered by time. Each item of a team gets a time one millisecond after
 * the team's last one, but never before the item that began last. So the first item of a small team is next,
 * however many items a large team has waiting and however long each takes.
 */
export class TeamTurns {
  readonly #lastMs = new Map<string, number>();
  readonly #waiting = new Map<string, number>();
  #begunMs = Number.NEGATIVE_INFINITY;

  /** @returns the time of a new waiting item. It is not later than now. */
  next(teamId: string, id: string, nowMs: number): number {
    if (this.#waiting.size === 0) this.#begunMs = Math.max(this.#begunMs, nowMs - HEAD_START_MS);
    if (this.#lastMs.size >= MANY_TEAMS) this.#forgetEarlier();
    const lastMs = this.#lastMs.get(teamId) ?? Number.NEGATIVE_INFINITY;
    const turnMs = Math.min(nowMs, Math.max(this.#begunMs, lastMs + 1));
    this.#lastMs.set(teamId, turnMs);
    this.#waiting.set(id, turnMs);
    return turnMs;
  }

  /** Records that an item, which may have waited, begins. */
  begun(id: string): void {
    this.#begunMs = Math.max(this.#begunMs, this.#waiting.get(id) ?? Number.NEGATIVE_INFINITY);
    this.#waiting.delete(id);
  }

  #forgetEarlier(): void {
    for (const [teamId, lastMs] of this.#lastMs) if (lastMs < this.#begunMs) this.#lastMs.delete(teamId);
  }
}
