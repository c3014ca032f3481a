import { type Job, jobOf, type JobRow } from "../jobs/job-rows.ts";
import type { Statements } from "../storage/database/database.ts";
import type { AgentResult } from "./result.ts";
import type { TermsGate } from "./terms-gate.ts";

/** Columns of a run that only agents have. */
export interface AgentRow {
  readonly jobId: string;
  readonly teamId: string;
  readonly threadId: string;
  /** Counts from 1. */
  readonly turn: number;
  readonly createdAtMs: number;
  /** Start of the first step, from which the run's time counts. */
  readonly startedAtMs: number | null;
  /** JSON of an `AgentResult`. */
  readonly result: string | null;
}

export interface AgentRun {
  readonly job: Job;
  readonly agent: AgentRow;
}

const COLUMNS = `run_id AS "jobId", agent_runs.team_id AS "teamId", thread_id AS "threadId", agent_runs.turn AS "turn",
  agent_runs.created_at AS "createdAtMs", started_at AS "startedAtMs", result`;
/** Both tables have a column for turns. */
const JOINED = `SELECT job_runs.*, ${COLUMNS} FROM agent_runs JOIN job_runs ON job_runs.id = agent_runs.run_id`;

type Joined = AgentRow & JobRow;

function wholeOf(row: Joined): AgentRun {
  const { jobId, teamId, threadId, turn, createdAtMs, startedAtMs, result } = row;
  return { job: jobOf(row), agent: { jobId, teamId, threadId, turn, createdAtMs, startedAtMs, result } };
}

/** @returns false when the thread has this turn already. */
export async function insertAgent(
  tx: Statements,
  row: Pick<AgentRow, "jobId" | "teamId" | "threadId" | "turn" | "createdAtMs">,
): Promise<boolean> {
  const inserted = await tx
    .prepared(
      `INSERT INTO agent_runs (run_id, team_id, thread_id, turn, created_at) VALUES (?, ?, ?, ?, ?)
       ON CONFLICT (thread_id, turn) DO NOTHING`,
    )
    .run(row.jobId, row.teamId, row.threadId, row.turn, row.createdAtMs);
  return inserted === 1;
}

export function getAgent(statements: Statements, jobId: string): Promise<AgentRow | undefined> {
  return statements.prepared<AgentRow>(`SELECT ${COLUMNS} FROM agent_runs WHERE run_id = ?`).get(jobId);
}

type Thread = Pick<AgentRow, "threadId" | "teamId">;

const OF_THREAD = "thread_id = ? AND agent_runs.team_id = ? AND job_runs.is_purged = 0";

/** The last `count` turns of those between `after` and `before`. */
interface TurnRange {
  readonly after?: number;
  readonly before?: number;
  readonly count: number;
}

/** Stored runs of a thread, in order. */
export async function runsOfThread(
  statements: Statements,
  { threadId, teamId }: Thread,
  { after = 0, before = Number.MAX_SAFE_INTEGER, count }: TurnRange,
): Promise<readonly AgentRun[]> {
  const rows = await statements
    .prepared<Joined>(
      `${JOINED} WHERE ${OF_THREAD} AND agent_runs.turn > ? AND agent_runs.turn < ?
       ORDER BY agent_runs.turn DESC LIMIT ?`,
    )
    .all(threadId, teamId, after, before, count);
  return rows.map(wholeOf).reverse();
}

/** A turn without its question and answer. */
export interface ThreadTurn {
  readonly turn: number;
  /** Size of the question and the answer. */
  readonly sizeBytes: number;
  readonly state: Job["state"];
  readonly createdAtMs: number;
  readonly endedAtMs: number | null;
}

/** Stored turns of a thread, in order. */
export function turnsOfThread(
  statements: Statements,
  { threadId, teamId }: Thread,
): Promise<readonly ThreadTurn[]> {
  return statements
    .prepared<ThreadTurn>(
      `SELECT agent_runs.turn AS turn, length(options) + coalesce(length(result), 0) AS "sizeBytes", state,
         job_runs.created_at AS "createdAtMs", ended_at AS "endedAtMs"
       FROM agent_runs JOIN job_runs ON job_runs.id = agent_runs.run_id
       WHERE ${OF_THREAD} ORDER BY agent_runs.turn`,
    )
    .all(threadId, teamId);
}

interface ListPart {
  readonly teamId: string;
  readonly beforeMs: number;
  readonly count: number;
  /** Runs that ended before this time are not shown any more. */
  readonly expiredMs: number;
}

/** Runs of a team, newest first: the requested number, and further runs with the same time as the last. */
export async function listAgents(
  statements: Statements,
  { teamId, beforeMs, count, expiredMs }: ListPart,
): Promise<readonly AgentRun[]> {
  const kept = `agent_runs.team_id = ? AND agent_runs.created_at < ? AND job_runs.is_purged = 0
    AND (job_runs.ended_at IS NULL OR job_runs.ended_at > ?)`;
  const rows = await statements
    .prepared<Joined>(
      `${JOINED} WHERE ${kept} AND agent_runs.created_at >= coalesce((
         SELECT agent_runs.created_at FROM agent_runs JOIN job_runs ON job_runs.id = agent_runs.run_id
         WHERE ${kept} ORDER BY agent_runs.created_at DESC LIMIT 1 OFFSET ?), 0)
       ORDER BY agent_runs.created_at DESC, run_id DESC`,
    )
    .all(teamId, beforeMs, expiredMs, teamId, beforeMs, expiredMs, count - 1);
  return rows.map(wholeOf);
}

/** Records the start of the first step, once. @returns the recorded time. */
export async function noteStart(statements: Statements, jobId: string, nowMs: number): Promise<number> {
  const row = await statements
    .prepared<{ startedAtMs: number }>(
      `UPDATE agent_runs SET started_at = coalesce(started_at, ?) WHERE run_id = ?
       RETURNING started_at AS "startedAtMs"`,
    )
    .get(nowMs, jobId);
  return row?.startedAtMs ?? nowMs;
}

export async function writeResult(tx: Statements, jobId: string, result: AgentResult): Promise<void> {
  await tx.prepared("UPDATE agent_runs SET result = ? WHERE run_id = ?").run(JSON.stringify(result), jobId);
}

export function resultOf({ result }: Pick<AgentRow, "result">): AgentResult {
  return result === null ? {} : (JSON.parse(result) as AgentResult);
}

interface VisitedPage {
  readonly url: string;
  /** Target of a redirect, if there was one. */
  readonly finalUrl?: string;
  readonly scrapeId: string;
}

/** Content that a step has found, stored as a snapshot. */
export interface Artifact {
  readonly kind: "json" | "markdown" | "text";
  /** `answer`, or the URL of a page. */
  readonly name: string;
  readonly snapshotId: string;
  /** Of an answer: its members that differ from those of the version before. */
  readonly changedFields?: readonly string[];
  /** Length of an answer that is a list, or has one. */
  readonly itemCount?: number;
}

/** Facts of a step that later prompts do not repeat. */
export interface StepFacts {
  readonly tool: string;
  readonly input: unknown;
  /** Equal for steps that do the same. */
  readonly key: string;
  readonly startedAtMs: number;
  readonly endedAtMs: number;
  readonly creditsUsed: number;
  /** Reason of the model's choice, in its words. */
  readonly reason?: string;
  /** Outcome in a few words. */
  readonly summary: string;
  readonly isFailure?: boolean;
  /** True: the outcome tries to steer language models. */
  readonly isSteering?: boolean;
  readonly visited?: readonly VisitedPage[];
  readonly artifacts?: readonly Artifact[];
  readonly sessionId?: string;
  /** Number of provider calls that cost credits. */
  readonly paidCalls?: number;
  readonly exchangeCredits?: number;
  /** Set when the provider was not called because its terms were not accepted. */
  readonly gate?: TermsGate;
}

export interface DoneStep {
  readonly number: number;
  readonly action: string;
  /** Outcome, which mixes words of this service with text of the web. */
  readonly outcome: string;
  /** Note that the model made for later steps. */
  readonly note: string;
  readonly facts: StepFacts;
}

type StepRow = Omit<DoneStep, "facts"> & { readonly facts: string };

/** @property runId id of the step's run. */
export async function insertStep(
  tx: Statements,
  { jobId, number, action, outcome, note, facts }: DoneStep & { readonly jobId: string },
): Promise<void> {
  await tx
    .prepared(
      "INSERT INTO agent_steps (run_id, number, action, outcome, note, facts) VALUES (?, ?, ?, ?, ?, ?)",
    )
    .run(jobId, number, action, outcome, note, JSON.stringify(facts));
}

/** Finished steps, in order. */
export async function readSteps(statements: Statements, jobId: string): Promise<readonly DoneStep[]> {
  const rows = await statements
    .prepared<StepRow>(
      "SELECT number, action, outcome, note, facts FROM agent_steps WHERE run_id = ? ORDER BY number",
    )
    .all(jobId);
  return rows.map(({ facts, ...step }) => ({ ...step, facts: JSON.parse(facts) as StepFacts }));
}

/** Limit of the stored outcome of older steps, in characters. */
const MAX_OLD_LENGTH = 600;

/** Cuts the stored outcome of a step, because its full text is not read any more. */
export async function shortenOutcome(tx: Statements, jobId: string, number: number): Promise<void> {
  await tx
    .prepared("UPDATE agent_steps SET outcome = substr(outcome, 1, ?) WHERE run_id = ? AND number = ?")
    .run(MAX_OLD_LENGTH, jobId, number);
}

interface Snapshot {
  readonly id: string;
  readonly content: string;
}

export async function insertSnapshot(
  tx: Statements,
  jobId: string,
  { id, content }: Snapshot,
): Promise<void> {
  await tx
    .prepared("INSERT INTO agent_snapshots (run_id, id, content) VALUES (?, ?, ?)")
    .run(jobId, id, content);
}

export async function getSnapshot(
  statements: Statements,
  jobId: string,
  id: string,
): Promise<string | undefined> {
  const row = await statements
    .prepared<{ content: string }>("SELECT content FROM agent_snapshots WHERE run_id = ? AND id = ?")
    .get(jobId, id);
  return row?.content;
}
