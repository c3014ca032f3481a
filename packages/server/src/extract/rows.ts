import type { Statements } from "../storage/database/database.ts";

/**
 * Progress of an extraction. `pages`: its pages are made, and more are searched. `finding`: a search for
 * pages is under way. `merging`: the values of the pages are merged. `over`: there is a result.
 */
type ExtractStage = "pages" | "finding" | "merging" | "over";

export interface Extract {
  readonly jobId: string;
  readonly stage: ExtractStage;
  /** Number of searches for pages: one below each URL, and one web search. */
  readonly finds: number;
  readonly nextFind: number;
  /** Keys of known pages, so that each is made once. */
  readonly found: readonly string[];
  /** JSON, set once the extraction is over. */
  readonly result: string | undefined;
}

interface ExtractRow extends Omit<Extract, "found" | "result"> {
  readonly found: string;
  readonly result: string | null;
}

type NewExtract = Pick<Extract, "jobId" | "finds" | "found"> & { readonly teamId: string };

export async function insertExtract(tx: Statements, extract: NewExtract): Promise<void> {
  const { jobId, teamId, finds, found } = extract;
  await tx
    .prepared(
      `INSERT INTO extracts (run_id, team_id, stage, finds, next_find, found) VALUES (?, ?, 'pages', ?, 0, ?)`,
    )
    .run(jobId, teamId, finds, JSON.stringify(found));
}

export async function getExtract(statements: Statements, jobId: string): Promise<Extract | undefined> {
  const row = await statements
    .prepared<ExtractRow>(
      `SELECT run_id AS "jobId", stage, finds, next_find AS "nextFind", found, result FROM extracts WHERE run_id = ?`,
    )
    .get(jobId);
  return row && { ...row, found: JSON.parse(row.found) as string[], result: row.result ?? undefined };
}

/** Records the start of the next search for pages. */
export async function beginFind(tx: Statements, jobId: string): Promise<void> {
  await tx
    .prepared("UPDATE extracts SET stage = 'finding', next_find = next_find + 1 WHERE run_id = ?")
    .run(jobId);
}

/** Records the end of a search. @param found keys of all pages so far. */
export async function endFind(tx: Statements, jobId: string, found: readonly string[]): Promise<void> {
  await tx
    .prepared("UPDATE extracts SET stage = 'pages', found = ? WHERE run_id = ?")
    .run(JSON.stringify(found), jobId);
}

export async function beginMerge(tx: Statements, jobId: string): Promise<void> {
  await tx.prepared("UPDATE extracts SET stage = 'merging' WHERE run_id = ?").run(jobId);
}

export async function writeResult(tx: Statements, jobId: string, result: string): Promise<void> {
  await tx
    .prepared("UPDATE extracts SET stage = 'over', found = '[]', result = ? WHERE run_id = ?")
    .run(result, jobId);
}
