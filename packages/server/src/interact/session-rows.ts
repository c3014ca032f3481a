import type { AlsoWrite } from "../accounts/ledger.ts";
import type { Database } from "../storage/database/database.ts";

/** `opening` until its page is there; `error` when the page could not be opened again. */
export type SessionState = "opening" | "active" | "destroyed" | "error";

/** Why a session ended. */
export type EndReason =
  | "stopped"
  | "expired"
  | "idle"
  | "browser-lost"
  | "credits"
  | "revoked"
  | "shutdown"
  | "crashed"
  | "lost";

/** A session as it is written. */
export interface SessionRow {
  /** A version 7 UUID; names the charge in the ledger. */
  readonly id: string;
  /** Null: a session of its own. */
  readonly scrapeId: string | null;
  readonly teamId: string;
  readonly keyId: string | null;
  /** Name of the lease of the process that has it. */
  readonly process: string;
  readonly state: SessionState;
  readonly createdAtMs: number;
  readonly lastUsedAtMs: number;
  readonly endedAtMs: number | null;
  readonly expiresAtMs: number;
  /** 1 once any call had a prompt. */
  readonly prompted: number;
  /** 1 when it was asked to be seen. */
  readonly streams: number;
  /** What it cost; null until it has ended. */
  readonly credits: number | null;
  readonly reason: EndReason | null;
  /** Id of the work that pays for it, of which it is a part. */
  readonly paidBy: string | null;
}

type NewSession = Pick<
  SessionRow,
  "id" | "scrapeId" | "teamId" | "keyId" | "process" | "createdAtMs" | "expiresAtMs" | "streams"
> &
  Partial<Pick<SessionRow, "paidBy">>;

/** How a session ended. */
export interface Ended {
  readonly id: string;
  readonly endedAtMs: number;
  readonly credits: number;
  readonly reason: EndReason;
}

const COLUMNS = `id, scrape_id AS "scrapeId", team_id AS "teamId", key_id AS "keyId", process, state,
  created_at AS "createdAtMs", last_used_at AS "lastUsedAtMs", ended_at AS "endedAtMs",
  expires_at AS "expiresAtMs", prompted, streams, credits, reason, paid_by AS "paidBy"`;

/** How long the end of a session can be looked up: longer than its scrape is known. */
const RETENTION_MS = 25 * 60 * 60 * 1000;
/** Most sessions of a list. */
const LISTED = 100;

/** Sessions, one row each, of all processes over the database. */
export class SessionRows {
  readonly #database: Database;
  readonly #clock: () => number;

  constructor(database: Database, clock: () => number = Date.now) {
    this.#database = database;
    this.#clock = clock;
  }

  /** Writes a new session down. @returns false when its scrape has one. */
  async claim(row: NewSession): Promise<boolean> {
    const inserted = await this.#database
      .prepared(
        `INSERT INTO interact_sessions
           (id, scrape_id, team_id, key_id, process, state, created_at, last_used_at, expires_at, prompted, streams,
            paid_by)
         VALUES (?, ?, ?, ?, ?, 'opening', ?, ?, ?, 0, ?, ?) ON CONFLICT (scrape_id) DO NOTHING`,
      )
      .run(
        row.id,
        row.scrapeId,
        row.teamId,
        row.keyId,
        row.process,
        row.createdAtMs,
        row.createdAtMs,
        row.expiresAtMs,
        row.streams,
        row.paidBy ?? null,
      );
    return inserted === 1;
  }

  /** Its page is there: from now on the session costs something. */
  async activate(id: string): Promise<boolean> {
    const changed = await this.#database
      .prepared("UPDATE interact_sessions SET state = 'active' WHERE id = ? AND state = 'opening'")
      .run(id);
    return changed === 1;
  }

  /** Forgets a session that never began. */
  async release(id: string): Promise<void> {
    await this.#database.prepared("DELETE FROM interact_sessions WHERE id = ? AND state = 'opening'").run(id);
  }

  /** Its page could not be opened again: it costs nothing, and is not tried again. */
  async fail(id: string): Promise<void> {
    await this.#database
      .prepared(
        `UPDATE interact_sessions SET state = 'error', ended_at = ?, credits = 0 WHERE id = ? AND state = 'opening'`,
      )
      .run(this.#clock(), id);
  }

  /** Notes that it is used. @returns false when it has ended, or another process took it for dead. */
  async touch(id: string, { isPrompted = false }: { readonly isPrompted?: boolean } = {}): Promise<boolean> {
    const changed = await this.#database
      .prepared(
        `UPDATE interact_sessions SET last_used_at = ?, prompted = CASE WHEN ? = 1 THEN 1 ELSE prompted END WHERE id = ? AND state = 'active'`,
      )
      .run(this.#clock(), isPrompted ? 1 : 0, id);
    return changed === 1;
  }

  /** Ends the session in the transaction of its charge, unless another process has; it continues while it is not paid. */
  ending({ id, endedAtMs, credits, reason }: Ended): AlsoWrite {
    return async (tx, pay) => {
      const found = await tx
        .prepared("SELECT 1 AS found FROM interact_sessions WHERE id = ? AND state = 'active'")
        .get(id);
      if (!found || !(await pay())) return;
      await tx
        .prepared(
          `UPDATE interact_sessions SET state = 'destroyed', ended_at = ?, credits = ?, reason = ? WHERE id = ?`,
        )
        .run(endedAtMs, credits, reason, id);
    };
  }

  get(id: string): Promise<SessionRow | undefined> {
    return this.#database
      .prepared<SessionRow>(`SELECT ${COLUMNS} FROM interact_sessions WHERE id = ?`)
      .get(id);
  }

  ofScrape(scrapeId: string): Promise<SessionRow | undefined> {
    return this.#database
      .prepared<SessionRow>(`SELECT ${COLUMNS} FROM interact_sessions WHERE scrape_id = ?`)
      .get(scrapeId);
  }

  /** Those of a team that began, newest first. */
  list(teamId: string, state: SessionState | undefined): Promise<readonly SessionRow[]> {
    return this.#database
      .prepared<SessionRow>(
        `SELECT ${COLUMNS} FROM interact_sessions
         WHERE team_id = ? AND state <> 'opening' AND (state = ? OR ? = '')
         ORDER BY created_at DESC, id DESC LIMIT ${LISTED}`,
      )
      .all(teamId, state ?? "", state ?? "");
  }

  /** Names of the processes that have sessions. */
  async processes(): Promise<readonly string[]> {
    const rows = await this.#database
      .prepared<{ process: string }>(
        "SELECT DISTINCT process FROM interact_sessions WHERE state IN ('opening', 'active')",
      )
      .all();
    return rows.map(({ process }) => process);
  }

  /** Gives the sessions of a process that have not ended another name of it. */
  async move(process: string, name: string): Promise<void> {
    if (process === name) return;
    await this.#database
      .prepared(
        "UPDATE interact_sessions SET process = ? WHERE process = ? AND state IN ('opening', 'active')",
      )
      .run(name, process);
  }

  /** Those that have not ended. */
  ofProcess(process: string): Promise<readonly SessionRow[]> {
    return this.#database
      .prepared<SessionRow>(
        `SELECT ${COLUMNS} FROM interact_sessions WHERE process = ? AND state IN ('opening', 'active')`,
      )
      .all(process);
  }

  async erase(teamId: string): Promise<void> {
    await this.#database.prepared("DELETE FROM interact_sessions WHERE team_id = ?").run(teamId);
  }

  async prune(): Promise<void> {
    await this.#database
      .prepared("DELETE FROM interact_sessions WHERE state IN ('destroyed', 'error') AND ended_at < ?")
      .run(this.#clock() - RETENTION_MS);
  }
}
