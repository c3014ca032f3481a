import { setImmediate as nextTurn } from "node:timers/promises";

import { sql } from "kysely";

import type { Database } from "../../platform/database/database.ts";

/** One request of the history, as an operator sees it. */
export interface RequestRow {
  readonly id: string;
  readonly teamId: string;
  readonly keyId: string | null;
  readonly url: string;
  readonly status: string;
  /** Of the page itself. */
  readonly statusCode: number | null;
  readonly errorCode: string | null;
  readonly creditsUsed: number;
  readonly durationMs: number;
  readonly cacheState: string | null;
  readonly origin: string | null;
  readonly createdAtMs: number;
}

export interface RequestFilter {
  readonly teamId: string | undefined;
  readonly status: "completed" | "failed" | undefined;
  /** A host name; its subdomains count too. */
  readonly domain: string | undefined;
  readonly limit: number;
  /** Id of the last row of the page before. */
  readonly cursor: string | undefined;
}

export interface RequestPage {
  readonly data: readonly RequestRow[];
  /** Asks for the next page; null on the last. */
  readonly cursor: string | null;
}

const ERASE_BATCH = 500;

/** Requests of all teams that fit the filter, newest first. */
export async function searchRequests(database: Database, filter: RequestFilter): Promise<RequestPage> {
  const { teamId, status, domain, limit, cursor } = filter;
  let query = database.query
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
      "created_at as createdAtMs",
    ]);
  if (teamId !== undefined) query = query.where("team_id", "=", teamId);
  if (status !== undefined) query = query.where("status", "=", status);
  // Ids follow the clock.
  if (cursor !== undefined) query = query.where("id", "<", cursor);
  if (domain !== undefined) {
    const host = hostOf(domain);
    query = query.where((where) =>
      where.or([
        where("host", "=", host),
        where("host", "like", sql<string>`${`%.${escaped(host)}`} ESCAPE '!'`),
      ]),
    );
  }
  const rows = await query
    .orderBy("id", "desc")
    .limit(limit + 1)
    .execute();
  const data = rows.slice(0, limit);
  return { data, cursor: rows.length > limit ? (data.at(-1)?.id ?? null) : null };
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
