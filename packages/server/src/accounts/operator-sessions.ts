import { randomBytes } from "node:crypto";

import { sha256Hex } from "@pergamon-dev/kit/hash";
import { ownFailure, unlessAway } from "@pergamon-dev/kit/process/own-failure";
import { uuidV7 } from "@pergamon-dev/kit/uuid";
import type { Database } from "../storage/database/database.ts";
import { deleteExpiredKeys } from "./keys.ts";
import { MAIN_OPERATOR, type Operator } from "./operators.ts";

/** A browser that is logged in as the operator. */
export interface OperatorSession {
  readonly id: string;
  /** Address of the client as the service sees it. */
  readonly address: string;
  readonly userAgent: string;
  readonly operator: Operator;
  readonly createdAtMs: number;
  /** Accurate to one minute. */
  readonly lastUsedAtMs: number;
  /** Latest possible end of the session. */
  readonly expiresAtMs: number;
}

export interface OperatorSessions {
  /** Makes the token of a login link, which works once within ten minutes. It cannot be read again. */
  makeLoginToken(): Promise<string>;
  /** Uses the token up. @returns whether the token was valid. */
  useLoginToken(token: string): Promise<boolean>;
  /** @returns the secret for the browser's cookie, which cannot be read again. */
  start(visitor: Visitor): Promise<StartedSession>;
  /** Finds a session by its secret; undefined when there is none, or it has ended. */
  find(secret: string): Promise<OperatorSession | undefined>;
  /** Newest first. */
  list(): Promise<readonly OperatorSession[]>;
  /** @returns false when there is no such session. */
  end(id: string): Promise<boolean>;
  /** Does nothing: sessions belong to no team. */
  erase(): Promise<void>;
  prune(): Promise<void>;
}

/** By default the service's own operator. */
type Visitor = Pick<OperatorSession, "address" | "userAgent"> & Partial<Pick<OperatorSession, "operator">>;

interface StartedSession {
  readonly secret: string;
  readonly session: OperatorSession;
}

const SECRET_BYTES = 32;
const TOKEN_LIFE_MS = 10 * 60 * 1000;
const IDLE_MS = 12 * 60 * 60 * 1000;
const LIFE_MS = 7 * 24 * 60 * 60 * 1000;
/** Last uses are stored once per minute. Otherwise each request would cost a write. */
const LAST_USED_STEP_MS = 60_000;
/**
 * When the clock was set back by more than this, sessions and tokens end, because they would live too long.
 */
const CLOCK_TOLERANCE_MS = 60_000;
/** Expired keys are kept for longer than any work lasts. */
const EXPIRED_KEY_KEPT_MS = 60 * 60 * 1000;
/** The oldest sessions end when there are more. */
const MAX_SESSIONS = 1000;

/** Sessions with who began them: a login ends with the key that it began with. */
const SESSIONS = `SELECT s.id, s.address, s.user_agent AS "userAgent", s.created_at AS "createdAtMs",
    s.last_used_at AS "lastUsedAtMs", s.owner_id AS "ownerId", coalesce(o.name, k.name) AS name, o.role,
    k.team_id AS "teamId"
  FROM operator_sessions s
  LEFT JOIN operator_keys o ON o.id = s.owner_id
  LEFT JOIN api_keys k ON k.id = s.owner_id
    AND k.revoked_at IS NULL AND (k.expires_at IS NULL OR k.expires_at > ?)
  WHERE (s.owner_id IS NULL OR o.id IS NOT NULL OR k.id IS NOT NULL)`;

type Row = Omit<OperatorSession, "expiresAtMs">;

interface Stored extends Omit<Row, "operator"> {
  readonly ownerId: string | null;
  readonly name: string | null;
  readonly role: "admin" | "viewer" | null;
  readonly teamId: string | null;
}

/** Logins in browsers. Only hashes of tokens and secrets are stored. */
export function openOperatorSessions(database: Database, clock: () => number = Date.now): OperatorSessions {
  return { ...openTokens(database, clock), ...openLogins(database, clock), ...openUpkeep(database, clock) };
}

type Part<Names extends keyof OperatorSessions> = Pick<OperatorSessions, Names>;

function openTokens(database: Database, clock: () => number): Part<"makeLoginToken" | "useLoginToken"> {
  return {
    async makeLoginToken() {
      const token = newSecret();
      await database
        .prepared("INSERT INTO login_tokens (token_hash, created_at) VALUES (?, ?)")
        .run(sha256Hex(token), clock());
      return token;
    },
    async useLoginToken(token) {
      const nowMs = clock();
      // Of two concurrent uses only one deletes the row.
      const used = await database
        .prepared("DELETE FROM login_tokens WHERE token_hash = ? AND created_at > ? AND created_at <= ?")
        .run(sha256Hex(token), nowMs - TOKEN_LIFE_MS, nowMs + CLOCK_TOLERANCE_MS);
      return used > 0;
    },
  };
}

function openLogins(database: Database, clock: () => number): Part<"start" | "find" | "list" | "end"> {
  /** By the hash of their secrets: who is logged in stays so while the database is away. */
  const known = new Map<string, Row>();
  const live = `s.created_at > ? AND s.last_used_at > ? AND s.created_at <= ?`;
  const bounds = (nowMs: number) => [nowMs - LIFE_MS, nowMs - IDLE_MS, nowMs + CLOCK_TOLERANCE_MS] as const;
  return {
    async start({ address, userAgent, operator = MAIN_OPERATOR }) {
      const [secret, nowMs] = [newSecret(), clock()];
      const id = uuidV7(nowMs);
      const row: Row = { id, address, userAgent, operator, createdAtMs: nowMs, lastUsedAtMs: nowMs };
      remember(known, sha256Hex(secret), row);
      await unlessAway(store(database, sha256Hex(secret), row));
      return { secret, session: sessionOf(row) };
    },
    async find(secret) {
      const nowMs = clock();
      const hash = sha256Hex(secret);
      try {
        const stored = await database
          .prepared<Stored>(`${SESSIONS} AND s.token_hash = ? AND ${live}`)
          .get(nowMs, hash, ...bounds(nowMs));
        known.delete(hash);
        if (!stored) return undefined;
        const row = rowOf(stored);
        remember(known, hash, row);
        if (nowMs - row.lastUsedAtMs >= LAST_USED_STEP_MS)
          await unlessAway(recordUse(database, row.id, nowMs));
        return sessionOf(row);
      } catch (failure) {
        const row = known.get(hash);
        const isLive = row && nowMs - row.lastUsedAtMs < IDLE_MS && nowMs - row.createdAtMs < LIFE_MS;
        if (!isLive || !ownFailure(failure)) throw failure;
        return sessionOf(row);
      }
    },
    async list() {
      const nowMs = clock();
      const rows = await database
        .prepared<Stored>(`${SESSIONS} AND ${live} ORDER BY s.id DESC`)
        .all(nowMs, ...bounds(nowMs));
      return rows.map((row) => sessionOf(rowOf(row)));
    },
    async end(id) {
      for (const [hash, row] of known) if (row.id === id) known.delete(hash);
      return (await database.prepared("DELETE FROM operator_sessions WHERE id = ?").run(id)) > 0;
    },
  };
}

function openUpkeep(database: Database, clock: () => number): Part<"erase" | "prune"> {
  return {
    erase: async () => undefined,
    async prune() {
      const nowMs = clock();
      await database.prepared("DELETE FROM login_tokens WHERE created_at <= ?").run(nowMs - TOKEN_LIFE_MS);
      await database
        .prepared("DELETE FROM operator_sessions WHERE created_at <= ? OR last_used_at <= ?")
        .run(nowMs - LIFE_MS, nowMs - IDLE_MS);
      // Work in progress ends when the row of its key is deleted.
      await deleteExpiredKeys(database, nowMs - EXPIRED_KEY_KEPT_MS);
    },
  };
}

function remember(known: Map<string, Row>, hash: string, row: Row): void {
  known.set(hash, row);
  for (const oldest of [...known.keys()].slice(0, Math.max(0, known.size - MAX_SESSIONS)))
    known.delete(oldest);
}

async function store(database: Database, hash: string, row: Row): Promise<void> {
  const { id, address, userAgent, createdAtMs, lastUsedAtMs, operator } = row;
  await database
    .prepared(
      `INSERT INTO operator_sessions (id, token_hash, address, user_agent, created_at, last_used_at, owner_id)
       VALUES (?, ?, ?, ?, ?, ?, ?)`,
    )
    .run(id, hash, address, userAgent, createdAtMs, lastUsedAtMs, operator.id);
  await endOldest(database);
}

function newSecret(): string {
  return randomBytes(SECRET_BYTES).toString("base64url");
}

function rowOf({ ownerId: id, name, role, teamId, ...row }: Stored): Row {
  return { ...row, operator: { id, name, role: role ?? (teamId === null ? "admin" : "team"), teamId } };
}

function sessionOf(row: Row): OperatorSession {
  return { ...row, expiresAtMs: row.createdAtMs + LIFE_MS };
}

async function recordUse(database: Database, id: string, nowMs: number): Promise<void> {
  await database.prepared("UPDATE operator_sessions SET last_used_at = ? WHERE id = ?").run(nowMs, id);
}

async function endOldest(database: Database): Promise<void> {
  await database
    .prepared(
      "DELETE FROM operator_sessions WHERE id NOT IN (SELECT id FROM operator_sessions ORDER BY id DESC LIMIT ?)",
    )
    .run(MAX_SESSIONS);
}
