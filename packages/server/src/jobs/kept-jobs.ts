import { limits } from "../api/limits.ts";
import type { Clock } from "../storage/clock/clock.ts";
import type { Database, Statements } from "../storage/database/database.ts";
import type { TeamData } from "../storage/team-data.ts";
import { keepAnswers } from "../history/stored-answers.ts";
import { pruneIdempotencyKeys } from "./idempotency.ts";
import { inSteps } from "@pergamon-dev/kit/loop/in-turns";

/** A table with rows of jobs, in the columns `run_id` and `team_id`, and its child tables. */
export interface JobTable {
  readonly name: string;
  /** Column whose value names a row in the child tables. Default: run_id. */
  readonly key?: string;
  /** Child tables. `key`: column that is unique among the rows of one owner. */
  readonly rows?: readonly { readonly name: string; readonly owner: string; readonly key: string }[];
  /**
   * `ended`: rows hold work that is left. `expired`: rows hold results. `erased`: rows go only with their team.
   * Else an SQL condition for rows that are over, whose parameter is the time.
   */
  readonly keptUntil: "ended" | "expired" | "erased" | { readonly isOver: string };
  /** SQL condition for rows that were written before their job. Such tables have a column `created_at`. */
  readonly isDraft?: string;
}

interface KeptJobsOptions {
  readonly database: Database;
  readonly clock: Clock;
  /** How long documents, errors and webhooks are kept after the end of a job. */
  readonly retentionMs: () => number;
  /** Tables of all kinds. */
  readonly tables: readonly JobTable[];
}

/** The process that wrote an older draft must have died. */
const ABANDONED_MS = 60 * 60 * 1000;
/** Rows that are deleted between two pauses. */
const STEP_ROWS = 500;
/**
 * Owners that are deleted between two pauses. It is lower than STEP_ROWS because their child rows go with
 * them, or they are large.
 */
const STEP_OWNERS = 20;

const STATE_OF_KEPT = { ended: "state = 'scraping'", expired: "is_purged = 0" };

/** Deletes the data of jobs of all kinds when it expires or when a team is erased. */
export class KeptJobs implements TeamData {
  readonly #options: KeptJobsOptions;

  constructor(options: KeptJobsOptions) {
    this.#options = options;
  }

  async prune(): Promise<void> {
    const { database, clock, retentionMs, tables } = this.#options;
    const expired = clock.now() - retentionMs();
    await this.#purge({
      find: "SELECT id FROM job_runs WHERE ended_at <= ? AND is_purged = 0 LIMIT ?",
      value: expired,
      end: "UPDATE job_runs SET is_purged = 1, options = '', warnings = '[]' WHERE id = ?",
    });
    for (const table of tables) await this.#pruneTable(table);
    await database
      .prepared("DELETE FROM job_runs WHERE ended_at <= ? AND is_purged = 1")
      .run(expired - limits.keptMs.jobIds);
    await pruneIdempotencyKeys(database, clock.now());
  }

  async erase(teamId: string): Promise<void> {
    for (const table of this.#options.tables) await this.#deleteRows(table, "team_id = ?", [teamId]);
    await this.#purge({
      find: "SELECT id FROM job_runs WHERE team_id = ? LIMIT ?",
      value: teamId,
      end: "DELETE FROM job_runs WHERE id = ?",
    });
    for (const table of ["webhook_receivers", "webhook_secrets", "idempotency_keys"]) {
      await this.#options.database.prepared(`DELETE FROM ${table} WHERE team_id = ?`).run(teamId);
    }
  }

  async #pruneTable(table: JobTable): Promise<void> {
    const { name, keptUntil, isDraft } = table;
    const nowMs = this.#options.clock.now();
    if (keptUntil === "erased") return;
    if (typeof keptUntil === "object") return this.#deleteRows(table, keptUntil.isOver, [nowMs]);
    const isLeft = `NOT EXISTS
      (SELECT 1 FROM job_runs WHERE job_runs.id = ${name}.run_id AND ${STATE_OF_KEPT[keptUntil]})`;
    if (isDraft === undefined) return this.#deleteRows(table, isLeft, []);
    const isOver = `(NOT (${isDraft}) AND ${isLeft}) OR (${isDraft} AND created_at <= ?)`;
    return this.#deleteRows(table, isOver, [nowMs - ABANDONED_MS]);
  }

  /**
   * Deletes rows and then their owner. The owner goes last, so that an interrupted deletion is found again.
   */
  async #deleteRows(
    { name, key = "run_id", rows = [] }: JobTable,
    condition: string,
    values: readonly (string | number)[],
  ): Promise<void> {
    const { database } = this.#options;
    await inSteps(STEP_OWNERS, async (count) => {
      const owners = await database
        .prepared<{ owner: string | number }>(
          `SELECT ${key} AS owner FROM ${name} WHERE ${condition} LIMIT ?`,
        )
        .all(...values, count);
      for (const { owner } of owners) {
        for (const below of rows) await deleteOwned(database, below, owner);
        await database.prepared(`DELETE FROM ${name} WHERE ${key} = ?`).run(owner);
      }
      return owners.length;
    });
  }

  /** Deletes the data of each job that is found, and the job itself last. */
  async #purge({ find, value, end }: Purge): Promise<void> {
    const { database } = this.#options;
    await inSteps(1, async (maxJobs) => {
      const jobs = await database.prepared<{ id: string }>(find).all(value, maxJobs);
      for (const { id } of jobs) {
        await inSteps(STEP_ROWS, (count) => database.transaction((tx) => deleteDocuments(tx, id, count)));
        await deleteOwned(database, { name: "job_errors", owner: "run_id", key: "number" }, id);
        await deleteOwned(database, { name: "webhook_events", owner: "run_id", key: "sequence" }, id);
        await database.prepared("DELETE FROM webhook_queues WHERE run_id = ?").run(id);
        await database.prepared(end).run(id);
      }
      return jobs.length;
    });
  }
}

interface Purge {
  readonly find: string;
  readonly value: string | number;
  readonly end: string;
}

async function deleteDocuments(tx: Statements, jobId: string, count: number): Promise<number> {
  const rows = await tx
    .prepared<{ position: number; scrapeId: string }>(
      `SELECT position, scrape_id AS "scrapeId" FROM job_documents WHERE run_id = ? ORDER BY position LIMIT ?`,
    )
    .all(jobId, count);
  const keys = rows.map(({ scrapeId }) => scrapeId);
  await keepAnswers(tx, keys, 0);
  const last = rows.at(-1);
  if (last)
    await tx
      .prepared("DELETE FROM job_documents WHERE run_id = ? AND position <= ?")
      .run(jobId, last.position);
  return rows.length;
}

/** Deletes in the order of keys: steps that begin anew would pass over all rows that are deleted but not swept. */
async function deleteOwned(
  statements: Statements,
  { name, owner, key }: { readonly name: string; readonly owner: string; readonly key: string },
  id: string | number,
): Promise<void> {
  let last: string | number | undefined;
  await inSteps(STEP_ROWS, async (count) => {
    const after = last === undefined ? [] : [last];
    const left = `${owner} = ?${last === undefined ? "" : ` AND ${key} > ?`}`;
    const next = await statements
      .prepared<{ last: string | number | null }>(
        `SELECT MAX(${key}) AS last FROM
           (SELECT ${key} FROM ${name} WHERE ${left} ORDER BY ${key} LIMIT ?) AS step`,
      )
      .get(id, ...after, count);
    last = next?.last ?? undefined;
    if (last === undefined) return 0;
    return statements.prepared(`DELETE FROM ${name} WHERE ${left} AND ${key} <= ?`).run(id, ...after, last);
  });
}
