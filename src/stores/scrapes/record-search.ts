import { setImmediate as nextTurn } from "node:timers/promises";

import { type ExpressionBuilder, type ExpressionWrapper, sql, type SqlBool } from "kysely";

import { isUuid, uuidV7 } from "../../kit/uuid.ts";
import type { Database } from "../../platform/database/database.ts";
import type { Tables } from "../../platform/database/tables.ts";
import { formatsOf } from "./scrape-rows.ts";

/** One request of the history, as an operator sees it. */
export interface RequestRow {
  readonly id: string;
  readonly teamId: string;
  readonly keyId: string | null;
  readonly url: string;
  readonly status: string;
  /** HTTP status of the page. */
  readonly statusCode: number | null;
  readonly errorCode: string | null;
  readonly creditsUsed: number;
  readonly durationMs: number;
  readonly cacheState: string | null;
  readonly origin: string | null;
  /** Empty for requests from before they were noted. */
  readonly formats: readonly string[];
  /** How the page was got. */
  readonly way: string | null;
  readonly replayOf: string | null;
  readonly createdAtMs: number;
}

export interface RequestFilter {
  readonly teamId?: string | undefined;
  readonly keyId?: string | undefined;
  readonly status?: "completed" | "failed" | undefined;
  /** Host name, including its subdomains. */
  readonly domain?: string | undefined;
  /** Part of the URL, or an id. */
  readonly search?: string | undefined;
  readonly errorCode?: string | undefined;
  readonly statusCode?: number | undefined;
  readonly format?: string | undefined;
  readonly way?: string | undefined;
  readonly replayOf?: string | undefined;
  readonly sinceMs?: number | undefined;
  /** Not included. */
  readonly untilMs?: number | undefined;
  readonly limit: number;
  /** Id of the last row of the page before. */
  readonly cursor?: string | undefined;
}

export interface RequestPage {
  readonly data: readonly RequestRow[];
  /** Cursor of the next page; null on the last page. */
  readonly cursor: string | null;
}

const ERASE_BATCH = 500;

/** Requests of all teams that fit the filter, newest first. */
export async function searchRequests(database: Database, filter: RequestFilter): Promise<RequestPage> {
  const rows = await database.query
    .selectFrom("scrapes")
    .select([
      "id",
      "team_id as teamId",
      "key_id as keyId",
      "url",
      "status",
      "status_code as statusCode",
      "error_code as errorCode",
      "credits_used as creditsUsed",
      "duration_ms as durationMs",
      "cache_state as cacheState",
      "origin",
      "formats",
      "way",
      "replay_of as replayOf",
      "created_at as createdAtMs",
    ])
    .where((where) => where.and(conditionsOf(filter, where)))
    .orderBy("id", "desc")
    .limit(filter.limit + 1)
    .execute();
  const data = rows.slice(0, filter.limit).map((row) => ({ ...row, formats: formatsOf(row.formats ?? "") }));
  return { data, cursor: rows.length > filter.limit ? (data.at(-1)?.id ?? null) : null };
}

type Where = ExpressionBuilder<Tables, "scrapes">;
type Condition = ExpressionWrapper<Tables, "scrapes", SqlBool>;

function conditionsOf(filter: RequestFilter, where: Where): readonly Condition[] {
  const { teamId, keyId, status, errorCode, statusCode, way, format, replayOf } = filter;
  return [
    ...(teamId === undefined ? [] : [where("team_id", "=", teamId)]),
    ...(keyId === undefined ? [] : [where("key_id", "=", keyId)]),
    ...(status === undefined ? [] : [where("status", "=", status)]),
    ...(errorCode === undefined ? [] : [where("error_code", "=", errorCode)]),
    ...(statusCode === undefined ? [] : [where("status_code", "=", statusCode)]),
    ...(way === undefined ? [] : [where("way", "=", way)]),
    ...(format === undefined ? [] : [where("formats", "like", pattern(`,${format},`))]),
    ...(replayOf === undefined ? [] : [where("replay_of", "=", replayOf)]),
    ...timesOf(filter, where),
    ...placesOf(filter, where),
  ];
}

/** Ids follow the clock. */
function timesOf({ sinceMs, untilMs, cursor }: RequestFilter, where: Where): readonly Condition[] {
  return [
    ...(cursor === undefined ? [] : [where("id", "<", cursor)]),
    ...(sinceMs === undefined ? [] : [where("id", ">=", firstIdOf(sinceMs))]),
    ...(untilMs === undefined ? [] : [where("id", "<", firstIdOf(untilMs))]),
  ];
}

function firstIdOf(timeMs: number): string {
  return uuidV7(Math.max(0, timeMs)).slice(0, 14);
}

function placesOf({ domain, search }: RequestFilter, where: Where): readonly Condition[] {
  const found = search === undefined ? [] : [searchFor(search, where)];
  if (domain === undefined) return found;
  const host = hostOf(domain);
  return [...found, where.or([where("host", "=", host), where("host", "like", pattern(`.${host}`, ""))])];
}

function searchFor(search: string, where: Where): Condition {
  return isUuid(search) ? where("id", "=", search.toLowerCase()) : where("url", "like", pattern(search));
}

/** What ends with the text, or has it anywhere. */
function pattern(text: string, rest = "%") {
  return sql<string>`${`%${escaped(text)}${rest}`} ESCAPE '!'`;
}

/** As URL parsing spells it, which is how it is stored. */
function hostOf(domain: string): string {
  return URL.canParse(`http://${domain}/`) ? new URL(`http://${domain}/`).hostname : domain.toLowerCase();
}

/** Without meaning in a pattern. */
function escaped(text: string): string {
  return text.replaceAll(/[!%_]/g, "!$&");
}

/** Erases the history of a team. Its answers expire at once, and are deleted with the next pruning. */
export async function eraseHistory(database: Database, teamId: string): Promise<void> {
  await database
    .prepared(
      `UPDATE documents SET expires_at = 0
       WHERE document_key IN (SELECT document_key FROM scrapes WHERE team_id = ? AND document_key IS NOT NULL)`,
    )
    .run(teamId);
  const erase = database.prepared(
    "DELETE FROM scrapes WHERE id IN (SELECT id FROM scrapes WHERE team_id = ? ORDER BY created_at LIMIT ?)",
  );
  while ((await erase.run(teamId, ERASE_BATCH)) === ERASE_BATCH) await nextTurn();
}
