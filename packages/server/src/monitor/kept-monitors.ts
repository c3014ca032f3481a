import type { Clock } from "../storage/clock/clock.ts";
import type { Database } from "../storage/database/database.ts";
import { inSteps } from "@pergamon-dev/kit/loop/in-turns";
import type { TeamData } from "../storage/team-data.ts";
import type { PageStates } from "./page-states.ts";

const DAY_MS = 24 * 60 * 60 * 1000;
/** Rows that are deleted between two pauses. */
const ROWS = 500;
const CHECKS = 50;

export class KeptMonitors implements TeamData {
  readonly #database: Database;
  readonly #clock: Clock;
  readonly #states: PageStates;

  constructor(database: Database, clock: Clock, states: PageStates) {
    this.#database = database;
    this.#clock = clock;
    this.#states = states;
  }

  /** Deletes expired checks, and monitors that were marked as deleted. */
  async prune(): Promise<void> {
    const nowMs = this.#clock.now();
    await this.#removeChecks(
      `SELECT monitor_checks.id FROM monitor_checks JOIN monitors ON monitors.id = monitor_checks.monitor_id
       WHERE finished_at IS NOT NULL AND monitor_checks.created_at <= ? - retention_days * ${DAY_MS} LIMIT ?`,
      nowMs,
    );
    await this.#removeMonitors("SELECT id FROM monitors WHERE status = ? LIMIT 50", "deleted");
    await this.#states.removeOrphans();
  }

  async erase(teamId: string): Promise<void> {
    await this.#removeMonitors("SELECT id FROM monitors WHERE team_id = ? LIMIT 50", teamId);
    await this.#database.prepared("DELETE FROM mail_subscriptions WHERE team_id = ?").run(teamId);
  }

  async #removeMonitors(find: string, value: string): Promise<void> {
    await inSteps(1, async () => {
      const monitors = await this.#database.prepared<{ id: string }>(find).all(value);
      for (const { id } of monitors) {
        await this.#removeChecks("SELECT id FROM monitor_checks WHERE monitor_id = ? LIMIT ?", id);
        await inSteps(1, async () => ((await this.#states.removeSome(id)) ? 1 : 0));
        await this.#database.prepared("DELETE FROM monitors WHERE id = ?").run(id);
      }
      return monitors.length;
    });
  }

  async #removeChecks(find: string, value: string | number): Promise<void> {
    await inSteps(CHECKS, async (count) => {
      const checks = await this.#database.prepared<{ id: string }>(find).all(value, count);
      for (const { id } of checks) await this.#removeCheck(id);
      return checks.length;
    });
  }

  async #removeCheck(id: string): Promise<void> {
    for (const table of ["monitor_pages", "monitor_steps"]) {
      await inSteps(ROWS, (count) =>
        this.#database
          .prepared(
            `DELETE FROM ${table} WHERE check_id = ? AND number IN
               (SELECT number FROM ${table} WHERE check_id = ? LIMIT ?)`,
          )
          .run(id, id, count),
      );
    }
    await this.#database.prepared("DELETE FROM monitor_crawls WHERE check_id = ?").run(id);
    await this.#database.prepared("DELETE FROM monitor_checks WHERE id = ?").run(id);
  }
}
