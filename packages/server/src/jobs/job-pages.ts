import type { Statements } from "../storage/database/database.ts";
import type { StoredJob, JobStore, JobStores } from "./job-store.ts";
import { jobOf, type JobRow, type JobState } from "./job-rows.ts";

/** State of a page of a job. `blocked`: robots.txt forbids the visit. `cancelled`: its job has ended before it. */
type PageState = "done" | "failed" | "blocked" | "running" | "waiting" | "cancelled";

/** States that are listed together. `unfinished`: running, waiting and cancelled. */
type PageGroup = "done" | "failed" | "blocked" | "unfinished";

export interface ListedPage {
  /** Undefined when the record of its scrape is not kept any more. */
  readonly url: string | undefined;
  readonly state: PageState;
  /** Set for documents. */
  readonly scrapeId?: string;
  readonly statusCode?: number | undefined;
  /** Set for failures. */
  readonly code?: string | undefined;
  readonly message?: string;
  readonly happenedAtMs?: number;
}

interface PageQuestion {
  /** Undefined: all groups. */
  readonly group?: PageGroup | undefined;
  /** Cursor from the previous page of the list. */
  readonly cursor?: string | undefined;
  readonly limit: number;
}

/** An entry of the list, with the cursor of the next one. */
interface Listed {
  readonly page: ListedPage;
  readonly cursor: string;
}

type Read = (found: StoredJob, after: string | undefined, count: number) => Promise<readonly Listed[]>;

/** In the order of the list. */
const READERS: Readonly<Record<PageGroup, Read>> = {
  done: readDone,
  failed: ({ job, store }, after, count) => readFailed(store.database, job.id, { after, count, isRobots: 0 }),
  blocked: ({ job, store }, after, count) =>
    readFailed(store.database, job.id, { after, count, isRobots: 1 }),
  unfinished: readUnfinished,
};
const GROUPS = Object.keys(READERS) as readonly PageGroup[];

/** Lists the pages of a job: documents, failures, pages that robots.txt forbids, and unfinished ones. */
export async function readPages(
  found: StoredJob,
  { group, cursor, limit }: PageQuestion,
): Promise<{ readonly data: readonly ListedPage[]; readonly cursor: string | null }> {
  const start = startOf(cursor);
  const groups = group ? [group] : GROUPS.slice(start.group);
  const listed: Listed[] = [];
  for (const name of groups) {
    const after = name === GROUPS[start.group] ? start.after : undefined;
    listed.push(...(await READERS[name](found, after, limit + 1 - listed.length)));
    if (listed.length > limit) break;
  }
  const data = listed.slice(0, limit);
  return {
    data: data.map(({ page }) => page),
    cursor: listed.length > limit ? (data.at(-1)?.cursor ?? null) : null,
  };
}

/** A cursor is the name of the group and the position in it. An invalid cursor starts from the beginning. */
function startOf(cursor: string | undefined): { readonly group: number; readonly after: string | undefined } {
  const [name = "", after] = (cursor ?? "").split(":", 2);
  const group = GROUPS.indexOf(name as PageGroup);
  return group < 0 ? { group: 0, after: undefined } : { group, after };
}

async function readDone({ job, store }: StoredJob, after: string | undefined, count: number) {
  const rows = await store.database
    .prepared<{ position: number; scrapeId: string; url: string | null; statusCode: number | null }>(
      `SELECT position, scrape_id AS "scrapeId", url, status_code AS "statusCode"
       FROM job_documents LEFT JOIN scrapes ON scrapes.id = job_documents.scrape_id
       WHERE run_id = ? AND position > ? ORDER BY position LIMIT ?`,
    )
    .all(job.id, numberOf(after), count);
  return rows.map(({ position, scrapeId, url, statusCode }): Listed => {
    const page = {
      url: url ?? undefined,
      state: "done",
      scrapeId,
      statusCode: statusCode ?? undefined,
    } as const;
    return { page, cursor: `done:${position}` };
  });
}

interface FailedPart {
  readonly after: string | undefined;
  readonly count: number;
  readonly isRobots: 0 | 1;
}

async function readFailed(statements: Statements, jobId: string, { after, count, isRobots }: FailedPart) {
  const rows = await statements
    .prepared<{ number: number; url: string; code: string | null; message: string; happenedAtMs: number }>(
      `SELECT number, url, code, message, happened_at AS "happenedAtMs" FROM job_errors
       WHERE run_id = ? AND is_robots = ? AND number > ? ORDER BY number LIMIT ?`,
    )
    .all(jobId, isRobots, numberOf(after), count);
  const state = isRobots === 1 ? "blocked" : "failed";
  return rows.map(({ number, code, ...row }): Listed => {
    return { page: { ...row, state, code: code ?? undefined }, cursor: `${state}:${number}` };
  });
}

async function readUnfinished({ job, store }: StoredJob, after: string | undefined, count: number) {
  if (job.state === "completed") return [];
  const pages = await store.dispatcher.pending(store.database, job, { after, count });
  return pages.map(({ url, isUnderWay, cursor }): Listed => {
    const state = job.state !== "scraping" ? "cancelled" : isUnderWay ? "running" : "waiting";
    return { page: { url, state }, cursor: `unfinished:${cursor}` };
  });
}

function numberOf(after: string | undefined): number {
  const number = Number(after ?? -1);
  return Number.isSafeInteger(number) ? number : -1;
}

/** Why pages of a job failed. Lists have the most frequent cause first. */
interface FailureCause {
  readonly code: string | undefined;
  readonly count: number;
  /** Message of the first such failure. */
  readonly message: string;
}

export async function readCauses(statements: Statements, jobId: string): Promise<readonly FailureCause[]> {
  const rows = await statements
    .prepared<{ code: string | null; count: number; message: string }>(
      `SELECT causes.code, causes.count, job_errors.message
       FROM (SELECT code, count(*) AS count, min(number) AS first FROM job_errors
             WHERE run_id = ? AND is_robots = 0 GROUP BY code) AS causes
       JOIN job_errors ON job_errors.run_id = ? AND job_errors.number = causes.first
       ORDER BY causes.count DESC`,
    )
    .all(jobId, jobId);
  return rows.map(({ code, ...row }) => ({ ...row, code: code ?? undefined }));
}

interface RunFilter {
  readonly teamId?: string | undefined;
  readonly family?: string | undefined;
  readonly state?: JobState | undefined;
  /** Cursor from the previous page of the list. */
  readonly cursor?: string | undefined;
  readonly limit: number;
}

/** Runs of all teams, newest first. The ids sort by their time. */
export async function searchJobs(
  stores: JobStores,
  filter: RunFilter,
): Promise<{ readonly data: readonly StoredJob[]; readonly cursor: string | null }> {
  const found: StoredJob[] = [];
  for (const store of await stores.all()) found.push(...(await searchStore(store, filter)));
  const sorted = found.toSorted((a, b) => (a.job.id < b.job.id ? 1 : -1));
  const data = sorted.slice(0, filter.limit);
  return { data, cursor: sorted.length > filter.limit ? (data.at(-1)?.job.id ?? null) : null };
}

/** Reads one job more than wanted, to know whether there are more. */
async function searchStore(
  store: JobStore,
  { teamId = "", family = "", state, cursor = "", limit }: RunFilter,
): Promise<readonly StoredJob[]> {
  const rows = await store.database
    .prepared<JobRow>(
      `SELECT * FROM job_runs WHERE is_purged = 0 AND (? = '' OR team_id = ?) AND (? = '' OR family = ?)
         AND (? = '' OR state = ?) AND (? = '' OR id < ?)
       ORDER BY id DESC LIMIT ?`,
    )
    .all(teamId, teamId, family, family, state ?? "", state ?? "", cursor, cursor, limit + 1);
  return rows.map((row) => ({ job: jobOf(row), store }));
}

/**
 * URL of the first document or, without any, of the first failure, or else of the first page to do. Records of
 * scrapes are written a moment after documents.
 */
export async function firstUrl(found: StoredJob): Promise<string | undefined> {
  const { database: statements } = found.store;
  const jobId = found.job.id;
  const document = await statements
    .prepared<{ url: string | null }>(
      `SELECT url FROM job_documents LEFT JOIN scrapes ON scrapes.id = job_documents.scrape_id
       WHERE run_id = ? AND position = 0`,
    )
    .get(jobId);
  if (document) return document.url ?? undefined;
  const failure = await statements
    .prepared<{ url: string }>("SELECT url FROM job_errors WHERE run_id = ? ORDER BY number LIMIT 1")
    .get(jobId);
  return failure?.url ?? (await readUnfinished(found, undefined, 1))[0]?.page.url;
}
