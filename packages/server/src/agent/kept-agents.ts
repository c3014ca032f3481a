import { inSteps } from "@pergamon-dev/kit/loop/in-turns";
import type { Database } from "../storage/database/database.ts";
import type { TeamData } from "../storage/team-data.ts";

/** What is kept of the runs of agents: as long as their runs are. */
export class KeptAgents implements TeamData {
  readonly #database: Database;

  constructor(database: Database) {
    this.#database = database;
  }

  async prune(): Promise<void> {
    const find = `SELECT run_id FROM agent_runs WHERE NOT EXISTS
      (SELECT 1 FROM job_runs WHERE job_runs.id = agent_runs.run_id AND job_runs.is_purged = 0) LIMIT ?`;
    await inSteps(1, (count) => this.#deleteFound(find, [count]));
  }

  async erase(teamId: string): Promise<void> {
    const find = "SELECT run_id FROM agent_runs WHERE team_id = ? LIMIT ?";
    await inSteps(1, (count) => this.#deleteFound(find, [teamId, count]));
  }

  /** @returns how many runs were found. */
  async #deleteFound(find: string, values: readonly (string | number)[]): Promise<number> {
    const runs = await this.#database.prepared<{ run_id: string }>(find).all(...values);
    for (const { run_id: id } of runs) {
      // The run last: what is left of it is found again.
      for (const table of ["agent_steps", "agent_snapshots", "agent_runs"]) {
        await this.#database.prepared(`DELETE FROM ${table} WHERE run_id = ?`).run(id);
      }
    }
    return runs.length;
  }
}
