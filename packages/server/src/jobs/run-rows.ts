import type { RunsOwner } from "../accounts/administration.ts";
import type { Statements } from "../storage/database/database.ts";

/** An end state never changes, except that a completed batch can be continued. */
export type RunState = "scraping" | "completed" | "cancelled" | "failed";

/** A batch, a crawl or the like, which consists of many steps. */
export interface JobRun {
  readonly id: string;
  readonly teamId: string;
  /** Undefined in open mode. */
  readonly keyId: string | undefined;
  readonly family: string;
  readonly lane: string;
  readonly state: RunState;
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
  /** Steps that the engine has, whether begun or not. */
  readonly handed: number;
  readonly maxHanded: number;
  /** True: its family may have more steps to hand out. */
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

/** A lane names the processes that work on a run. Each run of the command line has a lane of its own. */
export const SERVICE_LANE = "service";
/**
 * Lane of runs that programs start over MCP's standard input. Services continue them when those programs have
 * ended.
 */
export const PROGRAM_LANE = "mcp";

/** A run as its family starts it. */
export interface NewRun {
  readonly id: string;
  readonly teamId: string;
  readonly keyId: string | undefined;
  readonly family: string;
  /** Default: `SERVICE_LANE`. */
  readonly lane?: string | undefined;
  readonly options: string;
  readonly linkBase: string;
  /** Pages that are admitted at the start. */
  readonly total: number;
  /** Requested number of steps at once. Undefined: the limit of the team. */
  readonly maxConcurrency?: number | undefined;
  /** Steps that the team may have at once, in all its runs together. Undefined: no limit. */
  readonly teamConcurrency: number | undefined;
  readonly webhook?: WebhookSetting | undefined;
}

/** Receiver of the events of a run. */
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

/** Steps at once when neither the request nor the team has a limit. */
const MAX_HANDED = 1000;

export interface RunRow {
  readonly id: string;
  readonly team_id: string;
  readonly key_id: string | null;
  readonly family: string;
  readonly lane: string;
  readonly state: RunState;
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

export async function insertRun(tx: Statements, run: NewRun, nowMs: number): Promise<void> {
  const { maxConcurrency = MAX_HANDED, teamConcurrency = MAX_HANDED } = run;
  await tx
    .prepared(
      `INSERT INTO job_runs (id, team_id, key_id, family, lane, state, options, link_base, created_at, total, completed,
         failed, credits_used, documents, handed, max_handed, max_team_handed, has_more, turn, warnings)
       VALUES (?, ?, ?, ?, ?, 'scraping', ?, ?, ?, ?, 0, 0, 0, 0, 0, ?, ?, 1, 0, '[]')`,
    )
    .run(
      run.id,
      run.teamId,
      run.keyId ?? null,
      run.family,
      run.lane ?? SERVICE_LANE,
      run.options,
      run.linkBase,
      nowMs,
      run.total,
      Math.min(maxConcurrency, teamConcurrency),
      teamConcurrency,
    );
}

/** Stores only that a run exists in the memory of a process, and which process that is. */
export async function insertTrace(
  tx: Statements,
  {
    id,
    teamId,
    family,
    process,
  }: Pick<NewRun, "id" | "teamId" | "family"> & { readonly process: string | undefined },
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

export async function getRun(statements: Statements, id: string): Promise<JobRun | undefined> {
  const row = await statements.prepared<RunRow>("SELECT * FROM job_runs WHERE id = ?").get(id);
  return row && runOf(row);
}

/** Runs that share steps in turns: those of one team in one lane. */
export type RunGroup = Pick<JobRun, "teamId" | "lane">;

/** Active runs of a family, newest first. */
export async function runsOfTeam(
  statements: Statements,
  { teamId, family, count }: { readonly teamId: string; readonly family: string; readonly count: number },
): Promise<readonly JobRun[]> {
  const rows = await statements
    .prepared<RunRow>(
      `SELECT * FROM job_runs WHERE team_id = ? AND family = ? AND state = 'scraping'
       ORDER BY created_at DESC, id DESC LIMIT ?`,
    )
    .all(teamId, family, count);
  return rows.map(runOf);
}

/** Ids of some active runs, of all families and lanes. */
export async function runsUnderWay(
  statements: Statements,
  owner: RunsOwner,
  count: number,
): Promise<readonly string[]> {
  const [column, id] = "teamId" in owner ? ["team_id", owner.teamId] : ["key_id", owner.keyId];
  const rows = await statements
    .prepared<{ id: string }>(`SELECT id FROM job_runs WHERE ${column} = ? AND state = 'scraping' LIMIT ?`)
    .all(id, count);
  return rows.map((row) => row.id);
}

/**
 * The next run that gets a step: the one with the fewest steps under way, so that a run with slow steps
 * leaves the others their share. Among equals it is the one that has waited longest for its turn.
 */
export async function nextRun(tx: Statements, { teamId, lane }: RunGroup): Promise<JobRun | undefined> {
  const row = await tx
    .prepared<RunRow>(
      `SELECT * FROM job_runs WHERE team_id = ? AND lane = ? AND state = 'scraping' AND has_more = 1
         AND handed < max_handed
       ORDER BY handed, turn LIMIT 1`,
    )
    .get(teamId, lane);
  return row && runOf(row);
}

/**
 * How many steps the team may have handed out, and how many it has. The newest run has the current limit of
 * the team.
 */
export async function placesOfTeam(
  tx: Statements,
  { teamId, lane }: RunGroup,
): Promise<{ readonly places: number; readonly handed: number }> {
  const row = await tx
    .prepared<{ handed: number | null; most: number | null }>(
      `SELECT sum(handed) AS handed,
         (SELECT max_team_handed FROM job_runs WHERE team_id = ? AND is_purged = 0
            ORDER BY created_at DESC LIMIT 1) AS most
       FROM job_runs WHERE team_id = ? AND lane = ? AND state = 'scraping'`,
    )
    .get(teamId, teamId, lane);
  return { places: row?.most ?? 0, handed: row?.handed ?? 0 };
}

/**
 * Records that `count` steps of a run were handed out and moves it behind the other runs. Zero: the run has
 * no more steps.
 */
export async function handSteps(tx: Statements, run: JobRun, count: number): Promise<void> {
  await tx
    .prepared(
      `UPDATE job_runs SET handed = handed + ?, has_more = ?,
         turn = (SELECT coalesce(max(turn), 0) + 1 FROM job_runs
           WHERE team_id = ? AND lane = ? AND state = 'scraping')
       WHERE id = ?`,
    )
    .run(count, count > 0 ? 1 : 0, run.teamId, run.lane, run.id);
}

/** Counts a step of a run that made no page. The same transaction charges its credits. */
export async function addStep(tx: Statements, id: string, creditsUsed: number): Promise<void> {
  await tx
    .prepared(
      `UPDATE job_runs SET total = total + 1, completed = completed + 1, credits_used = credits_used + ?
       WHERE id = ?`,
    )
    .run(creditsUsed, id);
}

/** Records that a step has ended. @returns its run. Undefined when the run ended before. */
export async function takeStepBack(tx: Statements, id: string): Promise<JobRun | undefined> {
  const row = await tx
    .prepared<RunRow>(
      "UPDATE job_runs SET handed = handed - 1 WHERE id = ? AND state = 'scraping' RETURNING *",
    )
    .get(id);
  return row && runOf(row);
}

/** The run, if it has no step under way and none left to hand out. */
export async function runWithNothingLeft(tx: Statements, id: string): Promise<JobRun | undefined> {
  const row = await tx
    .prepared<RunRow>(
      "SELECT * FROM job_runs WHERE id = ? AND state = 'scraping' AND handed = 0 AND has_more = 0",
    )
    .get(id);
  return row && runOf(row);
}

/** Ends a run in the state `scraping`. @returns false when it has ended already. */
export async function endRun(
  tx: Statements,
  id: string,
  {
    state,
    error,
    nowMs,
  }: { readonly state: RunState; readonly error?: string | undefined; readonly nowMs: number },
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

/** Continues a completed run. @returns undefined when there is no such run. */
export async function reopenRun(
  tx: Statements,
  id: string,
  maxConcurrency: number | undefined,
): Promise<JobRun | undefined> {
  const row = await tx
    .prepared<RunRow>(
      `UPDATE job_runs SET state = 'scraping', ended_at = NULL, max_handed = coalesce(?, max_handed)
       WHERE id = ? AND state IN ('scraping', 'completed') RETURNING *`,
    )
    .get(maxConcurrency ?? null, id);
  return row && runOf(row);
}

export function runOf(row: RunRow): JobRun {
  return {
    id: row.id,
    teamId: row.team_id,
    keyId: row.key_id ?? undefined,
    family: row.family,
    lane: row.lane,
    state: row.state,
    options: row.options,
    linkBase: row.link_base,
    createdAtMs: row.created_at,
    endedAtMs: row.ended_at ?? undefined,
    total: row.total,
    completed: row.completed,
    failed: row.failed,
    creditsUsed: row.credits_used,
    handed: row.handed,
    maxHanded: row.max_handed,
    hasMore: row.has_more === 1,
    warnings: JSON.parse(row.warnings) as string[],
    error: row.error ?? undefined,
    isPurged: row.is_purged === 1,
    process: row.process ?? undefined,
  };
}

/** Adds a sentence to the warnings of a run. A sentence that is already there is not repeated. */
export async function addWarning(tx: Statements, runId: string, warning: string): Promise<void> {
  const run = await getRun(tx, runId);
  if (!run || run.warnings.includes(warning)) return;
  await tx
    .prepared("UPDATE job_runs SET warnings = ? WHERE id = ?")
    .run(JSON.stringify([...run.warnings, warning]), runId);
}
