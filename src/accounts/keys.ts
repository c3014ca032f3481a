import { randomBytes, timingSafeEqual } from "node:crypto";

import { sha256Hex } from "../kit/hash.ts";
import { uuidV7 } from "../kit/uuid.ts";
import type { Database } from "../platform/database/database.ts";

/** What a key says about who sends it. */
export interface KeyHolder {
  readonly teamId: string;
  readonly keyId: string;
}

/** A key as its owner may see it later: never the key itself. */
export interface KeyEntry extends KeyHolder {
  readonly name: string;
  readonly createdAtMs: number;
  /** Exact to a minute. */
  readonly lastUsedAtMs: number | null;
  readonly revokedAtMs: number | null;
}

/** Prefix that clients of the public service know, then 128 random bits. */
const API_KEY = /^fc-[0-9a-f]{32}$/;
/** Noting every use would turn each request into a write. */
const LAST_USED_STEP_MS = 60_000;

/** Makes a key. `apiKey` is told here and never again: only its hash is kept. */
export async function createKey(
  database: Database,
  { teamId, name }: { readonly teamId: string; readonly name: string },
): Promise<{ readonly keyId: string; readonly apiKey: string }> {
  const keyId = uuidV7();
  const apiKey = `fc-${randomBytes(16).toString("hex")}`;
  await database
    .prepared("INSERT INTO api_keys (id, team_id, name, key_hash, created_at) VALUES (?, ?, ?, ?, ?)")
    .run(keyId, teamId, name, sha256Hex(apiKey), Date.now());
  return { keyId, apiKey };
}

/** Keys, oldest first, revoked ones too; of one team, or of all. */
export async function listKeys(database: Database, teamId?: string): Promise<readonly KeyEntry[]> {
  const all = database.query.selectFrom("api_keys").selectAll().orderBy("created_at").orderBy("id");
  const rows = await (teamId === undefined ? all : all.where("team_id", "=", teamId)).execute();
  return rows.map((row) => ({
    keyId: row.id,
    teamId: row.team_id,
    name: row.name,
    createdAtMs: row.created_at,
    lastUsedAtMs: row.last_used_at,
    revokedAtMs: row.revoked_at,
  }));
}

/** From the next request on the key is refused. @returns false when there is no such key in use. */
export async function revokeKey(database: Database, keyId: string): Promise<boolean> {
  const changed = await database
    .prepared("UPDATE api_keys SET revoked_at = ? WHERE id = ? AND revoked_at IS NULL")
    .run(Date.now(), keyId);
  return changed > 0;
}

/**
 * Who sends this key; undefined when it is unknown, revoked or no key at all. Reads the database every time,
 * so that a revocation by another process counts at once.
 */
export async function verifyKey(
  database: Database,
  apiKey: string,
  nowMs: number = Date.now(),
): Promise<KeyHolder | undefined> {
  if (!API_KEY.test(apiKey)) return undefined;
  const keyHash = sha256Hex(apiKey);
  const row = await database
    .prepared<FoundKey>(
      "SELECT id, team_id, key_hash, last_used_at FROM api_keys WHERE key_hash = ? AND revoked_at IS NULL",
    )
    .get(keyHash);
  if (!row || !isSameHash(row.key_hash, keyHash)) return undefined;
  if (nowMs - (row.last_used_at ?? 0) >= LAST_USED_STEP_MS) noteUse(database, row.id, nowMs);
  return { teamId: row.team_id, keyId: row.id };
}

interface FoundKey {
  readonly id: string;
  readonly team_id: string;
  readonly key_hash: string;
  readonly last_used_at: number | null;
}

function isSameHash(stored: string, computed: string): boolean {
  const a = Buffer.from(stored, "hex");
  const b = Buffer.from(computed, "hex");
  return a.length === b.length && timingSafeEqual(a, b);
}

/** After the request has gone on. Of several at once the first one writes. */
function noteUse(database: Database, keyId: string, nowMs: number): void {
  const write = async (): Promise<void> => {
    await database
      .prepared(
        "UPDATE api_keys SET last_used_at = ? WHERE id = ? AND (last_used_at IS NULL OR last_used_at <= ?)",
      )
      .run(nowMs, keyId, nowMs - LAST_USED_STEP_MS);
  };
  // A note that cannot be written must not fail anybody's request.
  setImmediate(() => void write().catch(() => undefined));
}
