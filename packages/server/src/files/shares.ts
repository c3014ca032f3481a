import type { EventEmitter } from "node:events";

/** Limits the connections of each team, so that no team uses all of them. */
export class Shares {
  readonly #most: number;
  readonly #counts = new Map<string, number>();
  readonly #known = new WeakMap<EventEmitter, Set<string>>();

  constructor(most: number) {
    this.#most = most;
  }

  /**
   * Counts the connection until it closes.
   * @returns false when the team has reached its limit and this connection is not among the counted ones.
   */
  take(teamId: string, connection: EventEmitter): boolean {
    const known = this.#known.get(connection);
    if (known?.has(teamId)) return true;
    const count = this.#counts.get(teamId) ?? 0;
    if (count >= this.#most) return false;
    this.#counts.set(teamId, count + 1);
    if (known) known.add(teamId);
    else this.#countUntilClose(connection, new Set([teamId]));
    return true;
  }

  /** Adds one listener, because one connection may carry the requests of any number of teams. */
  #countUntilClose(connection: EventEmitter, teams: Set<string>): void {
    this.#known.set(connection, teams);
    connection.once("close", () => {
      for (const teamId of teams) this.#release(teamId);
    });
  }

  #release(teamId: string): void {
    const count = this.#counts.get(teamId) ?? 0;
    if (count > 1) this.#counts.set(teamId, count - 1);
    else this.#counts.delete(teamId);
  }
}
