import type { Database } from "../database/database.ts";
import { HEARTBEAT } from "./heartbeat.ts";
import { leaseClockOf, MAX_LEASE_MS } from "./lease-clock.ts";

/** Where all processes count with each other. */
export interface Choice {
  /** Grows with each change. */
  readonly number: number;
  readonly kind: "database" | "redis";
  /** Part of every key on Redis: what was kept there before has another one. */
  readonly token: string;
  /** The run of the server: another one has other data. */
  readonly server: string;
  readonly changedAtMs: number;
}

const NAME = "limits";
/** Until something else was chosen. */
const FIRST: Choice = { number: 0, kind: "database", token: "", server: "", changedAtMs: 0 };
/** Called when the choice has changed. */
export const LIMITS_TOPIC = "limits";

/** The tables `limit_stores`, one row, and `limit_members`: processes with a heartbeat. */
export class LimitRows {
  readonly #database: Database;

  constructor(database: Database) {
    this.#database = database;
  }

  async read(): Promise<Choice> {
    const row = await this.#database
      .prepared<Choice>(
        'SELECT number, kind, token, server, changed_at AS "changedAtMs" FROM limit_stores WHERE name = ?',
      )
      .get(NAME);
    return row ?? FIRST;
  }

  /** @returns false when another process was faster. */
  async choose(kind: Choice["kind"], after: number, { token = "", server = "" } = {}): Promise<boolean> {
    const nowMs = this.#nowMs();
    return this.#database.transaction(async (inside) => {
      const chosen = await inside
        .prepared(
          `INSERT INTO limit_stores (name, number, kind, token, server, changed_at) VALUES (?, ?, ?, ?, ?, ?)
           ON CONFLICT (name) DO UPDATE SET number = excluded.number, kind = excluded.kind,
             token = excluded.token, server = excluded.server, changed_at = excluded.changed_at
           WHERE limit_stores.number = ?`,
        )
        .run(NAME, after + 1, kind, token, server, nowMs, after);
      if (chosen > 0) inside.notify?.(LIMITS_TOPIC);
      return chosen > 0;
    });
  }

  /**
   * Notes that the process has gone along with the choice of this number.
   * @param server run of the Redis server that it reaches; empty for none.
   */
  async join(process: string, number: number, server: string): Promise<void> {
    await this.#database
      .prepared(
        `INSERT INTO limit_members (process, number, server) VALUES (?, ?, ?)
         ON CONFLICT (process) DO UPDATE SET number = excluded.number, server = excluded.server`,
      )
      .run(process, number, server);
  }

  async noteServer(process: string, server: string): Promise<void> {
    await this.#database
      .prepared("UPDATE limit_members SET server = ? WHERE process = ?")
      .run(server, process);
  }

  /** What the process had before it counted elsewhere. */
  async forgetSeats(process: string): Promise<void> {
    await this.#database.prepared("DELETE FROM slot_seats WHERE process = ?").run(process);
  }

  /** How many processes that live may still count elsewhere. */
  async behind(number: number): Promise<number> {
    const row = await this.#database
      .prepared<{ count: number }>(
        `SELECT count(*) AS count FROM limit_members JOIN leases ON leases.name = limit_members.process
         WHERE limit_members.number < ? AND leases.held_until > ? AND leases.held_until <= ?`,
      )
      .get(number, ...this.#living());
    return row?.count ?? 0;
  }

  /** How many processes that live do not reach this run of a server, or cannot know of it. */
  async without(server: string): Promise<number> {
    const row = await this.#database
      .prepared<{ count: number }>(
        `SELECT count(*) AS count FROM leases LEFT JOIN limit_members ON limit_members.process = leases.name
         WHERE leases.name LIKE '${HEARTBEAT}%' AND (limit_members.server IS NULL OR limit_members.server <> ?)
           AND leases.held_until > ? AND leases.held_until <= ?`,
      )
      .get(server, ...this.#living());
    return row?.count ?? 0;
  }

  /** When the leases of these processes end; without those that have none. */
  async heldUntil(processes: readonly string[]): Promise<ReadonlyMap<string, number>> {
    const places = processes.map(() => "?").join(", ");
    const rows = await this.#database
      .prepared<{ name: string; untilMs: number }>(
        `SELECT name, held_until AS "untilMs" FROM leases
         WHERE name IN (${places}) AND held_until > ? AND held_until <= ?`,
      )
      .all(...processes, ...this.#living());
    return new Map(rows.map(({ name, untilMs }) => [name, untilMs]));
  }

  #nowMs(): number {
    return leaseClockOf(this.#database)();
  }

  #living(): readonly [number, number] {
    const nowMs = this.#nowMs();
    return [nowMs, nowMs + MAX_LEASE_MS];
  }
}
