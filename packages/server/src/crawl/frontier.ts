import { hash } from "node:crypto";
import type { Address } from "@pergamon-dev/kit/address";

import type { ListPart, PendingPage } from "../jobs/job-handler.ts";
import type { Statements } from "../storage/database/database.ts";
import { readTogether } from "../storage/database/batch-writer.ts";
import { chunksOf } from "../storage/database/chunks.ts";
import { insertCollected, insertLater, insertRows } from "../storage/database/insert-rows.ts";
import { nextOfSequence } from "../storage/database/sequences.ts";
import type { Outcome } from "./outcomes.ts";

/**
 * Progress of a crawl. `start`: its first page decides which pages belong to it. `sitemaps`: they are waiting
 * to be read. `reading`: they are read while pages are visited. `over`: no page is visited any more, for
 * example when the credits are used up.
 */
type CrawlStage = "start" | "sitemaps" | "reading" | "pages" | "over";

export interface Crawl {
  readonly jobId: string;
  /** Short name of the crawl in its many rows. */
  readonly number: number;
  /** URL whose host and path decide which pages belong to the crawl. */
  readonly siteUrl: string;
  readonly stage: CrawlStage;
  /** Maximum number of documents. */
  readonly limit: number;
  /** Pause between the end of a page and the start of the next. 0: none. */
  readonly delayMs: number;
  /** True: all pages of one depth end before the next depth begins, so that depths are exact. */
  readonly isByLevel: boolean;
}

type NewCrawl = Omit<Crawl, "number" | "stage"> & { readonly teamId: string };

interface CrawlRow {
  readonly jobId: string;
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
  const { jobId, teamId, siteUrl, limit, delayMs, isByLevel } = crawl;
  await tx
    .prepared(
      `INSERT INTO crawls
         (run_id, number, team_id, site_url, stage, page_limit, delay_ms, is_by_level, found, refused,
          unlisted)
       VALUES (?, ?, ?, ?, 'start', ?, ?, ?, 0, 0, 0)`,
    )
    .run(jobId, number, teamId, siteUrl, limit, delayMs, isByLevel ? 1 : 0);
  return { jobId, number, siteUrl, stage: "start", limit, delayMs, isByLevel };
}

const CRAWL = `run_id AS "jobId", number, site_url AS "siteUrl", stage, page_limit AS "limit",
  delay_ms AS "delayMs", is_by_level AS "isByLevel"`;

export async function getCrawl(statements: Statements, jobId: string): Promise<Crawl | undefined> {
  const row = await statements.prepared<CrawlRow>(`SELECT ${CRAWL} FROM crawls WHERE run_id = ?`).get(jobId);
  return row && crawlOf(row);
}

function crawlOf({ jobId, number, siteUrl, stage, limit, delayMs, isByLevel }: CrawlRow): Crawl {
  return { jobId, number, siteUrl, stage, limit, delayMs, isByLevel: isByLevel === 1 };
}

/** A crawl that is over stays over. */
export async function moveStage(tx: Statements, { number }: Crawl, stage: CrawlStage): Promise<void> {
  await tx.prepared("UPDATE crawls SET stage = ? WHERE number = ? AND stage <> 'over'").run(stage, number);
}

/** Sets the URL where the start has ended. It decides from now on which pages belong to the crawl. */
export async function setSite(tx: Statements, { number }: Crawl, siteUrl: string): Promise<void> {
  await tx.prepared("UPDATE crawls SET site_url = ? WHERE number = ?").run(siteUrl, number);
}

/**
 * Reserves numbers for found URLs. Concurrent calls for the same crawl wait until the transaction ends.
 * @returns the first of them.
 */
export async function reserveNumbers(tx: Statements, { number }: Crawl, count: number): Promise<number> {
  const row = await tx
    .prepared<{ found: number }>("UPDATE crawls SET found = found + ? WHERE number = ? RETURNING found")
    .get(count, number);
  return (row?.found ?? 0) - count;
}

/** States of a URL in the frontier. */
export const UrlState = {
  waiting: 0,
  /** A task makes its page. */
  taken: 1,
  /** The visit ended without a document. */
  ended: 2,
  /** It has a document: its own, or that of a page that redirects to it. */
  document: 3,
  /** A rule keeps it from being visited. Found in another way it may still be. */
  refused: 4,
} as const;

type State = (typeof UrlState)[keyof typeof UrlState];

export interface FrontierUrl {
  /** Counts the URLs of a crawl in the order in which they were found. */
  readonly sequence: number;
  /** From `identityKey`, or from `spellingKey`. */
  readonly identity: string;
  readonly url: Address;
  readonly depth: number;
  /** Number of stale pages of its shape that led to it in a row. */
  readonly chain: number;
  readonly state: State;
}

/** A URL that belongs to a crawl. It may be known already. */
export interface NewUrl {
  /** Position among the URLs that were found with it, from 0. */
  readonly order: number;
  readonly url: Address;
  /** As that of a `FrontierUrl`. */
  readonly identity: string;
  readonly depth: number;
  readonly chain: number;
  /** Default: waiting. */
  readonly state?: State;
  readonly outcome?: Outcome | undefined;
}

/**
 * Must equal the condition of the partial index, because SQLite uses such an index only for the same
 * expression.
 */
const OPEN = "state < 2";

/** Limit of the refused links that are listed: a multiple of the documents that are allowed, and a minimum. */
const LISTED_PER_DOCUMENT = 20;
const LEAST_LISTED = 10_000;
/** Rows per transaction. They take a few milliseconds, so that other writers get their turn. */
export const ROWS = 500;
/** 96 bits: in one of 10^17 crawls, two of a million URLs share a key. */
const KEY_LENGTH = 16;

/** Short hash of a long text, such as the identity of a URL. */
export function keyOf(text: string): string {
  return hash("sha256", text, "base64url").slice(0, KEY_LENGTH);
}

/**
 * Inserts at most `ROWS` URLs.
 * @param first first of the numbers reserved for them.
 * @returns for each whether it was new.
 */
export async function insertUrls(
  tx: Statements,
  { number }: Crawl,
  first: number,
  urls: readonly NewUrl[],
): Promise<readonly boolean[]> {
  // No row may be written twice by one statement.
  const distinct = new Map(urls.toReversed().map((url) => [url.identity, url]));
  const areNew = new Set<string>();
  for (const chunk of chunksOf([...distinct.values()].toReversed())) {
    const rows = chunk.map(({ order, url, identity, depth, chain, state = UrlState.waiting, outcome }) => {
      const place = [number, first + order, identity, url, depth, chain, state] as const;
      return [...place, outcome?.kind ?? null, outcome?.detail ?? null];
    });
    const inserted = await tx
      .prepared<{ identity: string }>(
        `INSERT INTO crawl_urls (crawl, sequence, identity, url, depth, chain, state, outcome, detail)
         VALUES ${rows.map(() => "(?, ?, ?, ?, ?, ?, ?, ?, ?)").join(", ")}
         ON CONFLICT (crawl, identity) DO UPDATE SET
           sequence = excluded.sequence, url = excluded.url, depth = excluded.depth, chain = excluded.chain,
           state = excluded.state, outcome = excluded.outcome, detail = excluded.detail
         WHERE crawl_urls.state = ${UrlState.refused} RETURNING identity`,
      )
      .all(...rows.flat());
    for (const { identity } of inserted) areNew.add(identity);
  }
  return urls.map((url) => areNew.has(url.identity) && distinct.get(url.identity) === url);
}

/**
 * Takes up to `count` URLs to visit: by depth, then in the order of finding. None when none may be visited
 * now.
 */
export async function takeUrls(tx: Statements, crawl: Crawl, count: number): Promise<readonly number[]> {
  const depth = crawl.isByLevel ? await levelOf(tx, crawl) : undefined;
  if (crawl.isByLevel && depth === undefined) return [];
  const taken = await tx
    .prepared<{ sequence: number; depth: number }>(
      `UPDATE crawl_urls SET state = ${UrlState.taken} WHERE crawl = ? AND sequence IN (
         SELECT sequence FROM crawl_urls WHERE crawl = ? AND ${OPEN} AND state = ${UrlState.waiting}
           ${depth === undefined ? "" : `AND depth = ${depth}`}
         ORDER BY depth, sequence LIMIT ?)
       RETURNING sequence, depth`,
    )
    .all(crawl.number, crawl.number, count);
  // RETURNING guarantees no order.
  return taken
    .toSorted((a, b) => a.depth - b.depth || a.sequence - b.sequence)
    .map(({ sequence }) => sequence);
}

/** The depth whose URLs are visited now. Undefined when the one above it is still under way. */
async function levelOf(tx: Statements, crawl: Crawl): Promise<number | undefined> {
  const next = await tx
    .prepared<{ depth: number }>(
      `SELECT depth FROM crawl_urls WHERE crawl = ? AND ${OPEN} AND state = ${UrlState.waiting}
       ORDER BY depth LIMIT 1`,
    )
    .get(crawl.number);
  return !next || (await isAboveUnderWay(tx, crawl, next.depth)) ? undefined : next.depth;
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

interface UrlName {
  readonly jobId: string;
  readonly sequence: number;
}

interface FoundUrl {
  readonly crawl: Crawl;
  readonly page: FrontierUrl;
}

type ReadUrl = (name: UrlName) => Promise<FoundUrl | undefined>;

const readers = new WeakMap<Statements, ReadUrl>();

/** A URL of the crawl of a job, with the crawl as it is now. */
export function readUrl(database: Statements, name: UrlName): Promise<FoundUrl | undefined> {
  const read: ReadUrl = readers.get(database) ?? readTogether((names) => readUrls(database, names));
  readers.set(database, read);
  return read(name);
}

async function readUrls(
  statements: Statements,
  names: readonly UrlName[],
): Promise<readonly (FoundUrl | undefined)[]> {
  const one = `SELECT ${CRAWL}, sequence, identity, url, depth, chain, state
    FROM crawls JOIN crawl_urls ON crawl = number WHERE run_id = ? AND sequence = ?`;
  const rows = await statements
    .prepared<CrawlRow & FrontierUrl>(names.map(() => one).join(" UNION ALL "))
    .all(...names.flatMap(({ jobId, sequence }) => [jobId, sequence]));
  return names.map(({ jobId, sequence }) => {
    const row = rows.find((found) => found.jobId === jobId && found.sequence === sequence);
    return row && { crawl: crawlOf(row), page: row };
  });
}

/** Ends the visit of a URL, unless it has become a document. */
export async function endTaken(
  tx: Statements,
  { number }: Crawl,
  sequence: number,
  { kind, detail }: Outcome,
): Promise<void> {
  await tx
    .prepared(
      `UPDATE crawl_urls SET state = ${UrlState.ended}, outcome = ?, detail = ?
       WHERE crawl = ? AND sequence = ? AND state = ${UrlState.taken}`,
    )
    .run(kind, detail ?? null, number, sequence);
}

/** Whether a URL is known, in any state but refused. */
export async function isKnown(statements: Statements, { number }: Crawl, identity: string): Promise<boolean> {
  const row = await statements
    .prepared(`SELECT 1 FROM crawl_urls WHERE crawl = ? AND identity = ? AND state <> ${UrlState.refused}`)
    .get(number, identity);
  return row !== undefined;
}

/**
 * Claims the document of the URL at which a page ended. The URL may be unknown so far.
 * @returns false when it has a document already.
 */
export async function claimDocument(
  tx: Statements,
  crawl: Crawl,
  { url, identity, outcome }: Pick<NewUrl, "url" | "identity" | "outcome">,
): Promise<boolean> {
  const claimed = await tx
    .prepared(
      `UPDATE crawl_urls SET state = ${UrlState.document}, outcome = ?, detail = ?
       WHERE crawl = ? AND identity = ? AND state <> ${UrlState.document}`,
    )
    .run(outcome?.kind ?? null, outcome?.detail ?? null, crawl.number, identity);
  return claimed > 0 || insertOne(tx, crawl, { url, identity, outcome, state: UrlState.document });
}

/** Takes the document back, which could not be paid. */
export async function disclaimDocument(
  tx: Statements,
  { number }: Crawl,
  identity: string,
  { kind, detail }: Outcome,
): Promise<void> {
  await tx
    .prepared(
      `UPDATE crawl_urls SET state = ${UrlState.ended}, outcome = ?, detail = ? WHERE crawl = ? AND identity = ?`,
    )
    .run(kind, detail ?? null, number, identity);
}

/** Records that a URL is not visited. @returns false when the URL is known already. */
export async function noteBlocked(
  tx: Statements,
  crawl: Crawl,
  page: Pick<NewUrl, "url" | "identity" | "outcome">,
): Promise<boolean> {
  return insertOne(tx, crawl, { ...page, state: UrlState.ended });
}

/** Records links that a rule refuses, unless they are known. Of very many, the rest is only counted. */
export async function noteRefused(
  tx: Statements,
  crawl: Crawl,
  links: readonly (Pick<NewUrl, "url" | "identity" | "depth"> & { readonly outcome: Outcome })[],
): Promise<void> {
  if (links.length === 0) return;
  const first = await reserveNumbers(tx, crawl, links.length);
  const listed = await tx
    .prepared<{ refused: number }>("SELECT refused FROM crawls WHERE number = ?")
    .get(crawl.number);
  const room = Math.max(0, LISTED_PER_DOCUMENT * crawl.limit + LEAST_LISTED - (listed?.refused ?? 0));
  const rows = links.slice(0, room).map(({ url, identity, depth, outcome: { kind, detail } }, index) => {
    return [crawl.number, first + index, identity, url, depth, 0, UrlState.refused, kind, detail ?? null];
  });
  const inserted = await insertRows(
    tx,
    {
      into: "crawl_urls (crawl, sequence, identity, url, depth, chain, state, outcome, detail)",
      row: "(?, ?, ?, ?, ?, ?, ?, ?, ?)",
      ending: "ON CONFLICT (crawl, identity) DO NOTHING",
    },
    rows,
  );
  await tx
    .prepared("UPDATE crawls SET refused = refused + ?, unlisted = unlisted + ? WHERE number = ?")
    .run(inserted, links.length - rows.length, crawl.number);
}

async function insertOne(
  tx: Statements,
  crawl: Crawl,
  page: Pick<NewUrl, "url" | "identity" | "state" | "outcome">,
): Promise<boolean> {
  const first = await reserveNumbers(tx, crawl, 1);
  const [isNew] = await insertUrls(tx, crawl, first, [{ ...page, order: 0, depth: 0, chain: 0 }]);
  return isNew === true;
}

const MARKS = {
  into: "crawl_marks (crawl, mark)",
  row: "(?, ?)",
  ending: "ON CONFLICT (crawl, mark) DO NOTHING",
};

/** Records a mark of the crawl. @returns false when it was recorded before. */
export async function markOnce(tx: Statements, { number }: Crawl, mark: string): Promise<boolean> {
  await insertCollected(tx);
  return (await insertRows(tx, MARKS, [[number, mark]])) > 0;
}

/** As `markOnce`, when nobody needs to know whether it was recorded before. */
export async function markLater(tx: Statements, { number }: Crawl, mark: string): Promise<void> {
  await insertLater(tx, MARKS, [[number, mark]]);
}

/** Records a mark with its URL. @returns the URL of the same mark before, if there is one. */
export async function markUrl(
  tx: Statements,
  { number }: Crawl,
  mark: string,
  url: Address,
): Promise<string | undefined> {
  const marked = await tx
    .prepared(
      "INSERT INTO crawl_marks (crawl, mark, url) VALUES (?, ?, ?) ON CONFLICT (crawl, mark) DO NOTHING",
    )
    .run(number, mark, url);
  if (marked > 0) return undefined;
  const first = await tx
    .prepared<{ url: string | null }>("SELECT url FROM crawl_marks WHERE crawl = ? AND mark = ?")
    .get(number, mark);
  return first?.url ?? undefined;
}

export async function isMarked(statements: Statements, { number }: Crawl, mark: string): Promise<boolean> {
  const row = await statements
    .prepared("SELECT 1 FROM crawl_marks WHERE crawl = ? AND mark = ?")
    .get(number, mark);
  return row !== undefined;
}

/** @param state `waiting` or `taken`. */
export async function countUrls(
  statements: Statements,
  { number }: Crawl,
  state: State = UrlState.waiting,
): Promise<number> {
  const row = await statements
    .prepared<{ count: number }>(
      `SELECT COUNT(*) AS count FROM crawl_urls WHERE crawl = ? AND ${OPEN} AND state = ${state}`,
    )
    .get(number);
  return row?.count ?? 0;
}

/** Ends up to `count` waiting URLs, in their order. @returns them. */
export async function takeAllWaiting(
  tx: Statements,
  { number }: Crawl,
  count: number,
  { kind, detail }: Outcome,
): Promise<readonly Address[]> {
  const rows = await tx
    .prepared<{ sequence: number; url: Address }>(
      `SELECT sequence, url FROM crawl_urls WHERE crawl = ? AND ${OPEN} AND state = ${UrlState.waiting}
       ORDER BY depth, sequence LIMIT ?`,
    )
    .all(number, count);
  const end = tx.prepared(
    `UPDATE crawl_urls SET state = ${UrlState.ended}, outcome = ?, detail = ? WHERE crawl = ? AND sequence = ?`,
  );
  for (const { sequence } of rows) await end.run(kind, detail ?? null, number, sequence);
  return rows.map(({ url }) => url);
}

/**
 * URLs without a page yet: first those under way, then those that wait, each by depth and order of finding.
 */
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
