import { z } from "zod";

import { ConflictError, ServiceError } from "../api/errors.ts";
import type { Records } from "../history/records.ts";
import { BATCH } from "./job-rows.ts";
import { findJob } from "./job-status.ts";
import type { JobStores } from "./job-store.ts";
import { storedEntry } from "./page-list.ts";

/** A job whose stored pages are read again, instead of fetching them. */
export const JobSource = z
  .union([
    z.strictObject({ crawlId: z.uuid().describe("Id of a crawl that has ended.") }),
    z.strictObject({ batchId: z.uuid().describe("Id of a batch that has ended.") }),
  ])
  .describe(
    "Reads the stored pages of a crawl or batch again. Nothing is fetched, and only formats are charged.",
  );
type JobSource = z.output<typeof JobSource>;

/** A document of a job: its scrape, and the address that was asked for. */
interface SourceDocument {
  readonly scrapeId: string;
  readonly url: string;
}

interface SourceServices {
  readonly stores: JobStores;
  readonly scraping: { readonly records: Pick<Records, "get"> };
}

const NOT_STORED = "Jobs without retention store no pages. Start it again without zeroDataRetention.";
const EMPTY = "The job of source has no documents.";
/** Options that only a visit can fulfil. */
const OF_VISITS = ["actions", "headers", "profile", "waitFor", "mobile", "location", "lockdown"] as const;
const ROWS_AT_ONCE = 1000;

/**
 * Entries of a list of pages for the documents of a job.
 * @throws NotFoundError when the job is unknown or expired; ConflictError while it runs; ServiceError
 *   BAD_REQUEST for options of visits, and when nothing is stored.
 */
export async function entriesOf(
  source: JobSource,
  { teamId, options }: { readonly teamId: string; readonly options: object },
  services: SourceServices,
): Promise<readonly string[]> {
  const idle = OF_VISITS.filter((name) => name in options);
  if (idle.length > 0) {
    const message = `With source nothing is fetched. Leave out ${idle.join(", ")}.`;
    throw new ServiceError("BAD_REQUEST", { message });
  }
  const documents = await documentsOf(source, teamId, services);
  return documents.map(({ scrapeId, url }) => storedEntry(scrapeId, url));
}

/** The documents of a job that has ended. @throws as `entriesOf`, but for options of visits. */
export async function documentsOf(
  source: JobSource,
  teamId: string,
  { stores, scraping }: SourceServices,
): Promise<readonly SourceDocument[]> {
  const [id, family] = "crawlId" in source ? [source.crawlId, "crawl"] : [source.batchId, BATCH];
  const { job, store } = await findJob(stores, { id, teamId, families: [family] });
  if (job.state === "scraping") throw new ConflictError("The job of source has not ended yet.");
  if (!store.isPersistent) throw new ServiceError("BAD_REQUEST", { message: NOT_STORED });
  const documents: SourceDocument[] = [];
  const part = store.database.prepared<{ position: number; scrapeId: string; url: string | null }>(
    `SELECT position, scrape_id AS "scrapeId", url FROM job_documents
     LEFT JOIN scrapes ON scrapes.id = job_documents.scrape_id
     WHERE run_id = ? AND position > ? ORDER BY position LIMIT ${ROWS_AT_ONCE}`,
  );
  for (let after = -1, hasMore = true; hasMore;) {
    const rows = await part.all(job.id, after);
    for (const { scrapeId, url } of rows) {
      // Records are written a moment after documents.
      const known = url ?? (await scraping.records.get(scrapeId))?.record.url;
      if (known !== undefined) documents.push({ scrapeId, url: known });
    }
    after = rows.at(-1)?.position ?? after;
    hasMore = rows.length === ROWS_AT_ONCE;
  }
  if (documents.length === 0) throw new ServiceError("BAD_REQUEST", { message: EMPTY });
  return documents;
}
