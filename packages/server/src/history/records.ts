import { limits } from "../api/limits.ts";
import { decodeInTurns } from "@pergamon-dev/kit/encode-members";
import { withoutCredentials } from "@pergamon-dev/kit/url";
import type { BlobStore } from "../storage/blobs/blob-store.ts";
import type { Database, Statements } from "../storage/database/database.ts";
import { WriteQueue } from "../storage/write-queue.ts";
import { deleteOldRecords, eraseHistory } from "./record-search.ts";
import { findScrape, insertScrapes, newestSuccess, type ScrapeRecord } from "./scrape-rows.ts";
import { type AnswerParts, type AnswerSource, type MadeAnswer, StoredAnswers } from "./stored-answers.ts";

/** Requests with an immediate answer. Their kind is the name of their endpoint. */
const SINGLE_KINDS = ["scrape", "map", "search", "parse"];

/** Marks search queries among URLs. */
const SEARCH_MARK = /^search:/;

/** Browser sessions that belong to a scrape, and sessions that started without a page. */
const SESSION_CONDITIONS = new Map([
  ["interact", "scrapes.parent_id IS NOT NULL"],
  ["browser", "scrapes.parent_id IS NULL"],
]);

/** A line of a team's activity in the API (contract, section 6.1). */
interface Activity {
  readonly id: string;
  readonly endpoint: string;
  readonly api_version: "v2";
  /** ISO 8601, UTC. */
  readonly created_at: string;
  readonly target: string;
}

interface ActivityPage {
  readonly data: readonly Activity[];
  /** Cursor of the next page; null on the last page. */
  readonly cursor: string | null;
}

interface FoundRecord {
  readonly teamId: string;
  readonly record: ScrapeRecord;
  /** True when the answer is no longer kept. */
  readonly isExpired: boolean;
}

/** The history of scrapes, with their answers for a day. */
export interface Records {
  /** Adds a scrape to the history. It is written a moment later with others, but found at once. */
  add(record: ScrapeRecord): void;
  /**
   * Keeps an answer for at least 24 hours. Equal keys mean equal answers, so an answer is stored once, and
   * `data` (the JSON text or a function that makes it) is only used when it is not stored yet.
   */
  saveAnswer(answerKey: string, data: string | (() => Promise<AnswerParts>)): Promise<void>;
  /**
   * Prepares the answer of a new key.
   * @returns a function that stores the answer in a transaction. Before that it cannot be read.
   */
  prepareAnswer(
    answerKey: string,
    data: AnswerParts,
    source?: AnswerSource,
  ): Promise<(tx: Statements) => Promise<void>>;
  /** The newest prepared answer with that `madeFrom`. */
  answerMadeFrom(madeFrom: string): Promise<MadeAnswer | undefined>;
  /** The JSON text of an answer; undefined when none is kept. */
  answer(answerKey: string): Promise<string | undefined>;
  /** The stored answer as UTF-8 bytes. */
  answerBytes(answerKey: string): Promise<Uint8Array | undefined>;
  get(id: string): Promise<FoundRecord | undefined>;
  /** Calls the listener for each new record. @returns a function that stops this. */
  watch(listener: (record: ScrapeRecord) => void): () => void;
  /** Newest first. An unknown cursor returns an empty last page. */
  list(
    teamId: string,
    options: {
      readonly endpoint?: string | undefined;
      readonly limit: number;
      readonly cursor?: string | undefined;
    },
  ): Promise<ActivityPage>;
  /** Time at which the team's newest completed scrape began. */
  mostRecentSuccess(teamId: string): Promise<number | undefined>;
  /** Deletes the history and the answers of a team. */
  erase(teamId: string): Promise<void>;
  /** Deletes expired answers, and records older than 30 days, in small steps. */
  prune(): Promise<void>;
  /** Writes all waiting records. @throws when that fails; then they continue to wait. */
  flush(): Promise<void>;
  /** Waits for answers that are being saved, and flushes. */
  close(): Promise<void>;
}

interface RecordsOptions {
  readonly database: Database;
  readonly blobs: BlobStore;
  readonly clock?: () => number;
  /** Kinds of jobs that clients start. Default: none. */
  readonly jobKinds?: readonly string[];
  /** Called when waiting records could not be written. The write is retried. */
  readonly onError?: (failure: unknown) => void;
}

export function openRecords({
  database,
  blobs,
  clock = Date.now,
  jobKinds = [],
  onError = () => undefined,
}: RecordsOptions): Records {
  const queue = new WriteQueue<ScrapeRecord>({ database, insert: insertScrapes, onError });
  const answers = new StoredAnswers(database, blobs, clock);
  const listeners = new Set<(record: ScrapeRecord) => void>();
  return {
    watch(listener) {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
    // The history is kept for a month, so secrets are removed before.
    add(record) {
      const url = withoutCredentials(record.url);
      const kept = url === record.url ? record : { ...record, url };
      queue.add(kept);
      for (const listener of listeners) listener(kept);
    },
    saveAnswer: (key, data) =>
      answers.save(key, typeof data === "string" ? async () => [Buffer.from(data)] : data),
    prepareAnswer: (key, data, source) => answers.prepare(key, data, source),
    answerMadeFrom: (madeFrom) => answers.madeFrom(madeFrom),
    answer: (key) => answers.load(key).then((bytes) => bytes && decodeInTurns(bytes)),
    answerBytes: (key) => answers.load(key),
    async get(id) {
      const record = queue.find(id) ?? (await findScrape(database, id));
      if (!record) return undefined;
      const isExpired = clock() - record.createdAtMs > limits.keptMs.answers;
      return { teamId: record.teamId, record, isExpired };
    },
    async list(teamId, { endpoint, limit, cursor }) {
      const after = cursor === undefined ? undefined : positionOf(cursor);
      if (cursor !== undefined && after === undefined) return { data: [], cursor: null };
      await queue.flush();
      const filter = { teamId, endpoint, after, count: limit + 1, jobKinds };
      return pageOf(await activityOfTeam(database, filter), limit);
    },
    mostRecentSuccess: (teamId) => queue.flush().then(() => newestSuccess(database, teamId)),
    async erase(teamId) {
      await answers.settle();
      await queue.flush();
      await eraseHistory(database, teamId);
      await answers.prune();
    },
    async prune() {
      await answers.prune();
      await deleteOldRecords(database, clock() - limits.keptMs.records);
    },
    flush: () => queue.flush(),
    async close() {
      await answers.settle();
      await queue.close();
    },
  };
}

/** @param found has one more row than `limit` when another page exists. */
function pageOf(found: readonly ActivityRow[], limit: number): ActivityPage {
  const rows = found.slice(0, limit);
  const last = rows.at(-1);
  return {
    data: rows.map(({ id, endpoint, target, createdAtMs }) => ({
      id,
      endpoint,
      api_version: "v2",
      created_at: new Date(createdAtMs).toISOString(),
      target,
    })),
    cursor: last && found.length > limit ? cursorOf(last) : null,
  };
}

function cursorOf({ createdAtMs, id }: Position): string {
  return Buffer.from(`${createdAtMs}:${id}`).toString("base64url");
}

function positionOf(cursor: string): Position | undefined {
  const [, time, id] =
    /^(\d{1,15}):(.{1,100})$/.exec(Buffer.from(cursor, "base64url").toString("utf8")) ?? [];
  return time === undefined || id === undefined ? undefined : { createdAtMs: Number(time), id };
}

/** The position at which a page of a list ended. */
interface Position {
  readonly createdAtMs: number;
  readonly id: string;
}

/** A request or job of a team. */
interface ActivityRow extends Position {
  /** The endpoint's name in the API. */
  readonly endpoint: string;
  /** The requested URL or query; empty when there is none. */
  readonly target: string;
}

interface ActivityFilter {
  readonly teamId: string;
  /** Undefined: all endpoints. */
  readonly endpoint?: string | undefined;
  /** The position at which the previous page ended. */
  readonly after?: Position | undefined;
  readonly count: number;
  /** Names of the kinds of jobs that clients start. Each is the name of its endpoint. */
  readonly jobKinds: readonly string[];
}

/** Requests and jobs of a team without the pages of its jobs, newest first. */
async function activityOfTeam(database: Database, filter: ActivityFilter): Promise<readonly ActivityRow[]> {
  const { endpoint } = filter;
  const single = named(SINGLE_KINDS, endpoint);
  const families = named(filter.jobKinds, endpoint);
  const sessions = [...SESSION_CONDITIONS].filter(([name]) => endpoint === undefined || endpoint === name);
  const found = [
    ...(single.length > 0 ? await read(database, filter, singleRequests(single)) : []),
    ...(families.length > 0 ? await read(database, filter, jobs(families)) : []),
  ];
  for (const [name, condition] of sessions)
    found.push(...(await read(database, filter, browserSessions(name, condition))));
  return found.toSorted(newestFirst).slice(0, filter.count);
}

function named(known: readonly string[], endpoint: string | undefined): readonly string[] {
  return known.filter((name) => endpoint === undefined || name === endpoint);
}

interface Source {
  /** The columns `endpoint` and `target`, with the FROM clause. */
  readonly select: string;
  readonly table: "scrapes" | "job_runs";
  readonly condition: string;
}

function singleRequests(kinds: readonly string[]): Source {
  return {
    select: "scrapes.kind AS endpoint, scrapes.url AS target FROM scrapes",
    table: "scrapes",
    condition: `scrapes.parent_id IS NULL AND scrapes.kind IN (${listOf(kinds)})`,
  };
}

/** Jobs whose results are still kept. Their input is sealed, so their first page serves as the target. */
function jobs(families: readonly string[]): Source {
  return {
    select: `job_runs.family AS endpoint, coalesce(crawls.site_url,
        (SELECT url FROM scrapes WHERE scrapes.parent_id = job_runs.id AND scrapes.kind <> 'tool'
          ORDER BY scrapes.created_at, scrapes.id LIMIT 1),
        (SELECT url FROM job_errors WHERE job_errors.run_id = job_runs.id ORDER BY number LIMIT 1), '') AS target
      FROM job_runs LEFT JOIN crawls ON crawls.run_id = job_runs.id`,
    table: "job_runs",
    condition: `job_runs.is_purged = 0 AND job_runs.family IN (${listOf(families)})`,
  };
}

/** Sessions that have ended. */
function browserSessions(endpoint: string, condition: string): Source {
  return {
    select: `'${endpoint}' AS endpoint, coalesce(page.url, '') AS target
      FROM scrapes LEFT JOIN scrapes page ON page.id = scrapes.parent_id AND page.team_id = scrapes.team_id`,
    table: "scrapes",
    condition: `scrapes.kind = 'session' AND ${condition}`,
  };
}

/** Quotes names for SQL without escaping, so they must be constants. */
function listOf(names: readonly string[]): string {
  return names.map((name) => `'${name}'`).join(", ");
}

async function read(
  database: Database,
  { teamId, after, count }: ActivityFilter,
  { select, table, condition }: Source,
): Promise<readonly ActivityRow[]> {
  const { createdAtMs, id } = after ?? { createdAtMs: Number.MAX_SAFE_INTEGER, id: "" };
  const rows = await database
    .prepared<ActivityRow>(
      `SELECT ${table}.id, ${table}.created_at AS "createdAtMs", ${select}
       WHERE ${table}.team_id = ? AND ${condition}
         AND (${table}.created_at < ? OR (${table}.created_at = ? AND ${table}.id < ?))
       ORDER BY ${table}.created_at DESC, ${table}.id DESC LIMIT ?`,
    )
    .all(teamId, createdAtMs, createdAtMs, id, count);
  return rows.map((row) => ({ ...row, target: withoutCredentials(row.target.replace(SEARCH_MARK, "")) }));
}

function newestFirst(a: Position, b: Position): number {
  return b.createdAtMs - a.createdAtMs || (a.id < b.id ? 1 : -1);
}
