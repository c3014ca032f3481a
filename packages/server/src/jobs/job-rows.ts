import type { JobsOwner } from "../accounts/administration.ts";
import type { Statements } from "../storage/database/database.ts";

/** An end state never changes, except that a completed batch can be continued. */
export type JobState = "scraping" | "completed" | "cancelled" | "failed";

/** A batch, a crawl or the like, which consists of many tasks. */
export interface Job {
  readonly id: string;
  readonly teamId: string;
  /** Undefined in open mode. */
  readonly keyId: string | undefined;
  readonly family: string;
  readonly workerGroup: string;
  readonly state: JobState;
  /** JSON of the family. */
  readonly options: string;
  /** Prefix of links to this service. */
  readonly linkBase: string;
  readonly createdAtMs: number;
  readonly endedAtMs: number | undefined;
  /** Admitted pages: made, failed and waiting. */
  readonly total: number;
  /** Pages that became documents. */
  readonly completed: number;
  readonly failed: number;
  readonly creditsUsed: number;
  /** Tasks that the queue has, whether begun or not. */
  readonly inFlight: number;
  readonly maxInFlight: number;
  /** True: its family may have more tasks to hand out. */
  readonly hasMore: boolean;
  readonly warnings: readonly string[];
  readonly error: string | undefined;
  /** True: its documents are deleted, and only its id is known. */
  readonly isPurged: boolean;
  /** The process that holds the run in memory, if other processes can ask it. */
  readonly process: string | undefined;
}

/** Family of batches, which the operations of crawls and MCP tools also accept. */
export const BATCH = "batch_scrape";

/** A worker group names the processes that work on a job. Each job of the command line has a worker group of its own. */
export const SERVICE_GROUP = "service";
/**
 * Lane of jobs that programs start over MCP's standard input. Services continue them when those programs have
 * ended.
 */
export const PROGRAM_GROUP = "mcp";

/** A job as its family starts it. */
export interface JobInsert {
  readonly id: string;
  readonly teamId: string;
  readonly keyId: string | undefined;
  readonly family: string;
  /** Default: `SERVICE_GROUP`. */
  readonly workerGroup?: string | undefined;
  readonly options: string;
  readonly linkBase: string;
  /** Pages that are admitted at the start. */
  readonly total: number;
  /** Requested number of tasks at once. Undefined: the limit of the team. */
  readonly maxConcurrency?: number | undefined;
  /** Tasks that the team may have at once, in all its jobs together. Undefined: no limit. */
  readonly teamConcurrency: number | undefined;
  readonly webhook?: WebhookSetting | undefined;
}

/** Receiver of the events of a job. */
export interface WebhookSetting {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly metadata: Readonly<Record<string, string>>;
  /** Empty: all events. */
  readonly events: readonly string[];
}

export interface Appended {
  readonly pages: number;
  readonly maxConcurrency?: number | undefined;
  readonly webhook?: WebhookSetting | undefined;
}

/** Tasks at once when neither the request nor the team has a limit. */
const MAX_IN_FLIGHT = 1000;

export interface JobRow {
  readonly id: string;
  readonly team_id: string;
  readonly key_id: string | null;
  readonly family: string;
  readonly lane: string;
  readonly state: JobState;
  readonly options: string;
  readonly link_base: string;
  readonly created_at: number;
  readonly ended_at: number | null;
  readonly total: number;
  readonly completed: number;
  readonly failed: number;
  readonly credits_used: number;
  readonly handed: number;
  readonly max_handed: number;
  readonly has_more: number;
  readonly warnings: string;
  readonly error: string | null;
  readonly is_purged: number;
  readonly process: string | null;
}

export async function insertJob(tx: Statements, job: JobInsert, nowMs: number): Promise<void> {
  const { maxConcurrency = MAX_IN_FLIGHT, teamConcurrency = MAX_IN_FLIGHT } = job;
  await tx
    .prepared(
      `INSERT INTO job_runs (id, team_id, key_id, family, lane, state, options, link_base, created_at, total, completed,
         failed, credits_used, documents, handed, max_handed, max_team_handed, has_more, turn, warnings)
       VALUES (?, ?, ?, ?, ?, 'scraping', ?, ?, ?, ?, 0, 0, 0, 0, 0, ?, ?, 1, 0, '[]')`,
    )
    .run(
      job.id,
      job.teamId,
      job.keyId ?? null,
      job.family,
      job.workerGroup ?? SERVICE_GROUP,
      job.options,
      job.linkBase,
      nowMs,
      job.total,
      Math.min(maxConcurrency, teamConcurrency),
      teamConcurrency,
    );
}

/** Stores only that a job exists in the memory of a process, and which process that is. */
export async function insertTrace(
  tx: Statements,
  {
    id,
    teamId,
    family,
    process,
  }: Pick<JobInsert, "id" | "teamId" | "family"> & { readonly process: string | undefined },
  nowMs: number,
): Promise<void> {
  await tx
    .prepared(
      `INSERT INTO job_runs (id, team_id, family, state, options, link_base, created_at, ended_at, total, completed,
         failed, credits_used, documents, handed, max_handed, max_team_handed, has_more, turn, warnings, is_purged,
         process)
       VALUES (?, ?, ?, 'cancelled', '', '', ?, ?, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, '[]', 1, ?)
       ON CONFLICT (id) DO NOTHING`,
    )
    .run(id, teamId, family, nowMs, nowMs, process ?? null);
}

export async function getJob(statements: Statements, id: string): Promise<Job | undefined> {
  const row = await statements.prepared<JobRow>("SELECT * FROM job_runs WHERE id = ?").get(id);
  return row && jobOf(row);
}

/** Jobs that share tasks in turns: those of one team in one worker group. */
export type JobGroup = Pick<Job, "teamId" | "workerGroup">;

/** Active jobs of a family, newest first. */
export async function jobsOfTeam(
  statements: Statements,
  { teamId, family, count }: { readonly teamId: string; readonly family: string; readonly count: number },
): Promise<readonly Job[]> {
  const rows = await statements
    .prepared<JobRow>(
      `SELECT * FROM job_runs WHERE team_id = ? AND family = ? AND state = 'scraping'
       ORDER BY created_at DESC, id DESC LIMIT ?`,
    )
    .all(teamId, family, count);
  return rows.map(jobOf);
}

/** Ids of some active jobs, of all families and worker groups. */
export async function jobsUnderWay(
  statements: Statements,
  owner: JobsOwner,
  count: number,
): Promise<readonly string[]> {
  const [column, id] = "teamId" in owner ? ["team_id", owner.teamId] : ["key_id", owner.keyId];
  const rows = await statements
    .prepared<{ id: string }>(`SELECT id FROM job_runs WHERE ${column} = ? AND state = 'scraping' LIMIT ?`)
    .all(id, count);
  return rows.map((row) => row.id);
}

/**
 * The next job that gets a task: the one with the fewest tasks under way, so that a job with slow tasks
 * leaves the others their share. Among equals it is the one that has waited longest for its turn.
 */
export async function nextJob(tx: Statements, { teamId, workerGroup }: JobGroup): Promise<Job | undefined> {
  const row = await tx
    .prepared<JobRow>(
      `SELECT * FROM job_runs WHERE team_id = ? AND lane = ? AND state = 'scraping' AND has_more = 1
         AND handed < max_handed
       ORDER BY handed, turn LIMIT 1`,
    )
    .get(teamId, workerGroup);
  return row && jobOf(row);
}

/**
 * How many tasks the team may have handed out, and how many it has. The newest job has the current limit of
 * the team.
 */
export async function slotsOfTeam(
  tx: Statements,
  { teamId, workerGroup }: JobGroup,
): Promise<{ readonly slots: number; readonly inFlight: number }> {
  const row = await tx
    .prepared<{ handed: number | null; most: number | null }>(
      `SELECT sum(handed) AS handed,
         (SELECT max_team_handed FROM job_runs WHERE team_id = ? AND is_purged = 0
            ORDER BY created_at DESC LIMIT 1) AS most
       FROM job_runs WHERE team_id = ? AND lane = ? AND state = 'scraping'`,
    )
    .get(teamId, teamId, workerGroup);
  return { slots: row?.most ?? 0, inFlight: row?.handed ?? 0 };
}

/**
 * Records that `count` tasks of a job were handed out and moves it behind the other jobs. Zero: the job has
 * no more tasks.
 */
export async function dispatchTasks(tx: Statements, job: Job, count: number): Promise<void> {
  await tx
    .prepared(
      `UPDATE job_runs SET handed = handed + ?, has_more = ?,
         turn = (SELECT coalesce(max(turn), 0) + 1 FROM job_runs
           WHERE team_id = ? AND lane = ? AND state = 'scraping')
       WHERE id = ?`,
    )
    .run(count, count > 0 ? 1 : 0, job.teamId, job.workerGroup, job.id);
}

/** Counts a task of a job that made no page. The same transaction charges its credits. */
export async function addStep(tx: Statements, id: string, creditsUsed: number): Promise<void> {
  await tx
    .prepared(
      `UPDATE job_runs SET total = total + 1, completed = completed + 1, credits_used = credits_used + ?
       WHERE id = ?`,
    )
    .run(creditsUsed, id);
}

/**
 * Records that a block of tasks has ended, or was parked with tasks left (`more`).
 * @returns its job. Undefined when the job ended before.
 */
export async function takeBackTask(tx: Statements, id: string, more = 0): Promise<Job | undefined> {
  const row = await tx
    .prepared<JobRow>(
      `UPDATE job_runs SET handed = handed - 1, has_more = CASE WHEN ? = 1 THEN 1 ELSE has_more END
       WHERE id = ? AND state = 'scraping' RETURNING *`,
    )
    .get(more, id);
  return row && jobOf(row);
}

/**
 * The job of a task, unless it has ended.
 * @returns also whether another job of the team has tasks left, but no slot or at least two less.
 */
export async function jobOfTask(
  tx: Statements,
  id: string,
): Promise<{ readonly job: Job; readonly isAhead: boolean } | undefined> {
  const row = await tx
    .prepared<JobRow & { readonly behind: number }>(
      `SELECT *, (SELECT COUNT(*) FROM job_runs other WHERE other.team_id = job.team_id AND other.lane = job.lane
           AND other.state = 'scraping' AND other.has_more = 1 AND other.handed < other.max_handed
           AND (other.handed = 0 OR other.handed + 1 < job.handed)) AS behind
       FROM job_runs job WHERE id = ? AND state = 'scraping'`,
    )
    .get(id);
  return row && { job: jobOf(row), isAhead: row.behind > 0 };
}

/** The job, if it has no task under way and none left to hand out. */
export async function jobWithNothingLeft(tx: Statements, id: string): Promise<Job | undefined> {
  const row = await tx
    .prepared<JobRow>(
      "SELECT * FROM job_runs WHERE id = ? AND state = 'scraping' AND handed = 0 AND has_more = 0",
    )
    .get(id);
  return row && jobOf(row);
}

/** Ends a run in the state `scraping`. @returns false when it has ended already. */
export async function endJob(
  tx: Statements,
  id: string,
  {
    state,
    error,
    nowMs,
  }: { readonly state: JobState; readonly error?: string | undefined; readonly nowMs: number },
): Promise<boolean> {
  const ended = await tx
    .prepared(
      `UPDATE job_runs SET state = ?, error = ?, ended_at = ?, handed = 0, has_more = 0,
         total = CASE WHEN ? = 'completed' THEN completed + failed ELSE total END
       WHERE id = ? AND state = 'scraping'`,
    )
    .run(state, error ?? null, nowMs, state, id);
  return ended > 0;
}

/** Continues a completed job. @returns undefined when there is no such job. */
export async function reopenJob(
  tx: Statements,
  id: string,
  maxConcurrency: number | undefined,
): Promise<Job | undefined> {
  const row = await tx
    .prepared<JobRow>(
      `UPDATE job_runs SET state = 'scraping', ended_at = NULL, max_handed = coalesce(?, max_handed)
       WHERE id = ? AND state IN ('scraping', 'completed') RETURNING *`,
    )
    .get(maxConcurrency ?? null, id);
  return row && jobOf(row);
}

export function jobOf(row: JobRow): Job {
  return {
    id: row.id,
    teamId: row.team_id,
    keyId: row.key_id ?? undefined,
    family: row.family,
    workerGroup: row.lane,
    state: row.state,
    options: row.options,
    linkBase: row.link_base,
    createdAtMs: row.created_at,
    endedAtMs: row.ended_at ?? undefined,
    total: row.total,
    completed: row.completed,
    failed: row.failed,
    creditsUsed: row.credits_used,
    inFlight: row.handed,
    maxInFlight: row.max_handed,
    hasMore: row.has_more === 1,
    warnings: JSON.parse(row.warnings) as string[],
    error: row.error ?? undefined,
    isPurged: row.is_purged === 1,
    process: row.process ?? undefined,
  };
}

/** Adds a sentence to the warnings of a job. A sentence that is already there is not repeated. */
export async function addWarning(tx: Statements, jobId: string, warning: string): Promise<void> {
  const job = await getJob(tx, jobId);
  if (!job || job.warnings.includes(warning)) return;
  await tx
    .prepared("UPDATE job_runs SET warnings = ? WHERE id = ?")
    .run(JSON.stringify([...job.warnings, warning]), jobId);
}
