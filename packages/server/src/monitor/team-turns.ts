/** How far in the past the turns of an idle process begin: all waiting work is due at once. */
const HEAD_START_MS = 60_000;
/** Teams that are remembered before those whose turns are over are forgotten. */
const MANY_TEAMS = 1000;

/**
 * Lets teams take turns in what is begun in the order of its times: what a team adds is one millisecond behind what it
 * added before, and never before what was begun last. So the first of a small team is next, however much a large one has
 * waiting, and however long each takes.
 */
export class TeamTurns {
  readonly #lastMs = new Map<string, number>();
  readonly #waiting = new Map<string, number>();
  #begunMs = Number.NEGATIVE_INFINITY;

  /** @returns the time of something that waits from now on. It is not later than now. */
  next(teamId: string, id: string, nowMs: number): number {
    if (this.#waiting.size === 0) this.#begunMs = Math.max(this.#begunMs, nowMs - HEAD_START_MS);
    if (this.#lastMs.size >= MANY_TEAMS) this.#forgetEarlier();
    const lastMs = this.#lastMs.get(teamId) ?? Number.NEGATIVE_INFINITY;
    const turnMs = Math.min(nowMs, Math.max(this.#begunMs, lastMs + 1));
    this.#lastMs.set(teamId, turnMs);
    this.#waiting.set(id, turnMs);
    return turnMs;
  }

  /** Something that may have waited is begun. */
  begun(id: string): void {
    this.#begunMs = Math.max(this.#begunMs, this.#waiting.get(id) ?? Number.NEGATIVE_INFINITY);
    this.#waiting.delete(id);
  }

  #forgetEarlier(): void {
    for (const [teamId, lastMs] of this.#lastMs) if (lastMs < this.#begunMs) this.#lastMs.delete(teamId);
  }
}
