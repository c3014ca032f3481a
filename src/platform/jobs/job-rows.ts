import type { Statements } from "../database/database.ts";
import { nextOfSequence } from "../database/sequences.ts";
import { MAX_PAYLOAD_BYTES, type NewJob, type Priority } from "./jobs.ts";

/** A job as its worker gets it. */
export interface JobRow {
  readonly sequence: number;
  readonly group: string;
  readonly payload: string;
  readonly runAtMs: number;
  readonly failures: number;
  /** Processes that died while they had it. */
  readonly deaths: number;
  /** What the last attempt threw. */
  readonly error: string | null;
}

/** What became of a job that has not ended itself. */
export type Outcome =
  | { readonly end: "done" }
  | { readonly end: "again"; readonly atMs: number }
  | { readonly end: "failed"; readonly atMs: number; readonly error: string };

/** In the order in which they are begun. */
const PRIORITIES = ["high", "normal", "low"] as const satisfies readonly Priority[];
const SEQUENCE = "jobs";
const COLUMNS = 'sequence, job_group AS "group", payload, run_at AS "runAtMs", failures, deaths, error';

/**
 * Adds jobs in the order given.
 * @param owner who has them already. Default: they wait.
 * @returns their numbers. @throws RangeError when a payload is too large.
 */
export async function insertJobs(
  inside: Statements,
  jobs: readonly NewJob[],
  { nowMs, owner = null }: { readonly nowMs: number; readonly owner?: string | null },
): Promise<readonly number[]> {
  if (jobs.length === 0) return [];
  const last = await nextOfSequence(inside, SEQUENCE, jobs.length);
  const statement = inside.prepared(
    `INSERT INTO jobs (sequence, kind, job_group, priority, run_at, failures, deaths, owner, payload)
     VALUES (?, ?, ?, ?, ?, 0, 0, ?, ?)`,
  );
  const sequences: number[] = [];
  for (const { kind, group, payload, priority = "normal", runAtMs = nowMs } of jobs) {
    refuseLarge(payload, kind);
    const sequence = last - jobs.length + 1 + sequences.length;
    await statement.run(sequence, kind, group, PRIORITIES.indexOf(priority), runAtMs, owner, payload);
    sequences.push(sequence);
  }
  return sequences;
}

function refuseLarge(payload: string, kind: string): void {
  if (payload.length * 3 <= MAX_PAYLOAD_BYTES || Buffer.byteLength(payload) <= MAX_PAYLOAD_BYTES) return;
  throw new RangeError(`The payload of a job of kind ${kind} has more than ${MAX_PAYLOAD_BYTES} bytes.`);
}

/** Makes up to `count` jobs that are due the owner's. */
export async function claimJobs(
  inside: Statements,
  { kind, owner, nowMs, count }: { kind: string; owner: string; nowMs: number; count: number },
): Promise<readonly JobRow[]> {
  const claimed: JobRow[] = [];
  for (const priority of PRIORITIES.keys()) {
    if (claimed.length >= count) break;
    const rows = await inside
      .prepared<JobRow>(
        `UPDATE jobs SET owner = ? WHERE sequence IN (
           SELECT sequence FROM jobs WHERE owner IS NULL AND kind = ? AND priority = ? AND run_at <= ?
           ORDER BY run_at, sequence LIMIT ?)
         RETURNING ${COLUMNS}`,
      )
      .all(owner, kind, priority, nowMs, count - claimed.length);
    // Rows come back in no order.
    claimed.push(...rows.sort((a, b) => a.runAtMs - b.runAtMs || a.sequence - b.sequence));
  }
  return claimed;
}

/** When the next unclaimed job of the kind is due; undefined when there is none. */
export async function nextDueMs(statements: Statements, kind: string): Promise<number | undefined> {
  const statement = statements.prepared<{ runAtMs: number }>(
    `SELECT run_at AS "runAtMs" FROM jobs WHERE owner IS NULL AND kind = ? AND priority = ?
     ORDER BY run_at LIMIT 1`,
  );
  const rows = await Promise.all([...PRIORITIES.keys()].map((priority) => statement.get(kind, priority)));
  const dues = rows.flatMap((row) => (row ? [row.runAtMs] : []));
  return dues.length > 0 ? Math.min(...dues) : undefined;
}

/** Whether a job of the kind waits although it is due. */
export async function isDueJobWaiting(statements: Statements, kind: string, nowMs: number): Promise<boolean> {
  const row = await statements
    .prepared(
      `SELECT 1 FROM jobs WHERE owner IS NULL AND kind = ? AND priority IN (${[...PRIORITIES.keys()].join()})
         AND run_at <= ? LIMIT 1`,
    )
    .get(kind, nowMs);
  return row !== undefined;
}

/** @returns false when the owner has it no more. */
export async function deleteOwned(inside: Statements, sequence: number, owner: string): Promise<boolean> {
  const deleted = await inside
    .prepared("DELETE FROM jobs WHERE sequence = ? AND owner = ?")
    .run(sequence, owner);
  return deleted > 0;
}

/** Writes what became of a job, if the owner has it still. */
export async function writeOutcome(
  inside: Statements,
  { sequence, owner }: { readonly sequence: number; readonly owner: string },
  outcome: Outcome,
): Promise<void> {
  if (outcome.end === "done") {
    await deleteOwned(inside, sequence, owner);
  } else if (outcome.end === "again") {
    await inside
      .prepared("UPDATE jobs SET owner = NULL, run_at = ? WHERE sequence = ? AND owner = ?")
      .run(outcome.atMs, sequence, owner);
  } else {
    await inside
      .prepared(
        `UPDATE jobs SET owner = NULL, run_at = ?, failures = failures + 1, error = ?
         WHERE sequence = ? AND owner = ?`,
      )
      .run(outcome.atMs, outcome.error, sequence, owner);
  }
}

/** Makes the jobs of an owner that died wait again, where they were in the order. @returns how many there were. */
export async function takeOver(statements: Statements, owner: string): Promise<number> {
  return statements.prepared("UPDATE jobs SET owner = NULL, deaths = deaths + 1 WHERE owner = ?").run(owner);
}

export async function ownersOfJobs(statements: Statements): Promise<readonly string[]> {
  const rows = await statements
    .prepared<{ owner: string }>("SELECT DISTINCT owner FROM jobs WHERE owner IS NOT NULL")
    .all();
  return rows.map(({ owner }) => owner);
}

/** A job of the kind that the owner has; undefined when there is none. */
export async function ownedJob(
  statements: Statements,
  { sequence, owner, kind }: { readonly sequence: number; readonly owner: string; readonly kind: string },
): Promise<JobRow | undefined> {
  return statements
    .prepared<JobRow>(`SELECT ${COLUMNS} FROM jobs WHERE sequence = ? AND owner = ? AND kind = ?`)
    .get(sequence, owner, kind);
}

/** Numbers of the jobs that the owner has. */
export async function ownedJobs(statements: Statements, owner: string): Promise<ReadonlySet<number>> {
  const rows = await statements
    .prepared<{ sequence: number }>("SELECT sequence FROM jobs WHERE owner = ?")
    .all(owner);
  return new Set(rows.map(({ sequence }) => sequence));
}

export async function deleteGroup(inside: Statements, group: string): Promise<number> {
  return inside.prepared("DELETE FROM jobs WHERE job_group = ?").run(group);
}
