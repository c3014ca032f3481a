import { uuidV7 } from "../kit/uuid.ts";
import type { Statements } from "../platform/database/database.ts";

/** A page that did not become a document. */
export interface NewError {
  readonly url: string;
  readonly code?: string | undefined;
  readonly message: string;
}

/** As clients read it (contract of the families, section 4.3). */
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

/** Of each list. */
const MAX_LISTED = 10_000;

interface ErrorRow {
  readonly id: string;
  readonly happenedAtMs: number;
  readonly url: string;
  readonly code: string | null;
  readonly message: string;
}

export async function insertError(
  inside: Statements,
  runId: string,
  { url, code, message }: NewError,
  nowMs: number,
): Promise<void> {
  await insert(
    inside,
    runId,
    { id: uuidV7(nowMs), happenedAtMs: nowMs, url, code: code ?? null, message },
    0,
  );
}

/** A URL that robots.txt keeps from being visited. */
export async function insertRobotsBlocked(
  inside: Statements,
  runId: string,
  url: string,
  nowMs: number,
): Promise<void> {
  await insert(inside, runId, { id: uuidV7(nowMs), happenedAtMs: nowMs, url, code: null, message: "" }, 1);
}

export async function readErrors(statements: Statements, runId: string): Promise<RunErrors> {
  const statement = statements.prepared<ErrorRow>(
    `SELECT id, happened_at AS "happenedAtMs", url, code, message FROM job_errors
     WHERE run_id = ? AND is_robots = ? ORDER BY number LIMIT ${MAX_LISTED}`,
  );
  const errors = await statement.all(runId, 0);
  const blocked = await statement.all(runId, 1);
  return {
    errors: errors.map(({ id, happenedAtMs, url, code, message }) => ({
      id,
      timestamp: new Date(happenedAtMs).toISOString(),
      url,
      ...(code !== null && { code }),
      error: message,
    })),
    robotsBlocked: blocked.map(({ url }) => url),
  };
}

async function insert(inside: Statements, runId: string, row: ErrorRow, isRobots: 0 | 1): Promise<void> {
  await inside
    .prepared(
      `INSERT INTO job_errors (run_id, number, id, happened_at, url, code, message, is_robots)
       VALUES (?, (SELECT coalesce(max(number), 0) + 1 FROM job_errors WHERE run_id = ?), ?, ?, ?, ?, ?, ?)`,
    )
    .run(runId, runId, row.id, row.happenedAtMs, row.url, row.code, row.message, isRobots);
}
