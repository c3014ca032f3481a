import { randomBytes, timingSafeEqual } from "node:crypto";

import { ChangedMeanwhileError } from "../api/errors.ts";
import { sha256Hex, stableHash } from "@pergamon-dev/kit/hash";
import { uuidV7 } from "@pergamon-dev/kit/uuid";
import { condition, whereAll } from "../storage/database/conditions.ts";
import type { Database, Statements } from "../storage/database/database.ts";
import { monthStart } from "./periods.ts";
import { KeyRestrictions } from "../api/key-restrictions.ts";
import { type HowToChange, type ListPage, named, TEAM_COLUMNS, type TeamColumns } from "./teams.ts";
import { ALL_USAGE } from "./usage.ts";

/** A key as later reads show it, without the key itself. */
export interface KeyEntry {
  readonly keyId: string;
  readonly teamId: string;
  readonly name: string;
  readonly restrictions: KeyRestrictions;
  /**
   * Last characters of the key, by which its owner recognises it; null for keys that were made before these
   * were stored.
   */
  readonly ending: string | null;
  readonly creditsUsedThisMonth: number;
  readonly createdAtMs: number;
  /** Accurate to one minute. */
  readonly lastUsedAtMs: number | null;
  readonly revokedAtMs: number | null;
  /** Null when the key does not expire. */
  readonly expiresAtMs: number | null;
  /** The text from before the last rotation works until this time; null when there is none. */
  readonly oldTextUntilMs: number | null;
}

/** Length of a version, in hex digits. */
const VERSION_LENGTH = 32;
/** The last four of a key's 32 digits are shown to its owner. */
const ENDING_LENGTH = 4;
/** Last uses are stored once per minute. Otherwise each request would cost a write. */
const LAST_USED_STEP_MS = 60_000;

/**
 * Makes a key: a prefix that clients know, then 128 random bits. Only the hash is stored, so `apiKey` cannot
 * be read again.
 */
export async function createKey(
  database: Database,
  key: {
    readonly teamId: string;
    readonly name: string;
    readonly restrictions?: KeyRestrictions | undefined;
    readonly expiresAtMs?: number | undefined;
  },
): Promise<{ readonly keyId: string; readonly apiKey: string }> {
  const keyId = uuidV7();
  const apiKey = newText();
  await database
    .prepared(
      `INSERT INTO api_keys (id, team_id, name, key_hash, restrictions, created_at, expires_at, ending)
       VALUES (?, ?, ?, ?, ?, ?, ?, ?)`,
    )
    .run(
      keyId,
      key.teamId,
      key.name,
      sha256Hex(apiKey),
      JSON.stringify(key.restrictions ?? {}),
      Date.now(),
      key.expiresAtMs ?? null,
      apiKey.slice(-ENDING_LENGTH),
    );
  return { keyId, apiKey };
}

function newText(): string {
  return `fc-${randomBytes(16).toString("hex")}`;
}

/**
 * Gives the key another text. The key keeps its id and its usage; the old text works until `oldUntilMs`.
 * @returns the new text; undefined when no such key is in use.
 */
export async function rotateKey(
  database: Database,
  keyId: string,
  oldUntilMs: number,
): Promise<string | undefined> {
  const apiKey = newText();
  const changed = await database
    .prepared(
      `UPDATE api_keys SET old_hash = key_hash, old_until = ?, key_hash = ?, ending = ?
       WHERE id = ? AND revoked_at IS NULL`,
    )
    .run(oldUntilMs, sha256Hex(apiKey), apiKey.slice(-ENDING_LENGTH), keyId);
  return changed > 0 ? apiKey : undefined;
}

/** Name of the keys that the dashboard makes for itself. */
export const PLAYGROUND_KEY = "Playground";

/** Keys of one team or of all, oldest first, including revoked ones, without those that the dashboard makes for itself. */
export async function listKeys(
  database: Database,
  { teamId, afterId, search, count }: ListPage & { readonly teamId?: string | undefined },
): Promise<readonly KeyEntry[]> {
  const { sql, values } = whereAll([
    condition("NOT (name = ? AND expires_at IS NOT NULL)", PLAYGROUND_KEY),
    teamId === undefined ? undefined : condition("team_id = ?", teamId),
    namedOrEnding(search),
    afterId === undefined ? undefined : condition(BEHIND, afterId),
  ]);
  const rows = await database
    .prepared<KeyRow>(`SELECT ${KEY_COLUMNS} FROM api_keys ${sql} ORDER BY created_at, id LIMIT ?`)
    .all(monthStart(Date.now()), ...values, count);
  return rows.map(({ restrictions, ...row }) => ({
    ...row,
    restrictions: KeyRestrictions.parse(JSON.parse(restrictions)),
  }));
}

/** The end of a key is what its reader has at hand. */
function namedOrEnding(search = "") {
  const ending = /^(?:fc-\S*)?([0-9a-f]{4})$/i.exec(search.trim())?.[1]?.toLowerCase();
  const byName = named(search);
  if (ending === undefined || !byName) return byName;
  return condition(`${byName.sql} OR ending = ?`, ...byName.values, ending);
}

type KeyRow = Omit<KeyEntry, "restrictions"> & { readonly restrictions: string };

const KEY_COLUMNS = `id AS "keyId", team_id AS "teamId", name, restrictions, created_at AS "createdAtMs",
  last_used_at AS "lastUsedAtMs", revoked_at AS "revokedAtMs", expires_at AS "expiresAtMs", ending,
  old_until AS "oldTextUntilMs", coalesce((SELECT sum(credits_used) FROM ${ALL_USAGE} WHERE usage.team_id = api_keys.team_id
    AND usage.key_id = api_keys.id AND usage.month = ?), 0) AS "creditsUsedThisMonth"`;
const BEHIND = "(created_at, id) > (SELECT created_at, id FROM api_keys WHERE id = ?)";

/** Restrictions are replaced as a whole. */
export interface KeyChanges {
  readonly name?: string | undefined;
  readonly restrictions?: KeyRestrictions | undefined;
}

/**
 * @returns the previous restrictions; undefined when no such key is in use.
 * @throws ChangedMeanwhileError when the version differs from the expected one.
 */
export async function changeKey(
  database: Database,
  keyId: string,
  { name, restrictions }: KeyChanges,
  { expected, banned }: HowToChange = {},
): Promise<KeyRestrictions | undefined> {
  return database.transaction(async (tx) => {
    const found = await tx
      .prepared<{ name: string; restrictions: string }>(
        "SELECT name, restrictions FROM api_keys WHERE id = ? AND revoked_at IS NULL",
      )
      .get(keyId);
    if (!found) return undefined;
    const before = KeyRestrictions.parse(JSON.parse(found.restrictions));
    const version = keyVersion({ ...found, restrictions: before });
    if (expected !== undefined && expected !== version) {
      throw new ChangedMeanwhileError("This key was changed in the meantime. Reload it, then change it.");
    }
    await tx
      .prepared(
        "UPDATE api_keys SET name = COALESCE(?, name), restrictions = COALESCE(?, restrictions) WHERE id = ?",
      )
      .run(name ?? null, restrictions ? JSON.stringify(restrictions) : null, keyId);
    if (restrictions?.banned) await banned?.(tx);
    return before;
  });
}

/** Changes whenever an operator changes the name or the restrictions. */
export function keyVersion({ name, restrictions }: Pick<KeyEntry, "name" | "restrictions">): string {
  return stableHash({ name, restrictions }).slice(0, VERSION_LENGTH);
}

/**
 * The key is refused from the next request on.
 * @param ended called in the transaction.
 * @returns false when no such key is in use.
 */
export async function revokeKey(
  database: Database,
  keyId: string,
  ended?: (tx: Statements) => Promise<void>,
): Promise<boolean> {
  return database.transaction(async (tx) => {
    const changed = await tx
      .prepared("UPDATE api_keys SET revoked_at = ? WHERE id = ? AND revoked_at IS NULL")
      .run(Date.now(), keyId);
    if (changed > 0) await ended?.(tx);
    return changed > 0;
  });
}

/** A key in use, with its team. */
export interface FoundKey extends TeamColumns {
  readonly keyId: string;
  readonly keyHash: string;
  readonly restrictions: string;
  readonly lastUsedAtMs: number | null;
}

const KEY_IN_USE = `SELECT ${TEAM_COLUMNS}, api_keys.id AS "keyId", api_keys.key_hash AS "keyHash", api_keys.restrictions,
    api_keys.last_used_at AS "lastUsedAtMs"
  FROM api_keys JOIN teams ON teams.id = api_keys.team_id
  WHERE api_keys.revoked_at IS NULL AND teams.deleted_at IS NULL
    AND (api_keys.expires_at IS NULL OR api_keys.expires_at > ?)`;

/** Finds a key by its hash; undefined when it is unknown, revoked or expired, or its team was deleted. */
export async function findKey(
  database: Database,
  keyHash: string,
  nowMs: number,
): Promise<FoundKey | undefined> {
  const row = await database
    .prepared<FoundKey>(`${KEY_IN_USE} AND api_keys.key_hash = ?`)
    .get(nowMs, keyHash);
  if (row) return isSameHash(row.keyHash, keyHash) ? row : undefined;
  const rotated = await database
    .prepared<FoundKey & { readonly oldHash: string }>(
      `${KEY_IN_USE.replace("api_keys.restrictions,", 'api_keys.restrictions, api_keys.old_hash AS "oldHash",')}
       AND api_keys.old_hash = ? AND api_keys.old_until > ?`,
    )
    .get(nowMs, keyHash, nowMs);
  return rotated && isSameHash(rotated.oldHash, keyHash) ? rotated : undefined;
}

/** Undefined when the key is not in use. */
export async function findKeyById(
  database: Database,
  keyId: string,
  nowMs: number,
): Promise<FoundKey | undefined> {
  return database.prepared<FoundKey>(`${KEY_IN_USE} AND api_keys.id = ?`).get(nowMs, keyId);
}

/** Deletes expired keys. @returns how many were deleted. */
export async function deleteExpiredKeys(database: Database, nowMs: number): Promise<number> {
  return database.prepared("DELETE FROM api_keys WHERE expires_at <= ?").run(nowMs);
}

function isSameHash(stored: string, computed: string): boolean {
  const a = Buffer.from(stored, "hex");
  const b = Buffer.from(computed, "hex");
  return a.length === b.length && timingSafeEqual(a, b);
}

/** Stores the time of use without delaying the request. Of concurrent uses only the first writes. */
export function recordUse(database: Database, { keyId, lastUsedAtMs }: FoundKey, nowMs: number): void {
  if (nowMs - (lastUsedAtMs ?? 0) < LAST_USED_STEP_MS) return;
  const write = async (): Promise<void> => {
    await database
      .prepared(
        "UPDATE api_keys SET last_used_at = ? WHERE id = ? AND (last_used_at IS NULL OR last_used_at <= ?)",
      )
      .run(nowMs, keyId, nowMs - LAST_USED_STEP_MS);
  };
  // A failed write must not fail a request.
  setImmediate(() => void write().catch(() => undefined));
}
