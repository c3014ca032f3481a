import type { Clock } from "../storage/clock/clock.ts";
import type { Database, Statements } from "../storage/database/database.ts";
import type { TeamData } from "../storage/team-data.ts";
import { keepAnswer } from "../history/stored-answers.ts";
import { pruneIdempotencyKeys } from "./idempotency.ts";
import { inSteps } from "./in-steps.ts";

interface KeptRunsOptions {
  readonly database: Database;
  readonly clock: Clock;
  /** How long documents, errors and webhooks are kept after the end of a run. */
  readonly retentionMs: number;
}

/** How long it is known that there was a run whose documents are deleted. */
const KNOWN_MS = 7 * 24 * 60 * 60 * 1000;

/** Everything that is kept of runs, of all families. */
export class KeptRuns implements TeamData {
  readonly #options: KeptRunsOptions;

  constructor(options: KeptRunsOptions) {
    this.#options = options;
  }

  async prune(): Promise<void> {
    const { database, clock, retentionMs } = this.#options;
    const expired = clock.now() - retentionMs;
    await inSteps(1, (count) =>
      this.#purge(
        "SELECT id FROM job_runs WHERE ended_at <= ? AND is_purged = 0 LIMIT ?",
        [expired, count],
        "UPDATE job_runs SET is_purged = 1, options = '', warnings = '[]' WHERE id = ?",
      ),
    );
    await database
      .prepared("DELETE FROM job_runs WHERE ended_at <= ? AND is_purged = 1")
      .run(expired - KNOWN_MS);
    await pruneIdempotencyKeys(database, clock.now());
  }

  async erase(teamId: string): Promise<void> {
    await inSteps(1, (count) =>
      this.#purge(
        "SELECT id FROM job_runs WHERE team_id = ? LIMIT ?",
        [teamId, count],
        "DELETE FROM job_runs WHERE id = ?",
      ),
    );
    for (const table of ["webhook_receivers", "webhook_secrets", "idempotency_keys"]) {
      await this.#options.database.prepared(`DELETE FROM ${table} WHERE team_id = ?`).run(teamId);
    }
  }

  /** Deletes what belongs to the runs that are found, and ends with the run itself. @returns how many there were. */
  async #purge(find: string, values: readonly (string | number)[], end: string): Promise<number> {
    const { database } = this.#options;
    const runs = await database.prepared<{ id: string }>(find).all(...values);
    for (const { id } of runs) {
      await inSteps(STEP_ROWS, (count) =>
        database.transaction((inside) => deleteDocuments(inside, { id, count })),
      );
      for (const table of ["job_errors", "webhook_events"]) {
        await inSteps(STEP_ROWS, (count) => deleteRows(database, { table, id, count }));
      }
      await database.prepared("DELETE FROM webhook_queues WHERE run_id = ?").run(id);
      await database.prepared(end).run(id);
    }
    return runs.length;
  }
}

/** Rows that are deleted between two pauses. */
const STEP_ROWS = 500;

interface Rows {
  readonly id: string;
  readonly count: number;
}

async function deleteDocuments(inside: Statements, { id, count }: Rows): Promise<number> {
  const rows = await inside
    .prepared<{ position: number; scrapeId: string }>(
      `SELECT position, scrape_id AS "scrapeId" FROM job_documents WHERE run_id = ? ORDER BY position LIMIT ?`,
    )
    .all(id, count);
  for (const { scrapeId } of rows) await keepAnswer(inside, scrapeId, 0);
  const last = rows.at(-1);
  if (last)
    await inside
      .prepared("DELETE FROM job_documents WHERE run_id = ? AND position <= ?")
      .run(id, last.position);
  return rows.length;
}

function deleteRows(
  statements: Statements,
  { table, id, count }: Rows & { readonly table: string },
): Promise<number> {
  const key = table === "job_errors" ? "number" : "id";
  return statements
    .prepared(
      `DELETE FROM ${table} WHERE run_id = ? AND ${key} IN
         (SELECT ${key} FROM ${table} WHERE run_id = ? LIMIT ?)`,
    )
    .run(id, id, count);
}
