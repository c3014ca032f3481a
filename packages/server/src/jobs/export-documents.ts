import { buffer } from "node:stream/consumers";

import type { BlobStore } from "../storage/blobs/blob-store.ts";
import type { Database } from "../storage/database/database.ts";
import type { TeamData } from "../storage/team-data.ts";
import { readDocuments } from "./documents.ts";
import { ExportOrder, exportOf } from "./job-exports.ts";
import { textOf } from "./job-status.ts";

interface DocumentExportParts {
  readonly database: Database;
  readonly blobs: BlobStore;
  readonly pages: Parameters<typeof exportOf>[2];
  /** What is in part files, and their type. Default: documents as lines of JSON. */
  readonly order?: Pick<ExportOrder, "of" | "as"> | undefined;
  /** Documents of a part, unless a job has ended or the part is large. */
  readonly partDocuments?: number;
}

/** Kinds of jobs whose documents are pages. */
const FAMILIES = "('crawl', 'batch_scrape')";
const PART_DOCUMENTS = 1000;
const PART_BYTES = 32 * 1024 * 1024;
const JOBS_AT_ONCE = 100;
const NUMBER_LENGTH = 6;

interface ExportedJob {
  readonly id: string;
  readonly teamId: string;
  readonly family: string;
  readonly state: string;
  /** Documents that are in parts. */
  readonly exported: number;
  readonly parts: number;
}

/**
 * Writes the documents of crawls and batches into the bucket while these run: part files
 * (`exports/crawl-ID/part-000001`), and `end` once a job has ended. A part is written whole before it counts, so after a
 * crash it is written again.
 */
export class DocumentExport implements TeamData {
  readonly #parts: DocumentExportParts;

  constructor(parts: DocumentExportParts) {
    this.#parts = parts;
  }

  /** Writes what is due. @throws the signal's reason once it is aborted. */
  async write(signal: AbortSignal): Promise<void> {
    for (;;) {
      const due = await this.#due();
      for (const job of due) await this.#writeJob(job, signal);
      if (due.length < JOBS_AT_ONCE) return;
    }
  }

  async erase(teamId: string): Promise<void> {
    const { database } = this.#parts;
    const exported = await database
      .prepared<ExportedJob>("SELECT run_id AS id, family, parts FROM job_exports WHERE team_id = ?")
      .all(teamId);
    for (const job of exported) {
      // One more may have been under way.
      for (let part = 1; part <= job.parts + 1; part += 1) await this.#parts.blobs.delete(partKey(job, part));
      await this.#parts.blobs.delete(`${folderOf(job)}/end`);
      await database.prepared("DELETE FROM job_exports WHERE run_id = ?").run(job.id);
    }
  }

  /** What is exported belongs to the operator, and stays. */
  async prune(): Promise<void> {}

  #due(): Promise<readonly ExportedJob[]> {
    const { database, partDocuments = PART_DOCUMENTS } = this.#parts;
    return database
      .prepared<ExportedJob>(
        `SELECT job_runs.id AS id, job_runs.team_id AS "teamId", job_runs.family AS family, state,
           COALESCE(exported, 0) AS exported, COALESCE(parts, 0) AS parts
         FROM job_runs LEFT JOIN job_exports ON run_id = job_runs.id
         WHERE job_runs.family IN ${FAMILIES} AND is_purged = 0 AND (documents - COALESCE(exported, 0) >= ? OR
           state <> 'scraping' AND (COALESCE(has_end, 0) = 0 OR documents > COALESCE(exported, 0)))
         LIMIT ${JOBS_AT_ONCE}`,
      )
      .all(partDocuments);
  }

  async #writeJob(job: ExportedJob, signal: AbortSignal): Promise<void> {
    const { database, blobs, partDocuments = PART_DOCUMENTS } = this.#parts;
    await database
      .prepared(
        `INSERT INTO job_exports (run_id, team_id, family, exported, parts, has_end) VALUES (?, ?, ?, 0, 0, 0)
         ON CONFLICT (run_id) DO NOTHING`,
      )
      .run(job.id, job.teamId, job.family);
    const { id, state } = job;
    const isOver = state !== "scraping";
    let { exported, parts } = job;
    for (let hasMore = true; hasMore;) {
      signal.throwIfAborted();
      const part = await this.#read(id, exported, signal);
      const count = part.next - exported;
      ({ hasMore } = part);
      if (count === 0 || !(isOver || hasMore || count >= partDocuments)) break;
      parts += 1;
      exported = part.next;
      await blobs.put(partKey(job, parts), part.bytes);
      await database
        .prepared("UPDATE job_exports SET exported = ?, parts = ? WHERE run_id = ?")
        .run(exported, parts, job.id);
    }
    if (!isOver) return;
    const end = JSON.stringify({ id, state, documents: exported, parts });
    await blobs.put(`${folderOf(job)}/end`, Buffer.from(end));
    await database.prepared("UPDATE job_exports SET has_end = 1 WHERE run_id = ?").run(id);
  }

  /** A part of at most so many documents and bytes, but at least of one document if there is one. */
  async #read(jobId: string, from: number, signal: AbortSignal) {
    const { database, pages, order, partDocuments = PART_DOCUMENTS } = this.#parts;
    const texts: string[] = [];
    let [next, sizeBytes, hasMore] = [from, 0, true];
    while (hasMore && next - from < partDocuments && sizeBytes < PART_BYTES) {
      const page = await readDocuments(database, jobId, { skip: next, limit: partDocuments - (next - from) });
      for (const row of page.rows) {
        const text = await textOf(row, pages.records);
        texts.push(text);
        sizeBytes += Buffer.byteLength(text);
        next = row.position + 1;
      }
      hasMore = page.hasMore && page.rows.length > 0;
    }
    const file = exportOf(inTurn(texts), ExportOrder.parse(order ?? {}), pages, signal);
    return { bytes: await buffer(file), next, hasMore };
  }
}

async function* inTurn(texts: readonly string[]) {
  yield* texts;
}

function folderOf({ family, id }: Pick<ExportedJob, "family" | "id">): string {
  return `exports/${family === "crawl" ? "crawl" : "batch"}-${id}`;
}

function partKey(job: Pick<ExportedJob, "family" | "id">, part: number): string {
  return `${folderOf(job)}/part-${String(part).padStart(NUMBER_LENGTH, "0")}`;
}
