import type { Database } from "../storage/database/database.ts";
import type { SessionRow, SessionState } from "./session-rows.ts";

/** A session of any team, as an operator looks for it. */
export type FoundSession = Omit<SessionRow, "streams"> & {
  /** Of the page that it was opened on; null for a session of its own, and when its scrape left nothing behind. */
  readonly url: string | null;
};

interface SessionFilter {
  readonly teamId?: string | undefined;
  readonly state?: SessionState | undefined;
  readonly limit: number;
  /** Of the page before. */
  readonly cursor?: string | undefined;
}

const COLUMNS = `s.id, s.scrape_id AS "scrapeId", s.team_id AS "teamId", s.key_id AS "keyId", s.process, s.state,
  s.created_at AS "createdAtMs", s.last_used_at AS "lastUsedAtMs", s.ended_at AS "endedAtMs",
  s.expires_at AS "expiresAtMs", s.prompted, s.credits, s.reason, scrapes.url`;

/** Sessions that began, newest first: their ids tell when. */
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

/** One of them; undefined when there is none of this id. */
export async function findSession(database: Database, id: string): Promise<FoundSession | undefined> {
  return database
    .prepared<FoundSession>(
      `SELECT ${COLUMNS} FROM interact_sessions s LEFT JOIN scrapes ON scrapes.id = s.scrape_id
       WHERE s.state <> 'opening' AND s.id = ?`,
    )
    .get(id);
}
