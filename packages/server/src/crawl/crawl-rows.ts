import type { Statements } from "../storage/database/database.ts";
import { nextOfSequence } from "../storage/database/sequences.ts";

/**
 * How far a crawl is. `start`: its first page decides what belongs to it. `sitemaps`: they are to be read. `reading`:
 * they are read, while pages are visited. `over`: nothing is visited any more, such as when the credits are used up.
 */
export type CrawlStage = "start" | "sitemaps" | "reading" | "pages" | "over";

/** What a crawl knows besides its pages. */
export interface Crawl {
  readonly runId: string;
  /** Its name in rows of which there are many. */
  readonly number: number;
  /** Whose host and path decide what belongs to the crawl. */
  readonly siteUrl: string;
  readonly stage: CrawlStage;
  /** The most documents. */
  readonly limit: number;
  /** Between the end of a page and the start of the next; 0: none. */
  readonly delayMs: number;
  /** Whether all pages of a depth end before one of the next begins, so that depths are exact. */
  readonly isByLevel: boolean;
}

export type NewCrawl = Omit<Crawl, "number" | "stage"> & { readonly teamId: string };

interface CrawlRow {
  readonly runId: string;
  readonly number: number;
  readonly siteUrl: string;
  readonly stage: CrawlStage;
  readonly limit: number;
  readonly delayMs: number;
  readonly isByLevel: number;
}

const SEQUENCE = "crawls";

export async function insertCrawl(inside: Statements, crawl: NewCrawl): Promise<Crawl> {
  const number = await nextOfSequence(inside, SEQUENCE, 1);
  const { runId, teamId, siteUrl, limit, delayMs, isByLevel } = crawl;
  await inside
    .prepared(
      `INSERT INTO crawls (run_id, number, team_id, site_url, stage, page_limit, delay_ms, is_by_level, found)
       VALUES (?, ?, ?, ?, 'start', ?, ?, ?, 0)`,
    )
    .run(runId, number, teamId, siteUrl, limit, delayMs, isByLevel ? 1 : 0);
  return { runId, number, siteUrl, stage: "start", limit, delayMs, isByLevel };
}

export async function getCrawl(statements: Statements, runId: string): Promise<Crawl | undefined> {
  const row = await statements
    .prepared<CrawlRow>(
      `SELECT run_id AS "runId", number, site_url AS "siteUrl", stage, page_limit AS "limit",
         delay_ms AS "delayMs", is_by_level AS "isByLevel" FROM crawls WHERE run_id = ?`,
    )
    .get(runId);
  return row && { ...row, isByLevel: row.isByLevel === 1 };
}

/** A crawl that is over stays so. */
export async function moveStage(inside: Statements, { number }: Crawl, stage: CrawlStage): Promise<void> {
  await inside
    .prepared("UPDATE crawls SET stage = ? WHERE number = ? AND stage <> 'over'")
    .run(stage, number);
}

/** The start has ended there: from now on that decides what belongs to the crawl. */
export async function setSite(inside: Statements, { number }: Crawl, siteUrl: string): Promise<void> {
  await inside.prepared("UPDATE crawls SET site_url = ? WHERE number = ?").run(siteUrl, number);
}

/**
 * Takes numbers for what was found. Others that find something for the crawl wait until the transaction ends.
 * @returns the first of them.
 */
export async function reserveNumbers(inside: Statements, { number }: Crawl, count: number): Promise<number> {
  const row = await inside
    .prepared<{ found: number }>("UPDATE crawls SET found = found + ? WHERE number = ? RETURNING found")
    .get(count, number);
  return (row?.found ?? 0) - count;
}
