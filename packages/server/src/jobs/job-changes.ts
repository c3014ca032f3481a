import { keepAnswers } from "../history/stored-answers.ts";
import type { Statements } from "../storage/database/database.ts";
import { insertRows } from "../storage/database/insert-rows.ts";
import type { NewDocument } from "./documents.ts";
import { type Job, jobOfTask } from "./job-rows.ts";

/** Answers of jobs have no expiry of their own: the job deletes them. */
const FOR_EVER_MS = Number.MAX_SAFE_INTEGER;

/** What one transaction adds to a job. */
interface Change {
  pages: number;
  mayHaveMore: boolean;
  readonly documents: NewDocument[];
}

/**
 * Collects what pages that share a transaction add to their jobs, so that rows that all of them change are
 * written once.
 */
export class JobChanges {
  readonly #changes = new WeakMap<Statements, Map<string, Change>>();
  readonly #jobs = new WeakMap<Statements, Map<string, ReturnType<typeof jobOfTask>>>();
  readonly #ends = new WeakMap<Statements, Map<string, () => Promise<void>>>();

  /** Adds to the number of pages of a job that is under way, which may have more tasks now. */
  async admit(tx: Statements, jobId: string, pages: number): Promise<void> {
    const change = this.#of(tx, jobId);
    change.pages += pages;
    change.mayHaveMore = true;
    if (!tx.last) await this.flush(tx);
  }

  async addDocument(tx: Statements, jobId: string, document: NewDocument): Promise<void> {
    this.#of(tx, jobId).documents.push(document);
    if (!tx.last) await this.flush(tx);
  }

  /** The job as it is with the changes that are not written yet. */
  applied(tx: Statements, job: Job): Job {
    const change = this.#changes.get(tx)?.get(job.id);
    const { pages = 0, documents = [] } = change ?? {};
    return { ...job, total: job.total + pages, completed: job.completed + documents.length };
  }

  /** As `jobOfTask`, read once for all tasks of the transaction that go on. */
  jobOfTask(tx: Statements, jobId: string): ReturnType<typeof jobOfTask> {
    if (!tx.last) return jobOfTask(tx, jobId);
    const jobs = this.#jobs.get(tx) ?? new Map<string, ReturnType<typeof jobOfTask>>();
    const found = jobs.get(jobId) ?? jobOfTask(tx, jobId);
    this.#jobs.set(tx, jobs.set(jobId, found));
    return found;
  }

  /** Reads the job again for the next task, because its slots change or it ends. */
  forget(tx: Statements, jobId: string): void {
    this.#jobs.get(tx)?.delete(jobId);
  }

  /** Calls `end` after the changes are written, once for each name: the last that was given. */
  async atEnd(tx: Statements, name: string, end: () => Promise<void>): Promise<void> {
    if (!tx.last) return end();
    const ends = this.#ends.get(tx) ?? new Map<string, () => Promise<void>>();
    if (ends.size === 0) tx.last(() => this.#finish(tx));
    this.#ends.set(tx, ends.set(name, end));
  }

  /** Writes the changes so far. */
  async flush(tx: Statements): Promise<void> {
    const changes = this.#changes.get(tx);
    this.#changes.delete(tx);
    for (const [jobId, change] of changes ?? []) await writeChange(tx, jobId, change);
  }

  #of(tx: Statements, jobId: string): Change {
    const changes = this.#changes.get(tx) ?? new Map<string, Change>();
    if (changes.size === 0) tx.last?.(() => this.flush(tx));
    const change = changes.get(jobId) ?? { pages: 0, mayHaveMore: false, documents: [] };
    this.#changes.set(tx, changes.set(jobId, change));
    return change;
  }

  async #finish(tx: Statements): Promise<void> {
    await this.flush(tx);
    const ends = this.#ends.get(tx);
    this.#ends.delete(tx);
    for (const end of ends?.values() ?? []) await end();
  }
}

async function writeChange(
  tx: Statements,
  jobId: string,
  { pages, mayHaveMore, documents }: Change,
): Promise<void> {
  const sum = (value: (document: NewDocument) => number) =>
    documents.reduce((total, document) => total + value(document), 0);
  const row = await tx
    .prepared<{ documents: number }>(
      `UPDATE job_runs SET total = CASE WHEN state = 'scraping' THEN total + ? ELSE total END,
         has_more = CASE WHEN state = 'scraping' AND ? = 1 THEN 1 ELSE has_more END, documents = documents + ?,
         completed = completed + ?, credits_used = credits_used + ?, document_bytes = document_bytes + ?
       WHERE id = ? RETURNING documents`,
    )
    .get(
      pages,
      mayHaveMore ? 1 : 0,
      documents.length,
      documents.length,
      sum(({ creditsUsed }) => creditsUsed),
      sum(({ sizeBytes }) => sizeBytes),
      jobId,
    );
  if (documents.length === 0) return;
  if (!row) throw new Error(`There is no run ${jobId}.`);
  const first = row.documents - documents.length;
  const rows = documents.map(({ scrapeId, sizeBytes, body }, index) => {
    return [jobId, first + index, scrapeId, sizeBytes, body ?? null];
  });
  const target = {
    into: "job_documents (run_id, position, scrape_id, size_bytes, body)",
    row: "(?, ?, ?, ?, ?)",
  };
  await insertRows(tx, target, rows);
  const stored = documents.filter(({ body }) => body === undefined);
  await keepAnswers(
    tx,
    stored.map(({ scrapeId }) => scrapeId),
    FOR_EVER_MS,
  );
}
