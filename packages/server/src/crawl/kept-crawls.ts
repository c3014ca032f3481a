import { inSteps } from "@pergamon-dev/kit/loop/in-turns";
import type { Database } from "../storage/database/database.ts";
import type { TeamData } from "../storage/team-data.ts";

/** Rows that are deleted between two pauses. */
const STEP_ROWS = 2000;
const TABLES = [
  { table: "crawl_urls", column: "sequence" },
  { table: "crawl_marks", column: "mark" },
] as const;

/** What crawls know of their addresses. It is not needed any more once they have ended. */
export class KeptCrawls implements TeamData {
  readonly #database: Database;

  constructor(database: Database) {
    this.#database = database;
  }

  async prune(): Promise<void> {
    const find = `SELECT number FROM crawls WHERE NOT EXISTS
      (SELECT 1 FROM job_runs WHERE job_runs.id = crawls.run_id AND job_runs.state = 'scraping') LIMIT ?`;
    await inSteps(1, (count) => this.#deleteFound(find, [count]));
  }

  async erase(teamId: string): Promise<void> {
    await inSteps(1, (count) =>
      this.#deleteFound("SELECT number FROM crawls WHERE team_id = ? LIMIT ?", [teamId, count]),
    );
  }

  /** @returns how many crawls were found. */
  async #deleteFound(find: string, values: readonly (string | number)[]): Promise<number> {
    const crawls = await this.#database.prepared<{ number: number }>(find).all(...values);
    for (const { number } of crawls) {
      for (const { table, column } of TABLES) {
        const rows = `SELECT ${column} FROM ${table} WHERE crawl = ? LIMIT ?`;
        const statement = `DELETE FROM ${table} WHERE crawl = ? AND ${column} IN (${rows})`;
        await inSteps(STEP_ROWS, (count) => this.#database.prepared(statement).run(number, number, count));
      }
      await this.#database.prepared("DELETE FROM crawls WHERE number = ?").run(number);
    }
    return crawls.length;
  }
}
