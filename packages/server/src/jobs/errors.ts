import type { Address } from "@pergamon-dev/kit/address";
import { uuidV7 } from "@pergamon-dev/kit/uuid";
import { fitting } from "../api/fitting.ts";
import type { Statements } from "../storage/database/database.ts";

export interface NewError {
  readonly url: Address;
  readonly code?: string | undefined;
  readonly message: string;
}

/** The answer to clients (contract of the families, section 4.3). */
export interface RunErrors {
  readonly errors: readonly {
    readonly id: string;
    readonly timestamp: string;
    readonly url: string;
    readonly code?: string;
    readonly error: string;
  }[];
  readonly robotsBlocked: readonly string[];
}

/** Entries of both lists together. */
const MAX_LISTED = 20_000;
/** Estimated size of an entry without its texts. */
const ENTRY_BYTES = 200;

interface ErrorRow {
  readonly id: string;
  readonly happenedAtMs: number;
  readonly url: string;
  readonly code: string | null;
  readonly message: string;
  readonly isRobots: number;
}

export async function insertError(
  tx: Statements,
  jobId: string,
  { url, code, message }: NewError,
  nowMs: number,
): Promise<void> {
  const row = { id: uuidV7(nowMs), happenedAtMs: nowMs, url, code: code ?? null, message, isRobots: 0 };
  await insert(tx, jobId, row);
}

/** Records a URL that robots.txt forbids to visit. */
export async function insertRobotsBlocked(
  tx: Statements,
  jobId: string,
  url: Address,
  nowMs: number,
): Promise<void> {
  const row = { id: uuidV7(nowMs), happenedAtMs: nowMs, url, code: null, message: "", isRobots: 1 };
  await insert(tx, jobId, row);
}

/** @returns how many more errors of a job may be recorded. */
export async function roomForErrors(statements: Statements, jobId: string): Promise<number> {
  const written = await statements
    .prepared<{ count: number }>(
      "SELECT COUNT(*) AS count FROM (SELECT 1 FROM job_errors WHERE run_id = ? LIMIT ?) AS counted",
    )
    .get(jobId, MAX_LISTED);
  return MAX_LISTED - (written?.count ?? 0);
}

interface ErrorRange {
  readonly skip: number;
  /** Called with the estimated size before the errors are read. */
  readonly hold?: (sizeBytes: number) => Promise<void>;
}

/** Reads at most 10 MiB of errors. */
export async function readErrors(
  statements: Statements,
  jobId: string,
  { skip, hold }: ErrorRange = { skip: 0 },
): Promise<RunErrors & { readonly next: number | undefined }> {
  const sized = await statements
    .prepared<{ sizeBytes: number }>(
      `SELECT length(url) + length(message) + ${ENTRY_BYTES} AS "sizeBytes" FROM job_errors
       WHERE run_id = ? AND number > ? ORDER BY number LIMIT ${MAX_LISTED + 1}`,
    )
    .all(jobId, skip);
  const fit = sized.slice(0, Math.min(fitting(sized), MAX_LISTED));
  await hold?.(fit.reduce((sum, { sizeBytes }) => sum + sizeBytes, 0));
  const rows = await statements
    .prepared<ErrorRow>(
      `SELECT id, happened_at AS "happenedAtMs", url, code, message, is_robots AS "isRobots" FROM job_errors
       WHERE run_id = ? AND number > ? ORDER BY number LIMIT ?`,
    )
    .all(jobId, skip, fit.length);
  return {
    errors: rows.flatMap(({ id, happenedAtMs, url, code, message, isRobots }) =>
      isRobots
        ? []
        : [
            {
              id,
              timestamp: new Date(happenedAtMs).toISOString(),
              url,
              ...(code !== null && { code }),
              error: message,
            },
          ],
    ),
    robotsBlocked: rows.flatMap(({ url, isRobots }) => (isRobots ? [url] : [])),
    next: sized.length > fit.length ? skip + fit.length : undefined,
  };
}

async function insert(tx: Statements, jobId: string, row: ErrorRow): Promise<void> {
  await tx
    .prepared(
      `INSERT INTO job_errors (run_id, number, id, happened_at, url, code, message, is_robots)
       VALUES (?, (SELECT coalesce(max(number), 0) + 1 FROM job_errors WHERE run_id = ?), ?, ?, ?, ?, ?, ?)`,
    )
    .run(jobId, jobId, row.id, row.happenedAtMs, row.url, row.code, row.message, row.isRobots);
}
