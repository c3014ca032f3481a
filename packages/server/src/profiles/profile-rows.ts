import { MAX_LEASE_MS } from "../storage/coordination/lease-clock.ts";
import type { Database } from "../storage/database/database.ts";

/** Identifies a profile. Names are compared character by character. */
export interface ProfileName {
  readonly teamId: string;
  readonly name: string;
}

interface ProfileRow {
  readonly name: string;
  /** Null until something was saved. */
  readonly blobId: string | null;
  readonly sizeBytes: number;
  readonly createdAtMs: number;
  readonly savedAtMs: number | null;
  readonly lockedUntilMs: number;
  readonly lockId: string | null;
}

interface Lease {
  readonly lockId: string;
  readonly untilMs: number;
}

const COLUMNS = `name, blob_id AS "blobId", size_bytes AS "sizeBytes", created_at AS "createdAtMs",
  saved_at AS "savedAtMs", locked_until AS "lockedUntilMs",
  lock_id AS "lockId"`;
const ADD = `INSERT INTO profiles (team_id, name, blob_id, size_bytes, created_at, saved_at, lock_id, locked_until)
  VALUES (?, ?, NULL, 0, ?, NULL, ?, ?)`;

export async function findProfile(
  database: Database,
  { teamId, name }: ProfileName,
): Promise<ProfileRow | undefined> {
  return database
    .prepared<ProfileRow>(`SELECT ${COLUMNS} FROM profiles WHERE team_id = ? AND name = ?`)
    .get(teamId, name);
}

/** The profile of any team that was saved last. */
export async function newestProfile(database: Database): Promise<ProfileName | undefined> {
  return database
    .prepared<ProfileName>(
      `SELECT team_id AS "teamId", name FROM profiles WHERE blob_id IS NOT NULL ORDER BY saved_at DESC LIMIT 1`,
    )
    .get();
}

/** Profiles of a team, ordered by name. */
export async function profilesOfTeam(database: Database, teamId: string): Promise<readonly ProfileRow[]> {
  return database
    .prepared<ProfileRow>(`SELECT ${COLUMNS} FROM profiles WHERE team_id = ? ORDER BY name`)
    .all(teamId);
}

/** Locks a profile, and creates it when missing. @returns false while another lease runs. */
export async function takeLock(
  database: Database,
  { teamId, name }: ProfileName,
  { lockId, untilMs }: Lease,
  { nowMs, createdAtMs }: { readonly nowMs: number; readonly createdAtMs: number },
): Promise<boolean> {
  const taken = await database
    .prepared(
      `${ADD} ON CONFLICT (team_id, name) DO UPDATE SET lock_id = excluded.lock_id, locked_until = excluded.locked_until
       WHERE profiles.locked_until <= ? OR profiles.locked_until > ?`,
    )
    .run(teamId, name, createdAtMs, lockId, untilMs, nowMs, nowMs + MAX_LEASE_MS);
  return taken > 0;
}

/** Extends the lease, or ends it at once. @returns false when another session holds the lock by now. */
export async function setLease(
  database: Database,
  { teamId, name }: ProfileName,
  { lockId, untilMs }: Lease,
): Promise<boolean> {
  const kept = await database
    .prepared("UPDATE profiles SET locked_until = ? WHERE team_id = ? AND name = ? AND lock_id = ?")
    .run(untilMs, teamId, name, lockId);
  return kept > 0;
}

interface Saved {
  readonly lockId: string;
  readonly blobId: string;
  readonly sizeBytes: number;
  readonly savedAtMs: number;
}

/** Points the profile to a saved blob. @returns false when another session holds the lock by now. */
export async function setBlob(
  database: Database,
  { teamId, name }: ProfileName,
  saved: Saved,
  nowMs: number,
): Promise<boolean> {
  const set = await database
    .prepared(
      `UPDATE profiles SET blob_id = ?, size_bytes = ?, saved_at = ?
       WHERE team_id = ? AND name = ? AND lock_id = ? AND locked_until > ?`,
    )
    .run(saved.blobId, saved.sizeBytes, saved.savedAtMs, teamId, name, saved.lockId, nowMs);
  return set > 0;
}

/** @returns false when the profile is locked or missing. */
export async function deleteProfile(
  database: Database,
  { teamId, name }: ProfileName,
  nowMs: number,
): Promise<boolean> {
  const deleted = await database
    .prepared(
      "DELETE FROM profiles WHERE team_id = ? AND name = ? AND (locked_until <= ? OR locked_until > ?)",
    )
    .run(teamId, name, nowMs, nowMs + MAX_LEASE_MS);
  return deleted > 0;
}
