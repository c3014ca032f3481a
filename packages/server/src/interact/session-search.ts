import type { Database } from "../storage/database/database.ts";
import type { SessionRow, SessionState } from "./session-rows.ts";

/** A session in an operator's search, of any team. */
export type FoundSession = Omit<SessionRow, "streams"> & {
  /**
   * URL of the page that it was opened on. Null for a session without a scrape, and when its scrape was
   * deleted.
   */
  readonly url: string | null;
};

interface SessionFilter {
  readonly teamId?: string | undefined;
  readonly state?: SessionState | undefined;
  readonly limit: number;
  /** Cursor from the previous page of the list. */
  readonly cursor?: string | undefined;
}

const COLUMNS = `s.id, s.scrape_id AS "scrapeId", s.team_id AS "teamId", s.key_id AS "keyId", s.process, s.state,
  s.created_at AS "createdAtMs", s.last_used_at AS "lastUsedAtMs", s.ended_at AS "endedAtMs",
  s.expires_at AS "expiresAtMs", s.prompted, s.credits, s.reason, scrapes.url`;

/** Sessions that began, newest first. The ids sort by their time. */
export async function searchSessions(
  database: Database,
  { teamId = "", state, limit, cursor = "" }: SessionFilter,
): Promise<{ readonly data: readonly FoundSession[]; readonly cursor: string | null }> {
  const rows = await database
    .prepared<FoundSession>(
      `SELECT ${COLUMNS} FROM interact_sessions s LEFT JOIN scrapes ON scrapes.id = s.scrape_id
       WHERE s.state <> 'opening' AND (? = '' OR s.team_id = ?) AND (? = '' OR s.state = ?) AND (? = '' OR s.id < ?)
       ORDER BY s.id DESC LIMIT ?`,
    )
    .all(teamId, teamId, state ?? "", state ?? "", cursor, cursor, limit + 1);
  const data = rows.slice(0, limit);
  return { data, cursor: rows.length > limit ? (data.at(-1)?.id ?? null) : null };
}

/** @returns undefined when no session has this id. */
export async function findSession(database: Database, id: string): Promise<FoundSession | undefined> {
  return database
    .prepared<FoundSession>(
      `SELECT ${COLUMNS} FROM interact_sessions s LEFT JOIN scrapes ON scrapes.id = s.scrape_id
       WHERE s.state <> 'opening' AND s.id = ?`,
    )
    .get(id);
}
