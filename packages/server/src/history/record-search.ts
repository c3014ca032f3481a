import { setImmediate as nextTurn } from "node:timers/promises";

import { isUuid, uuidTimeMs, uuidV7 } from "@pergamon-dev/kit/uuid";
import { type Condition, condition, likePattern, whereAll } from "../storage/database/conditions.ts";
import type { Database } from "../storage/database/database.ts";
import { formatsOf } from "./scrape-rows.ts";

/** A request of the history for the operator. */
export interface RequestRow {
  readonly id: string;
  readonly teamId: string;
  readonly keyId: string | null;
  /** Kind of the work; `refused` for a refused call. */
  readonly kind: string;
  readonly url: string;
  readonly status: string;
  /** HTTP status of the page. */
  readonly statusCode: number | null;
  readonly errorCode: string | null;
  readonly creditsUsed: number;
  readonly durationMs: number;
  readonly cacheState: string | null;
  readonly origin: string | null;
  /** Empty for requests from before formats were stored. */
  readonly formats: readonly string[];
  /** Source of the page: cache, http, browser … */
  readonly way: string | null;
  readonly replayOf: string | null;
  /** Job, search or session that it is part of. */
  readonly parentId: string | null;
  /** True when the answer lacks something that was requested. */
  readonly isPartial: boolean;
  readonly createdAtMs: number;
}

export interface RequestFilter {
  readonly teamId?: string | undefined;
  readonly keyId?: string | undefined;
  readonly kind?: string | undefined;
  readonly status?: "completed" | "failed" | undefined;
  /** Host name. Subdomains match, too. */
  readonly domain?: string | undefined;
  /** Part of the URL, or an id. */
  readonly search?: string | undefined;
  readonly errorCode?: string | undefined;
  readonly statusCode?: number | undefined;
  readonly format?: string | undefined;
  readonly way?: string | undefined;
  readonly replayOf?: string | undefined;
  /** Leaves out calls that were refused. */
  readonly withoutRefused?: boolean | undefined;
  /** True: only requests whose answer lacks something. */
  readonly isPartial?: boolean | undefined;
  readonly sinceMs?: number | undefined;
  /** Exclusive. */
  readonly untilMs?: number | undefined;
  readonly limit: number;
  /** Counts the matches on all pages, up to this number. Default: they are not counted. */
  readonly countUpTo?: number | undefined;
  /** Id of the last row of the previous page. */
  readonly cursor?: string | undefined;
}

export interface RequestPage {
  readonly data: readonly RequestRow[];
  /**
   * Cursor of the next page; null on the last page. A page before the last may be empty, because one search
   * reads a limited number of rows.
   */
  readonly cursor: string | null;
  /** Rows and total only cover requests since this time; undefined when the search covered everything. */
  readonly lookedBackToMs: number | undefined;
  /** Number of matches, if `countUpTo` was given. */
  readonly total?: number;
}

const ERASE_BATCH = 500;
const PRUNE_BATCH = 200;
/** Maximum rows that one page reads when no index leads to the matches: up to 50 ms of processor time on a slow machine. */
const MAX_LOOKED_AT = 30_000;

/** Matching requests of all teams, newest first. */
export async function searchRequests(
  database: Database,
  filter: RequestFilter,
  maxLookedAt = MAX_LOOKED_AT,
): Promise<RequestPage> {
  const endId = await endOfLook(database, filter, maxLookedAt);
  const { sql, values } = whereAll([...conditionsOf(filter), endingAt(endId)]);
  const rows = await database
    .prepared<
      Omit<RequestRow, "formats" | "isPartial"> & {
        readonly formats: string | null;
        readonly isPartial: number | null;
      }
    >(`${SELECT} ${sql} ORDER BY id DESC LIMIT ?`)
    .all(...values, filter.limit + 1);
  const data = rows.slice(0, filter.limit).map((row) => ({
    ...row,
    formats: formatsOf(row.formats ?? ""),
    isPartial: row.isPartial === 1,
  }));
  const isFull = rows.length > filter.limit;
  return {
    data,
    cursor: (isFull ? data.at(-1)?.id : endId) ?? null,
    lookedBackToMs: endId === undefined ? undefined : uuidTimeMs(endId),
    ...(filter.countUpTo !== undefined && { total: await countRequests(database, filter, maxLookedAt) }),
  };
}

/** Whether an index leads to the matches, or nearly all rows match. */
function isIndexed({ errorCode, isPartial, replayOf, search, ...others }: RequestFilter): boolean {
  if (errorCode !== undefined || isPartial === true || replayOf !== undefined) return true;
  if (search !== undefined) return isUuid(search);
  const { keyId, kind, status, domain, statusCode, format, way } = others;
  return [keyId, kind, status, domain, statusCode, format, way].every((value) => value === undefined);
}

/** Id of the oldest row that a page reads; undefined when it may read all rows. */
async function endOfLook(
  database: Database,
  filter: RequestFilter,
  maxLookedAt: number,
): Promise<string | undefined> {
  if (isIndexed(filter)) return undefined;
  const { sql, values } = whereAll(boundsOf(filter));
  const row = await database
    .prepared<{ id: string }>(`SELECT id FROM scrapes ${sql} ORDER BY id DESC LIMIT 1 OFFSET ?`)
    .get(...values, maxLookedAt - 1);
  return row?.id;
}

function endingAt(id: string | undefined): Condition | undefined {
  return id === undefined ? undefined : condition("id >= ?", id);
}

/** Counts from the newest row on, over all pages. */
async function countRequests(
  database: Database,
  filter: RequestFilter,
  maxLookedAt: number,
): Promise<number> {
  const all = { ...filter, cursor: undefined };
  const endId = await endOfLook(database, all, maxLookedAt);
  const { sql, values } = whereAll([...conditionsOf(all), endingAt(endId)]);
  const row = await database
    .prepared<{ count: number }>(
      `SELECT count(*) AS count FROM (SELECT 1 FROM scrapes ${sql} LIMIT ?) AS fitting`,
    )
    .get(...values, filter.countUpTo ?? 0);
  return row?.count ?? 0;
}

const SELECT = `SELECT id, team_id AS "teamId", key_id AS "keyId", kind, url, status, status_code AS "statusCode",
  error_code AS "errorCode", credits_used AS "creditsUsed", duration_ms AS "durationMs", cache_state AS "cacheState",
  origin, formats, way, replay_of AS "replayOf", parent_id AS "parentId", is_partial AS "isPartial", created_at AS "createdAtMs" FROM scrapes`;

/** Failures of one site with the same reason. */
interface FailureGroup {
  readonly errorCode: string;
  readonly host: string;
  readonly count: number;
  readonly firstAtMs: number;
  readonly lastAtMs: number;
  /** Id of the newest failure. */
  readonly newestId: string;
}

/** Failures since a time, most frequent first, and how many there are in all groups. @param teamId undefined: of all teams. */
export async function groupFailures(
  database: Database,
  { teamId, sinceMs, limit }: Pick<RequestFilter, "teamId" | "limit"> & { readonly sinceMs: number },
): Promise<{ readonly total: number; readonly groups: readonly FailureGroup[] }> {
  const { sql, values } = whereAll([
    condition("error_code IS NOT NULL"),
    condition("id >= ?", firstIdOf(sinceMs)),
    equal("team_id", teamId),
  ]);
  const rows = await database
    .prepared<FailureGroup & { readonly total: number }>(
      `SELECT error_code AS "errorCode", coalesce(host, '') AS host, count(*) AS count, min(created_at) AS "firstAtMs",
         max(created_at) AS "lastAtMs", max(id) AS "newestId",
         cast(sum(count(*)) OVER () AS bigint) AS total FROM scrapes
       ${sql} GROUP BY error_code, host ORDER BY count(*) DESC, max(id) DESC LIMIT ?`,
    )
    .all(...values, limit);
  return { total: rows[0]?.total ?? 0, groups: rows };
}

function conditionsOf(filter: RequestFilter): readonly (Condition | undefined)[] {
  const { format, domain, search } = filter;
  return [
    equal("team_id", filter.teamId),
    equal("key_id", filter.keyId),
    equal("kind", filter.kind),
    equal("status", filter.status),
    equal("error_code", filter.errorCode),
    equal("status_code", filter.statusCode),
    equal("way", filter.way),
    equal("replay_of", filter.replayOf),
    filter.withoutRefused === true ? condition("kind <> 'refused'") : undefined,
    filter.isPartial === true ? condition("is_partial = 1") : undefined,
    format === undefined ? undefined : condition("formats LIKE ? ESCAPE '!'", likePattern(`,${format},`)),
    ...boundsOf(filter),
    search === undefined ? undefined : searchFor(search),
    domain === undefined ? undefined : onHost(hostOf(domain)),
  ];
}

/** Ids sort by time, so times become bounds of ids. */
function boundsOf({
  cursor,
  sinceMs,
  untilMs,
}: Pick<RequestFilter, "cursor" | "sinceMs" | "untilMs">): readonly (Condition | undefined)[] {
  return [
    cursor === undefined ? undefined : condition("id < ?", cursor),
    sinceMs === undefined ? undefined : condition("id >= ?", firstIdOf(sinceMs)),
    untilMs === undefined ? undefined : condition("id < ?", firstIdOf(untilMs)),
  ];
}

function equal(column: string, value: string | number | undefined): Condition | undefined {
  return value === undefined ? undefined : condition(`${column} = ?`, value);
}

function firstIdOf(timeMs: number): string {
  return uuidV7(Math.max(0, timeMs)).slice(0, 14);
}

function onHost(host: string): Condition {
  return condition("host = ? OR host LIKE ? ESCAPE '!'", host, likePattern(`.${host}`, ""));
}

function searchFor(search: string): Condition {
  if (isUuid(search)) return condition("id = ?", search.toLowerCase());
  return condition("url LIKE ? ESCAPE '!'", likePattern(search));
}

/** Normalises a domain as URL parsing does, because hosts are stored in that form. */
function hostOf(domain: string): string {
  return URL.canParse(`http://${domain}/`) ? new URL(`http://${domain}/`).hostname : domain.toLowerCase();
}

/** Erases the history of a team. Its answers expire at once and are deleted with the next pruning. */
export async function eraseHistory(database: Database, teamId: string): Promise<void> {
  await database
    .prepared(
      `UPDATE documents SET expires_at = 0
       WHERE document_key IN (SELECT document_key FROM scrapes WHERE team_id = ? AND document_key IS NOT NULL)`,
    )
    .run(teamId);
  const erase = database.prepared(
    "DELETE FROM scrapes WHERE id IN (SELECT id FROM scrapes WHERE team_id = ? ORDER BY id LIMIT ?)",
  );
  while ((await erase.run(teamId, ERASE_BATCH)) === ERASE_BATCH) await nextTurn();
}

/** Deletes what began before a time, in small steps. */
export async function deleteOldRecords(database: Database, beforeMs: number): Promise<void> {
  const erase = database.prepared(
    "DELETE FROM scrapes WHERE id IN (SELECT id FROM scrapes WHERE id < ? ORDER BY id LIMIT ?)",
  );
  while ((await erase.run(firstIdOf(beforeMs), PRUNE_BATCH)) === PRUNE_BATCH) await nextTurn();
}
