import type { EventEmitter } from "node:events";

/** How many connections each team has, so that no team has all of them. */
export class Shares {
  readonly #most: number;
  readonly #counts = new Map<string, number>();
  readonly #known = new WeakMap<EventEmitter, Set<string>>();

  constructor(most: number) {
    this.#most = most;
  }

  /** Counts the connection until it closes. @returns false when the team has too many, and this is not one of them. */
  take(teamId: string, connection: EventEmitter): boolean {
    const known = this.#known.get(connection) ?? new Set();
    if (known.has(teamId)) return true;
    const count = this.#counts.get(teamId) ?? 0;
    if (count >= this.#most) return false;
    this.#known.set(connection, known.add(teamId));
    this.#counts.set(teamId, count + 1);
    connection.once("close", () => this.#release(teamId));
    return true;
  }

  #release(teamId: string): void {
    const count = this.#counts.get(teamId) ?? 0;
    if (count > 1) this.#counts.set(teamId, count - 1);
    else this.#counts.delete(teamId);
  }
}
