import { type JobRun, runOf, type RunRow } from "../jobs/run-rows.ts";
import type { Statements } from "../storage/database/database.ts";
import type { AgentResult } from "./result.ts";
import type { TermsGate } from "./terms-gate.ts";

/** What is known of a run besides what all runs have. */
export interface AgentRow {
  readonly runId: string;
  readonly teamId: string;
  readonly threadId: string;
  /** From 1. */
  readonly turn: number;
  readonly createdAtMs: number;
  /** Of its first step; its time counts from then. */
  readonly startedAtMs: number | null;
  /** JSON of an `AgentResult`. */
  readonly result: string | null;
}

/** A run of an agent, whole. */
export interface AgentRun {
  readonly run: JobRun;
  readonly agent: AgentRow;
}

const COLUMNS = `run_id AS "runId", agent_runs.team_id AS "teamId", thread_id AS "threadId", agent_runs.turn AS "turn",
  agent_runs.created_at AS "createdAtMs", started_at AS "startedAtMs", result`;
/** Both tables have turns. */
const JOINED = `SELECT job_runs.*, ${COLUMNS} FROM agent_runs JOIN job_runs ON job_runs.id = agent_runs.run_id`;

type Joined = AgentRow & RunRow;

function wholeOf(row: Joined): AgentRun {
  const { runId, teamId, threadId, turn, createdAtMs, startedAtMs, result } = row;
  return { run: runOf(row), agent: { runId, teamId, threadId, turn, createdAtMs, startedAtMs, result } };
}

/** @returns false when the thread has such a turn already. */
export async function insertAgent(
  tx: Statements,
  row: Pick<AgentRow, "runId" | "teamId" | "threadId" | "turn" | "createdAtMs">,
): Promise<boolean> {
  const inserted = await tx
    .prepared(
      `INSERT INTO agent_runs (run_id, team_id, thread_id, turn, created_at) VALUES (?, ?, ?, ?, ?)
       ON CONFLICT (thread_id, turn) DO NOTHING`,
    )
    .run(row.runId, row.teamId, row.threadId, row.turn, row.createdAtMs);
  return inserted === 1;
}

export function getAgent(statements: Statements, runId: string): Promise<AgentRow | undefined> {
  return statements.prepared<AgentRow>(`SELECT ${COLUMNS} FROM agent_runs WHERE run_id = ?`).get(runId);
}

type Thread = Pick<AgentRow, "threadId" | "teamId">;

const OF_THREAD = "thread_id = ? AND agent_runs.team_id = ? AND job_runs.is_purged = 0";

/** Which turns of a thread are read: the last so many of these. */
interface TurnRange {
  readonly after?: number;
  readonly before?: number;
  readonly count: number;
}

/** Runs of a thread that are kept, in order. */
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

/** What of a turn is known without what it was asked and has answered. */
export interface ThreadTurn {
  readonly turn: number;
  /** Of what was asked and answered. */
  readonly sizeBytes: number;
  readonly state: JobRun["state"];
  readonly createdAtMs: number;
  readonly endedAtMs: number | null;
}

/** Turns of a thread that are kept, in order. */
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
  /** Ended before this, runs are not shown any more. */
  readonly expiredMs: number;
}

/** Runs of a team, newest first: so many, and those of the same moment as the last. */
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

/** Notes when the first step began. @returns that time, also when it was noted before. */
export async function noteStart(statements: Statements, runId: string, nowMs: number): Promise<number> {
  const row = await statements
    .prepared<{ startedAtMs: number }>(
      `UPDATE agent_runs SET started_at = coalesce(started_at, ?) WHERE run_id = ?
       RETURNING started_at AS "startedAtMs"`,
    )
    .get(nowMs, runId);
  return row?.startedAtMs ?? nowMs;
}

export async function writeResult(tx: Statements, runId: string, result: AgentResult): Promise<void> {
  await tx.prepared("UPDATE agent_runs SET result = ? WHERE run_id = ?").run(JSON.stringify(result), runId);
}

export function resultOf({ result }: Pick<AgentRow, "result">): AgentResult {
  return result === null ? {} : (JSON.parse(result) as AgentResult);
}

/** A page that a step has read. */
interface VisitedPage {
  readonly url: string;
  /** Where a redirect led, if it did. */
  readonly finalUrl?: string;
  readonly scrapeId: string;
}

/** Something that a step has brought, and that is kept as a snapshot. */
export interface Artifact {
  readonly kind: "json" | "markdown" | "text";
  /** `answer`, or the URL of a page. */
  readonly name: string;
  readonly snapshotId: string;
}

/** What is kept of a step besides what later prompts say about it. */
export interface StepFacts {
  readonly tool: string;
  readonly input: unknown;
  /** The same for steps that do the same. */
  readonly key: string;
  readonly startedAtMs: number;
  readonly endedAtMs: number;
  readonly creditsUsed: number;
  /** Why it was chosen, in the words of the model. */
  readonly reason?: string;
  /** What came of it, in a few words. */
  readonly summary: string;
  readonly isFailure?: boolean;
  /** Whether the outcome tries to steer language models. */
  readonly isSteering?: boolean;
  readonly visited?: readonly VisitedPage[];
  readonly artifacts?: readonly Artifact[];
  readonly sessionId?: string;
  /** Calls of provider tools that cost something. */
  readonly paidCalls?: number;
  readonly exchangeCredits?: number;
  /** The provider was not called, because its terms were not accepted. */
  readonly gate?: TermsGate;
}

/** A step that is done, as later prompts describe it. */
export interface DoneStep {
  readonly number: number;
  readonly action: string;
  /** What came of it: words of this service, and text of the web. */
  readonly outcome: string;
  /** What the model wanted to remember after it. */
  readonly note: string;
  readonly facts: StepFacts;
}

type StepRow = Omit<DoneStep, "facts"> & { readonly facts: string };

/** @property runId of its run. */
export async function insertStep(
  tx: Statements,
  { runId, number, action, outcome, note, facts }: DoneStep & { readonly runId: string },
): Promise<void> {
  await tx
    .prepared(
      "INSERT INTO agent_steps (run_id, number, action, outcome, note, facts) VALUES (?, ?, ?, ?, ?, ?)",
    )
    .run(runId, number, action, outcome, note, JSON.stringify(facts));
}

/** Steps that are done, in order. */
export async function readSteps(statements: Statements, runId: string): Promise<readonly DoneStep[]> {
  const rows = await statements
    .prepared<StepRow>(
      "SELECT number, action, outcome, note, facts FROM agent_steps WHERE run_id = ? ORDER BY number",
    )
    .all(runId);
  return rows.map(({ facts, ...step }) => ({ ...step, facts: JSON.parse(facts) as StepFacts }));
}

/** What is kept of the outcome of a step that is not one of the last. */
const MAX_OLD_LENGTH = 600;

/** Keeps only the beginning of the outcome of a step: its whole is not read any more. */
export async function shortenOutcome(tx: Statements, runId: string, number: number): Promise<void> {
  await tx
    .prepared("UPDATE agent_steps SET outcome = substr(outcome, 1, ?) WHERE run_id = ? AND number = ?")
    .run(MAX_OLD_LENGTH, runId, number);
}

interface Snapshot {
  readonly id: string;
  readonly content: string;
}

export async function insertSnapshot(
  tx: Statements,
  runId: string,
  { id, content }: Snapshot,
): Promise<void> {
  await tx
    .prepared("INSERT INTO agent_snapshots (run_id, id, content) VALUES (?, ?, ?)")
    .run(runId, id, content);
}

export async function getSnapshot(
  statements: Statements,
  runId: string,
  id: string,
): Promise<string | undefined> {
  const row = await statements
    .prepared<{ content: string }>("SELECT content FROM agent_snapshots WHERE run_id = ? AND id = ?")
    .get(runId, id);
  return row?.content;
}
