import { fitting } from "../api/fitting.ts";
import type { Statements } from "../storage/database/database.ts";

/** A document that a page became. */
export interface NewDocument {
  readonly scrapeId: string;
  /** Size of its JSON. */
  readonly sizeBytes: number;
  readonly creditsUsed: number;
  /** JSON of the document, set only where answers are not stored. */
  readonly body?: string | undefined;
}

export interface DocumentRow {
  readonly position: number;
  readonly scrapeId: string;
  readonly sizeBytes: number;
  readonly body: string | null;
}

/** Deletes the first documents of a job that holds more than `maxBytes`. @returns whether it deleted any. */
export async function dropFirst(tx: Statements, jobId: string, maxBytes: number): Promise<boolean> {
  const run = await tx
    .prepared<{ bytes: number }>("SELECT document_bytes AS bytes FROM job_runs WHERE id = ?")
    .get(jobId);
  let tooMuch = (run?.bytes ?? 0) - maxBytes;
  if (tooMuch <= 0) return false;
  const first = tx.prepared<{ position: number; sizeBytes: number }>(
    `SELECT position, size_bytes AS "sizeBytes" FROM job_documents WHERE run_id = ? ORDER BY position LIMIT 1`,
  );
  for (let row = await first.get(jobId); row && tooMuch > 0; row = await first.get(jobId)) {
    await tx.prepared("DELETE FROM job_documents WHERE run_id = ? AND position = ?").run(jobId, row.position);
    await tx
      .prepared("UPDATE job_runs SET document_bytes = document_bytes - ? WHERE id = ?")
      .run(row.sizeBytes, jobId);
    tooMuch -= row.sizeBytes;
  }
  return true;
}

interface DocumentPage {
  readonly rows: readonly DocumentRow[];
  readonly hasMore: boolean;
}

interface DocumentRange {
  readonly skip: number;
  readonly limit: number;
  /** Called with the total size before the documents are read. */
  readonly hold?: (sizeBytes: number) => Promise<void>;
}

/** Reads documents from a position on: at most `limit` and 10 MiB, but at least one if there is one. */
export async function readDocuments(
  statements: Statements,
  jobId: string,
  { skip, limit, hold }: DocumentRange,
): Promise<DocumentPage> {
  const sized = await statements
    .prepared<{ position: number; sizeBytes: number }>(
      `SELECT position, size_bytes AS "sizeBytes" FROM job_documents WHERE run_id = ? AND position >= ?
       ORDER BY position LIMIT ?`,
    )
    .all(jobId, skip, limit + 1);
  const page = sized.slice(0, limit);
  const fit = page.slice(0, fitting(page));
  const last = fit.at(-1);
  if (!last) return { rows: [], hasMore: false };
  await hold?.(fit.reduce((sum, { sizeBytes }) => sum + sizeBytes, 0));
  const rows = await statements
    .prepared<DocumentRow>(
      `SELECT position, scrape_id AS "scrapeId", size_bytes AS "sizeBytes", body FROM job_documents
       WHERE run_id = ? AND position >= ? AND position <= ? ORDER BY position`,
    )
    .all(jobId, skip, last.position);
  return { rows, hasMore: sized.length > rows.length };
}
