import type { Database } from "../storage/database/database.ts";

/** A profile of any team, for the operator. */
interface ProfileEntry {
  readonly teamId: string;
  readonly name: string;
  readonly sizeBytes: number;
  readonly isLocked: boolean;
  readonly createdAtMs: number;
  readonly savedAtMs: number | null;
}

interface ProfileFilter {
  readonly teamId?: string | undefined;
  readonly limit: number;
  /** Cursor from the previous page. */
  readonly cursor?: string | undefined;
  readonly nowMs: number;
}

/** Profiles ordered by team and name. An unknown cursor starts at the beginning. */
export async function searchProfiles(
  database: Database,
  { teamId, limit, cursor, nowMs }: ProfileFilter,
): Promise<{ readonly data: readonly ProfileEntry[]; readonly cursor: string | null }> {
  const [afterTeam = "", afterName = ""] = cursor === undefined ? [] : positionOf(cursor);
  const rows = await database
    .prepared<Omit<ProfileEntry, "isLocked"> & { readonly lockedUntilMs: number }>(
      `SELECT team_id AS "teamId", name, size_bytes AS "sizeBytes", created_at AS "createdAtMs",
         saved_at AS "savedAtMs", locked_until AS "lockedUntilMs" FROM profiles
       WHERE (team_id > ? OR (team_id = ? AND name > ?)) AND (? = '' OR team_id = ?)
       ORDER BY team_id, name LIMIT ?`,
    )
    .all(afterTeam, afterTeam, afterName, teamId ?? "", teamId ?? "", limit + 1);
  const data = rows
    .slice(0, limit)
    .map(({ lockedUntilMs, ...row }) => ({ ...row, isLocked: lockedUntilMs > nowMs }));
  const last = data.at(-1);
  return { data, cursor: last && rows.length > limit ? cursorOf(last) : null };
}

function cursorOf({ teamId, name }: ProfileEntry): string {
  return Buffer.from(`${teamId}\n${name}`).toString("base64url");
}

function positionOf(cursor: string): readonly string[] {
  return Buffer.from(cursor, "base64url").toString("utf8").split("\n", 2);
}
