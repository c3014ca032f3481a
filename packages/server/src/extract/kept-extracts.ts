import { inSteps } from "@pergamon-dev/kit/loop/in-turns";
import type { Database } from "../storage/database/database.ts";
import type { TeamData } from "../storage/team-data.ts";

/** Rows that are deleted between two pauses; a result can be large. */
const STEP_ROWS = 20;

/** Results of extractions, as long as their runs are kept. */
export class KeptExtracts implements TeamData {
  readonly #database: Database;

  constructor(database: Database) {
    this.#database = database;
  }

  async prune(): Promise<void> {
    await this.#deleteFound(
      `SELECT run_id FROM extracts WHERE NOT EXISTS
         (SELECT 1 FROM job_runs WHERE job_runs.id = extracts.run_id AND job_runs.is_purged = 0) LIMIT ?`,
      [],
    );
  }

  async erase(teamId: string): Promise<void> {
    await this.#deleteFound("SELECT run_id FROM extracts WHERE team_id = ? LIMIT ?", [teamId]);
  }

  async #deleteFound(find: string, values: readonly string[]): Promise<void> {
    const statement = `DELETE FROM extracts WHERE run_id IN (${find})`;
    await inSteps(STEP_ROWS, (count) => this.#database.prepared(statement).run(...values, count));
  }
}
