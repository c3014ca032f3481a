import { hash } from "node:crypto";
import type { Address } from "@pergamon-dev/kit/address";

import type { ListPart, PendingPage } from "../jobs/job-handler.ts";
import type { Statements } from "../storage/database/database.ts";
import { nextOfSequence } from "../storage/database/sequences.ts";

/**
 * How far a crawl is. `start`: its first page decides what belongs to it. `sitemaps`: they are to be read. `reading`:
 * they are read, while pages are visited. `over`: nothing is visited any more, such as when the credits are used up.
 */
type CrawlStage = "start" | "sitemaps" | "reading" | "pages" | "over";

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

type NewCrawl = Omit<Crawl, "number" | "stage"> & { readonly teamId: string };

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

export async function insertCrawl(tx: Statements, crawl: NewCrawl): Promise<Crawl> {
  const number = await nextOfSequence(tx, SEQUENCE, 1);
  const { runId, teamId, siteUrl, limit, delayMs, isByLevel } = crawl;
  await tx
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
export async function moveStage(tx: Statements, { number }: Crawl, stage: CrawlStage): Promise<void> {
  await tx.prepared("UPDATE crawls SET stage = ? WHERE number = ? AND stage <> 'over'").run(stage, number);
}

/** The start has ended there: from now on that decides what belongs to the crawl. */
export async function setSite(tx: Statements, { number }: Crawl, siteUrl: string): Promise<void> {
  await tx.prepared("UPDATE crawls SET site_url = ? WHERE number = ?").run(siteUrl, number);
}

/**
 * Takes numbers for what was found. Others that find something for the crawl wait until the transaction ends.
 * @returns the first of them.
 */
export async function reserveNumbers(tx: Statements, { number }: Crawl, count: number): Promise<number> {
  const row = await tx
    .prepared<{ found: number }>("UPDATE crawls SET found = found + ? WHERE number = ? RETURNING found")
    .get(count, number);
  return (row?.found ?? 0) - count;
}

/** Where an address of a crawl stands. */
export const UrlState = {
  waiting: 0,
  /** Its page is being made. */
  taken: 1,
  /** It became no document. */
  ended: 2,
  /** There is a document of it: its own, or that of a page which led to it. */
  document: 3,
} as const;

type State = (typeof UrlState)[keyof typeof UrlState];

/** An address that a crawl has found. */
export interface FrontierUrl {
  /** Counts up within a crawl, in the order of finding. */
  readonly sequence: number;
  readonly url: Address;
  readonly depth: number;
  /** Stale pages of its shape that led to it. */
  readonly chain: number;
  readonly state: State;
}

/** An address that belongs to a crawl, unless it is known already. */
export interface NewUrl {
  /** Where it stands among what was found with it, from 0 on. */
  readonly order: number;
  readonly url: Address;
  /** As `identityKey` has it. */
  readonly identity: string;
  readonly depth: number;
  readonly chain: number;
  /** Default: waiting. */
  readonly state?: State;
}

/** Spelled as in the index of open addresses: SQLite uses it only where the same words are in the question. */
const OPEN = "state < 2";

/** Rows that are written in one transaction, which take a few milliseconds: others may write between two. */
export const ROWS = 500;
/** 96 bits: of a million addresses two share one in one of 10^17 crawls. */
const KEY_LENGTH = 16;

/** A short name of something long, such as the identity of an address. */
export function keyOf(text: string): string {
  return hash("sha256", text, "base64url").slice(0, KEY_LENGTH);
}

/**
 * Adds addresses, at most `ROWS`.
 * @param first of the numbers that were reserved for them.
 * @returns of each whether it was new.
 */
export async function insertUrls(
  tx: Statements,
  { number }: Crawl,
  first: number,
  urls: readonly NewUrl[],
): Promise<readonly boolean[]> {
  const insert = tx.prepared(
    `INSERT INTO crawl_urls (crawl, sequence, identity, url, depth, chain, state)
     VALUES (?, ?, ?, ?, ?, ?, ?) ON CONFLICT (crawl, identity) DO NOTHING`,
  );
  const areNew: boolean[] = [];
  for (const { order, url, identity, depth, chain, state = UrlState.waiting } of urls) {
    areNew.push((await insert.run(number, first + order, identity, url, depth, chain, state)) > 0);
  }
  return areNew;
}

/** The next address to visit: by depth, then by finding. It is taken. Undefined when none may be now. */
export async function takeUrl(tx: Statements, crawl: Crawl): Promise<number | undefined> {
  return crawl.isByLevel ? takeOfLevel(tx, crawl) : takeNext(tx, crawl);
}

async function takeNext(tx: Statements, { number }: Crawl): Promise<number | undefined> {
  const taken = await tx
    .prepared<{ sequence: number }>(
      `UPDATE crawl_urls SET state = ${UrlState.taken} WHERE crawl = ? AND sequence = (
         SELECT sequence FROM crawl_urls WHERE crawl = ? AND ${OPEN} AND state = ${UrlState.waiting}
         ORDER BY depth, sequence LIMIT 1)
       RETURNING sequence`,
    )
    .get(number, number);
  return taken?.sequence;
}

async function takeOfLevel(tx: Statements, crawl: Crawl): Promise<number | undefined> {
  const next = await tx
    .prepared<{ sequence: number; depth: number }>(
      `SELECT sequence, depth FROM crawl_urls WHERE crawl = ? AND ${OPEN} AND state = ${UrlState.waiting}
       ORDER BY depth, sequence LIMIT 1`,
    )
    .get(crawl.number);
  if (!next || (await isAboveUnderWay(tx, crawl, next.depth))) return undefined;
  await tx
    .prepared(`UPDATE crawl_urls SET state = ${UrlState.taken} WHERE crawl = ? AND sequence = ?`)
    .run(crawl.number, next.sequence);
  return next.sequence;
}

async function isAboveUnderWay(tx: Statements, { number }: Crawl, depth: number): Promise<boolean> {
  const row = await tx
    .prepared<{ depth: number }>(
      `SELECT depth FROM crawl_urls WHERE crawl = ? AND ${OPEN} AND state = ${UrlState.taken}
       ORDER BY depth LIMIT 1`,
    )
    .get(number);
  return row !== undefined && row.depth < depth;
}

export async function readUrl(
  statements: Statements,
  { number }: Crawl,
  sequence: number,
): Promise<FrontierUrl | undefined> {
  return statements
    .prepared<FrontierUrl>(
      "SELECT sequence, url, depth, chain, state FROM crawl_urls WHERE crawl = ? AND sequence = ?",
    )
    .get(number, sequence);
}

/** Notes that an address is not under way any more, unless it has become a document. */
export async function endTaken(tx: Statements, { number }: Crawl, sequence: number): Promise<void> {
  await tx
    .prepared(
      `UPDATE crawl_urls SET state = ${UrlState.ended}
       WHERE crawl = ? AND sequence = ? AND state = ${UrlState.taken}`,
    )
    .run(number, sequence);
}

/** Whether an address is known, in any state. */
export async function isKnown(statements: Statements, { number }: Crawl, identity: string): Promise<boolean> {
  const row = await statements
    .prepared("SELECT 1 FROM crawl_urls WHERE crawl = ? AND identity = ?")
    .get(number, identity);
  return row !== undefined;
}

/**
 * Claims the document of an address that a page ended at, which may be known or not.
 * @returns false when there is one already.
 */
export async function claimDocument(
  tx: Statements,
  crawl: Crawl,
  { url, identity }: Pick<NewUrl, "url" | "identity">,
): Promise<boolean> {
  const claimed = await tx
    .prepared(
      `UPDATE crawl_urls SET state = ${UrlState.document}
       WHERE crawl = ? AND identity = ? AND state <> ${UrlState.document}`,
    )
    .run(crawl.number, identity);
  return claimed > 0 || insertOne(tx, crawl, { url, identity, state: UrlState.document });
}

/** Notes that an address is not visited. @returns false when it is known already. */
export async function noteBlocked(
  tx: Statements,
  crawl: Crawl,
  page: Pick<NewUrl, "url" | "identity">,
): Promise<boolean> {
  return insertOne(tx, crawl, { ...page, state: UrlState.ended });
}

async function insertOne(
  tx: Statements,
  crawl: Crawl,
  page: Pick<NewUrl, "url" | "identity" | "state">,
): Promise<boolean> {
  const first = await reserveNumbers(tx, crawl, 1);
  const [isNew] = await insertUrls(tx, crawl, first, [{ ...page, order: 0, depth: 0, chain: 0 }]);
  return isNew === true;
}

/** Notes something of the crawl, by its key. @returns false when it was noted before. */
export async function markOnce(tx: Statements, { number }: Crawl, mark: string): Promise<boolean> {
  const marked = await tx
    .prepared("INSERT INTO crawl_marks (crawl, mark) VALUES (?, ?) ON CONFLICT (crawl, mark) DO NOTHING")
    .run(number, mark);
  return marked > 0;
}

export async function isMarked(statements: Statements, { number }: Crawl, mark: string): Promise<boolean> {
  const row = await statements
    .prepared("SELECT 1 FROM crawl_marks WHERE crawl = ? AND mark = ?")
    .get(number, mark);
  return row !== undefined;
}

export async function countWaiting(statements: Statements, { number }: Crawl): Promise<number> {
  const row = await statements
    .prepared<{ count: number }>(
      `SELECT COUNT(*) AS count FROM crawl_urls WHERE crawl = ? AND ${OPEN} AND state = ${UrlState.waiting}`,
    )
    .get(number);
  return row?.count ?? 0;
}

/** Addresses that wait, in their order. */
export async function takeAllWaiting(
  tx: Statements,
  { number }: Crawl,
  count: number,
): Promise<readonly Address[]> {
  const rows = await tx
    .prepared<{ sequence: number; url: Address }>(
      `SELECT sequence, url FROM crawl_urls WHERE crawl = ? AND ${OPEN} AND state = ${UrlState.waiting}
       ORDER BY depth, sequence LIMIT ?`,
    )
    .all(number, count);
  const end = tx.prepared(`UPDATE crawl_urls SET state = ${UrlState.ended} WHERE crawl = ? AND sequence = ?`);
  for (const { sequence } of rows) await end.run(number, sequence);
  return rows.map(({ url }) => url);
}

/** Addresses that have no page yet: those under way, then those that wait, each by depth, then by finding. */
export async function listOpenUrls(
  statements: Statements,
  { number }: Crawl,
  { after, count }: ListPart,
): Promise<readonly PendingPage[]> {
  const [state = UrlState.taken, depth = -1, sequence = -1] = (after ?? "")
    .split(" ")
    .filter(Boolean)
    .map(Number);
  const found: PendingPage[] = [];
  for (const current of [UrlState.taken, UrlState.waiting].filter((each) => each <= state)) {
    const start = current === state ? depth : -1;
    const rows = await statements
      .prepared<Pick<FrontierUrl, "sequence" | "url" | "depth">>(
        `SELECT sequence, url, depth FROM crawl_urls WHERE crawl = ? AND ${OPEN} AND state = ?
           AND (depth > ? OR (depth = ? AND sequence > ?))
         ORDER BY depth, sequence LIMIT ?`,
      )
      .all(number, current, start, start, sequence, count - found.length);
    const isUnderWay = current === UrlState.taken;
    found.push(
      ...rows.map((row) => ({ url: row.url, isUnderWay, cursor: `${current} ${row.depth} ${row.sequence}` })),
    );
  }
  return found;
}
