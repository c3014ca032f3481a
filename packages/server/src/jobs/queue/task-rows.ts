import type { Statements } from "../../storage/database/database.ts";
import { insertRows } from "../../storage/database/insert-rows.ts";
import { nextOfSequence } from "../../storage/database/sequences.ts";
import { MAX_PAYLOAD_BYTES, type NewQueuedTask, type Priority } from "./task-queue.ts";

export interface TaskRow {
  readonly sequence: number;
  readonly group: string;
  readonly payload: string;
  readonly runAtMs: number;
  readonly failures: number;
  /** How many processes died while they had the task; see `ALONE`. */
  readonly deaths: number;
  /** Message of the failure of the last attempt. */
  readonly error: string | null;
}

/** Result of an attempt whose task did not end itself. */
export type Outcome =
  | { readonly end: "done" }
  | { readonly end: "again"; readonly atMs: number }
  | { readonly end: "failed"; readonly atMs: number; readonly error: string };

/** In the order of execution. */
const PRIORITIES = ["high", "normal", "low"] as const satisfies readonly Priority[];
const SEQUENCE = "jobs";
const COLUMNS = 'sequence, job_group AS "group", payload, run_at AS "runAtMs", failures, deaths, error';
/** Topic that tells other processes about new tasks of a kind. */
export function addedTopic(kind: string): string {
  return `jobs:${encodeURIComponent(kind)}`;
}

/** A task with this many deaths may be their cause, so it begins alone. */
export const SUSPECT_DEATHS = 2;
/** Stands for the deaths of a task that runs alone: one more, and nothing else can have ended the process. */
const ALONE = 1000;

/**
 * Adds tasks in the given order.
 * @param owner owns them from the start. Default: they wait.
 * @returns their numbers. @throws RangeError when a payload is too large.
 */
export async function insertTasks(
  tx: Statements,
  tasks: readonly NewQueuedTask[],
  { nowMs, owner = null }: { readonly nowMs: number; readonly owner?: string | null },
): Promise<readonly number[]> {
  if (tasks.length === 0) return [];
  const numbers = await takeNumbers(tx, tasks.length);
  const rows = tasks.map(({ kind, group, payload, priority = "normal", runAtMs = nowMs }, index) => {
    refuseLarge(payload, kind);
    return [numbers[index] as number, kind, group, PRIORITIES.indexOf(priority), runAtMs, owner, payload];
  });
  const columns = "sequence, kind, job_group, priority, run_at, owner, payload, failures, deaths";
  await insertRows(tx, { into: `jobs (${columns})`, row: "(?, ?, ?, ?, ?, ?, ?, 0, 0)" }, rows);
  if (owner === null)
    for (const kind of new Set(tasks.map((task) => task.kind))) tx.notify?.(addedTopic(kind));
  return numbers;
}

async function takeNumbers(tx: Statements, count: number): Promise<readonly number[]> {
  if (tx.numbers) return tx.numbers(count);
  const last = await nextOfSequence(tx, SEQUENCE, count);
  return Array.from({ length: count }, (_number, index) => last - count + 1 + index);
}

function refuseLarge(payload: string, kind: string): void {
  if (payload.length * 3 <= MAX_PAYLOAD_BYTES || Buffer.byteLength(payload) <= MAX_PAYLOAD_BYTES) return;
  throw new RangeError(`The payload of a job of kind ${kind} has more than ${MAX_PAYLOAD_BYTES} bytes.`);
}

/** Assigns up to `count` due tasks to the owner. */
export async function claimTasks(
  tx: Statements,
  { kind, owner, nowMs, count }: { kind: string; owner: string; nowMs: number; count: number },
): Promise<readonly TaskRow[]> {
  const claimed: TaskRow[] = [];
  for (const priority of PRIORITIES.keys()) {
    if (claimed.length >= count) break;
    const rows = await tx
      .prepared<TaskRow>(
        `UPDATE jobs SET owner = ? WHERE sequence IN (
           SELECT sequence FROM jobs WHERE owner IS NULL AND kind = ? AND priority = ? AND run_at <= ?
           ORDER BY run_at, sequence LIMIT ? ${tx.skipLocked ?? ""})
         RETURNING ${COLUMNS}`,
      )
      .all(owner, kind, priority, nowMs, count - claimed.length);
    // RETURNING guarantees no order.
    claimed.push(...rows.sort((a, b) => a.runAtMs - b.runAtMs || a.sequence - b.sequence));
  }
  return claimed;
}

export function isSuspect({ deaths }: Pick<TaskRow, "deaths">): boolean {
  return deaths === SUSPECT_DEATHS;
}

export function isDeadly({ deaths }: Pick<TaskRow, "deaths">): boolean {
  return deaths > ALONE;
}

/** Records that a suspect is about to begin alone. */
export async function beginAlone(statements: Statements, { sequence, owner }: OwnedTask): Promise<void> {
  await statements
    .prepared("UPDATE jobs SET deaths = ? WHERE sequence = ? AND owner = ?")
    .run(ALONE, sequence, owner);
}

const KEPT_DEATHS = `deaths = CASE WHEN deaths = ${ALONE} THEN ${SUSPECT_DEATHS} ELSE deaths END`;

/** Records that other tasks begin beside it, so that they may cause the next death. */
export async function endAlone(statements: Statements, { sequence, owner }: OwnedTask): Promise<void> {
  await statements
    .prepared(`UPDATE jobs SET ${KEPT_DEATHS} WHERE sequence = ? AND owner = ?`)
    .run(sequence, owner);
}

/** When the next unclaimed task of the kind is due. Undefined when there is none. */
export async function nextDueMs(statements: Statements, kind: string): Promise<number | undefined> {
  // Each takes one look at the index.
  const firsts = [...PRIORITIES.keys()].map(
    (priority) => `(SELECT run_at FROM jobs WHERE owner IS NULL AND kind = ? AND priority = ${priority}
       ORDER BY run_at LIMIT 1) AS due${priority}`,
  );
  const row = await statements
    .prepared<Readonly<Record<string, number | null>>>(`SELECT ${firsts.join(", ")}`)
    .get(...firsts.map(() => kind));
  const dues = Object.values(row ?? {}).filter((dueMs) => dueMs !== null);
  return dues.length > 0 ? Math.min(...dues) : undefined;
}

/** Whether a due task of the kind waits. */
export async function isDueTaskWaiting(
  statements: Statements,
  kind: string,
  nowMs: number,
): Promise<boolean> {
  const row = await statements
    .prepared(
      `SELECT 1 FROM jobs WHERE owner IS NULL AND kind = ? AND priority IN (${[...PRIORITIES.keys()].join()})
         AND run_at <= ? LIMIT 1`,
    )
    .get(kind, nowMs);
  return row !== undefined;
}

/** Tasks of the kind that processes have or that are due. */
export async function countTasks(statements: Statements, kind: string, nowMs: number): Promise<number> {
  const row = await statements
    .prepared<{ count: number }>(
      `SELECT (SELECT COUNT(*) FROM jobs WHERE owner IS NOT NULL AND kind = ?)
         + (SELECT COUNT(*) FROM jobs WHERE owner IS NULL AND kind = ?
              AND priority IN (${[...PRIORITIES.keys()].join()}) AND run_at <= ?) AS count`,
    )
    .get(kind, kind, nowMs);
  return row?.count ?? 0;
}

interface DueTasks {
  /** At most `MAX_COUNTED_JOBS`, because a larger number makes no difference. */
  readonly count: number;
  /** How long the oldest of them has been due. */
  readonly longestMs: number;
}

const MAX_COUNTED_TASKS = 10_000;

export async function countDueTasks(statements: Statements, nowMs: number): Promise<DueTasks> {
  const row = await statements
    .prepared<{ count: number; oldestMs: number | null }>(
      `SELECT COUNT(*) AS count, MIN(run_at) AS "oldestMs" FROM
         (SELECT run_at FROM jobs WHERE owner IS NULL AND run_at <= ? LIMIT ${MAX_COUNTED_TASKS}) due`,
    )
    .get(nowMs);
  const count = row?.count ?? 0;
  return { count, longestMs: row && row.oldestMs !== null ? Math.max(0, nowMs - row.oldestMs) : 0 };
}

/** @returns false when the owner does not have the task any more. */
export async function deleteOwned(tx: Statements, sequence: number, owner: string): Promise<boolean> {
  const deleted = await tx.prepared("DELETE FROM jobs WHERE sequence = ? AND owner = ?").run(sequence, owner);
  return deleted > 0;
}

/** Due time of tasks that wait for `resumeParked`. */
const PARKED_MS = Number.MAX_SAFE_INTEGER;

/**
 * Gives a task another payload and all its attempts.
 * @param from the payload until now. @param isParked true: its owner gives it up.
 * @returns false when the owner does not have the task with that payload any more.
 */
export async function renewOwned(
  tx: Statements,
  { sequence, owner }: OwnedTask,
  {
    from,
    payload,
    isParked,
  }: { readonly from: string; readonly payload: string; readonly isParked: boolean },
): Promise<boolean> {
  const parked = isParked ? `, owner = NULL, run_at = ${PARKED_MS}` : "";
  const renewed = await tx
    .prepared(
      `UPDATE jobs SET payload = ?, failures = 0, deaths = 0, error = NULL${parked}
       WHERE sequence = ? AND owner = ? AND payload = ?`,
    )
    .run(payload, sequence, owner, from);
  return renewed > 0;
}

/** Makes a parked task of the group due. @returns its kind. Undefined when there is none. */
export async function resumeParked(
  tx: Statements,
  group: string,
  nowMs: number,
): Promise<string | undefined> {
  const resumed = await tx
    .prepared<{ kind: string }>(
      `UPDATE jobs SET run_at = ? WHERE sequence = (
         SELECT sequence FROM jobs WHERE job_group = ? AND owner IS NULL AND run_at = ${PARKED_MS}
         ORDER BY sequence LIMIT 1)
       RETURNING kind`,
    )
    .get(nowMs, group);
  if (resumed) tx.notify?.(addedTopic(resumed.kind));
  return resumed?.kind;
}

interface OwnedTask {
  readonly sequence: number;
  readonly owner: string;
}

/** A finished attempt, with the outcome to write. */
export interface Settled {
  readonly running: OwnedTask;
  readonly outcome: Outcome;
}

/** Rows per statement, to save round trips to a database server. */
const DONE_AT_ONCE = 32;

/** Writes the outcomes of tasks that their owners still have. */
export async function writeOutcomes(tx: Statements, settled: readonly Settled[]): Promise<void> {
  const done = settled.filter(({ outcome }) => outcome.end === "done").map(({ running }) => running);
  for (let start = 0; start < done.length;) {
    const count = done.length - start >= DONE_AT_ONCE ? DONE_AT_ONCE : 1;
    await deleteAllOwned(tx, done.slice(start, start + count));
    start += count;
  }
  for (const { running, outcome } of settled) {
    if (outcome.end !== "done") await putBack(tx, running, outcome);
  }
}

async function deleteAllOwned(tx: Statements, tasks: readonly OwnedTask[]): Promise<void> {
  const rows = tasks.map(() => "(sequence = ? AND owner = ?)").join(" OR ");
  const values = tasks.flatMap(({ sequence, owner }) => [sequence, owner]);
  await tx.prepared(`DELETE FROM jobs WHERE ${rows}`).run(...values);
}

async function putBack(
  tx: Statements,
  { sequence, owner }: OwnedTask,
  outcome: Exclude<Outcome, { readonly end: "done" }>,
): Promise<void> {
  const error = outcome.end === "failed" ? outcome.error : undefined;
  if (error === undefined) {
    await tx
      .prepared(`UPDATE jobs SET owner = NULL, run_at = ?, ${KEPT_DEATHS} WHERE sequence = ? AND owner = ?`)
      .run(outcome.atMs, sequence, owner);
  } else {
    await tx
      .prepared(
        `UPDATE jobs SET owner = NULL, run_at = ?, ${KEPT_DEATHS}, failures = failures + 1, error = ?
         WHERE sequence = ? AND owner = ?`,
      )
      .run(outcome.atMs, error, sequence, owner);
  }
}

/**
 * Makes the tasks of a dead owner wait again at their old place in the order. @returns how many there were.
 */
export async function takeOver(statements: Statements, owner: string): Promise<number> {
  return statements.prepared("UPDATE jobs SET owner = NULL, deaths = deaths + 1 WHERE owner = ?").run(owner);
}

export async function ownersOfTasks(statements: Statements): Promise<readonly string[]> {
  const rows = await statements
    .prepared<{ owner: string }>("SELECT DISTINCT owner FROM jobs WHERE owner IS NOT NULL")
    .all();
  return rows.map(({ owner }) => owner);
}

/** A task of the kind that the owner has. Undefined when there is none. */
export async function ownedTask(
  statements: Statements,
  { sequence, owner, kind }: { readonly sequence: number; readonly owner: string; readonly kind: string },
): Promise<TaskRow | undefined> {
  return statements
    .prepared<TaskRow>(`SELECT ${COLUMNS} FROM jobs WHERE sequence = ? AND owner = ? AND kind = ?`)
    .get(sequence, owner, kind);
}

export async function ownedTasks(statements: Statements, owner: string): Promise<ReadonlySet<number>> {
  const rows = await statements
    .prepared<{ sequence: number }>("SELECT sequence FROM jobs WHERE owner = ?")
    .all(owner);
  return new Set(rows.map(({ sequence }) => sequence));
}

export async function deleteGroup(tx: Statements, group: string): Promise<number> {
  return tx.prepared("DELETE FROM jobs WHERE job_group = ?").run(group);
}
