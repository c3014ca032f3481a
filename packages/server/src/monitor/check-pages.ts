import { uuidV7 } from "@pergamon-dev/kit/uuid";
import { fitting } from "../api/fitting.ts";
import type { PAGE_STATUSES } from "../api/monitor.ts";
import type { Statements } from "../storage/database/database.ts";

type PageStatus = (typeof PAGE_STATUSES)[number];

/** Result of a check for one page. Members with JSON hold it as text. */
export interface CheckPageRow {
  /** Counts from 0 in the order in which pages ended. */
  readonly number: number;
  readonly id: string;
  readonly targetId: string;
  readonly url: string;
  readonly status: PageStatus;
  readonly previousScrapeId: string | null;
  readonly currentScrapeId: string | null;
  readonly statusCode: number | null;
  readonly error: string | null;
  readonly metadata: string | null;
  readonly judgment: string | null;
  readonly diff: string | null;
  readonly snapshot: string | null;
  readonly createdAtMs: number;
}

const COLUMNS = `number, id, target_id AS "targetId", url, status, previous_scrape_id AS "previousScrapeId",
  current_scrape_id AS "currentScrapeId", status_code AS "statusCode", error, metadata, judgment, diff, snapshot,
  created_at AS "createdAtMs"`;

/** SQL for the approximate size of a row as JSON. */
const SIZE = `length(url) + 500${["error", "metadata", "judgment", "diff", "snapshot"].map((name) => ` + coalesce(length(${name}), 0)`).join("")}`;

/** Columns of the check that count pages. */
const COUNTERS: Readonly<Record<PageStatus, string>> = {
  same: "same",
  new: "fresh",
  changed: "changed",
  removed: "removed",
  error: "failed",
};

export type NewPage = Pick<CheckPageRow, "targetId" | "url" | "status"> &
  Partial<Omit<CheckPageRow, "number" | "id" | "createdAtMs">>;

/** Adds a page to a check and counts it. */
export async function insertPage(
  tx: Statements,
  checkId: string,
  page: NewPage,
  nowMs: number,
): Promise<CheckPageRow> {
  const counter = COUNTERS[page.status];
  const counted = await tx
    .prepared<{ total: number }>(
      `UPDATE monitor_checks SET total = total + 1, ${counter} = ${counter} + 1, updated_at = ?
       WHERE id = ? RETURNING total`,
    )
    .get(nowMs, checkId);
  const row: CheckPageRow = {
    previousScrapeId: null,
    currentScrapeId: null,
    statusCode: null,
    error: null,
    metadata: null,
    judgment: null,
    diff: null,
    snapshot: null,
    ...page,
    number: (counted?.total ?? 1) - 1,
    id: uuidV7(nowMs),
    createdAtMs: nowMs,
  };
  await tx
    .prepared(
      `INSERT INTO monitor_pages (check_id, number, id, target_id, url, status, previous_scrape_id,
         current_scrape_id, status_code, error, metadata, judgment, diff, snapshot, created_at)
       VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
    )
    .run(
      checkId,
      row.number,
      row.id,
      row.targetId,
      row.url,
      row.status,
      row.previousScrapeId,
      row.currentScrapeId,
      row.statusCode,
      row.error,
      row.metadata,
      row.judgment,
      row.diff,
      row.snapshot,
      nowMs,
    );
  return row;
}

export async function getPage(
  statements: Statements,
  checkId: string,
  number: number,
): Promise<CheckPageRow | undefined> {
  return statements
    .prepared<CheckPageRow>(`SELECT ${COLUMNS} FROM monitor_pages WHERE check_id = ? AND number = ?`)
    .get(checkId, number);
}

/** JSON of the page's diff. */
export async function getDiff(
  statements: Statements,
  checkId: string,
  number: number,
  maxLength = Number.MAX_SAFE_INTEGER,
): Promise<string | null> {
  const row = await statements
    .prepared<{ diff: string | null }>(
      "SELECT diff FROM monitor_pages WHERE check_id = ? AND number = ? AND length(diff) <= ?",
    )
    .get(checkId, number, maxLength);
  return row?.diff ?? null;
}

export interface PageListPart {
  readonly checkId: string;
  readonly status?: PageStatus | undefined;
  readonly skip: number;
  readonly limit: number;
}

/** Lists at most 10 MiB. */
export async function listPages(
  statements: Statements,
  { checkId, status = "" as PageStatus, skip, limit }: PageListPart,
): Promise<{ readonly pages: readonly CheckPageRow[]; readonly hasMore: boolean }> {
  const wanted = "FROM monitor_pages WHERE check_id = ? AND (? = '' OR status = ?)";
  const sized = await statements
    .prepared<{ number: number; sizeBytes: number }>(
      `SELECT number, ${SIZE} AS "sizeBytes" ${wanted} ORDER BY number LIMIT ? OFFSET ?`,
    )
    .all(checkId, status, status, limit + 1, skip);
  const fit = sized.slice(0, fitting(sized.slice(0, limit)));
  const pages = await statements
    .prepared<CheckPageRow>(`SELECT ${COLUMNS} ${wanted} AND number >= ? ORDER BY number LIMIT ?`)
    .all(checkId, status, status, fit[0]?.number ?? 0, fit.length);
  return { pages, hasMore: sized.length > fit.length };
}

/** Pages with a picture or values. */
const MAX_EVIDENCE = 200;

/** Pages of these checks that have a picture or values, oldest first. */
export async function pagesWithEvidence(
  statements: Statements,
  checkIds: readonly string[],
): Promise<readonly { readonly checkId: string; readonly page: CheckPageRow }[]> {
  const places = checkIds.map(() => "?").join(", ");
  if (places === "") return [];
  const found = await statements
    .prepared<CheckPageRow & { readonly checkId: string }>(
      `SELECT check_id AS "checkId", ${COLUMNS} FROM monitor_pages WHERE check_id IN (${places})
       AND (snapshot IS NOT NULL OR metadata LIKE '%"screenshot"%') ORDER BY created_at DESC, number LIMIT ?`,
    )
    .all(...checkIds, MAX_EVIDENCE);
  return found.map(({ checkId, ...page }) => ({ checkId, page })).toReversed();
}

/** A changed page, with the columns that messages use. */
export type PageNews = Pick<CheckPageRow, "number" | "status" | "url" | "error" | "judgment">;

/** The first changed pages of a check. */
export async function firstNews(
  statements: Statements,
  checkId: string,
  count: number,
): Promise<readonly PageNews[]> {
  return statements
    .prepared<PageNews>(
      `SELECT number, status, url, error, judgment FROM monitor_pages WHERE check_id = ? AND status <> 'same'
       ORDER BY number LIMIT ?`,
    )
    .all(checkId, count);
}

/** @param judgment JSON. */
export async function setJudgment(
  tx: Statements,
  {
    checkId,
    number,
    judgment,
  }: { readonly checkId: string; readonly number: number; readonly judgment: string },
): Promise<void> {
  await tx
    .prepared("UPDATE monitor_pages SET judgment = ? WHERE check_id = ? AND number = ?")
    .run(judgment, checkId, number);
}
