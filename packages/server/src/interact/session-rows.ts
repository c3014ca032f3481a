import type { AlsoWrite } from "../accounts/ledger.ts";
import type { Database } from "../storage/database/database.ts";

/** `opening` until its page is open; `error` when the page could not be opened again. */
export type SessionState = "opening" | "active" | "destroyed" | "error";

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

export interface SessionRow {
  /** Version 7 UUID, which names the charge in the ledger. */
  readonly id: string;
  /** Null: the session belongs to no scrape. */
  readonly scrapeId: string | null;
  readonly teamId: string;
  readonly keyId: string | null;
  /** Name of its process's lease. */
  readonly process: string;
  readonly state: SessionState;
  readonly createdAtMs: number;
  readonly lastUsedAtMs: number;
  readonly endedAtMs: number | null;
  readonly expiresAtMs: number;
  /** 1 once any call had a prompt. */
  readonly prompted: number;
  /** 1 when a live view was requested. */
  readonly streams: number;
  /** Price; null until the session has ended. */
  readonly credits: number | null;
  readonly reason: EndReason | null;
  /** Id of the work that the session is part of, which pays for it. */
  readonly paidBy: string | null;
}

type NewSession = Pick<
  SessionRow,
  "id" | "scrapeId" | "teamId" | "keyId" | "process" | "createdAtMs" | "expiresAtMs" | "streams"
> &
  Partial<Pick<SessionRow, "paidBy">>;

export interface Ended {
  readonly id: string;
  readonly endedAtMs: number;
  readonly credits: number;
  readonly reason: EndReason;
}

const COLUMNS = `id, scrape_id AS "scrapeId", team_id AS "teamId", key_id AS "keyId", process, state,
  created_at AS "createdAtMs", last_used_at AS "lastUsedAtMs", ended_at AS "endedAtMs",
  expires_at AS "expiresAtMs", prompted, streams, credits, reason, paid_by AS "paidBy"`;

/** How long an ended session can be looked up. This is longer than its scrape is known. */
const RETENTION_MS = 25 * 60 * 60 * 1000;
/** Maximum number of sessions in a list. */
const LISTED = 100;

/** Rows of the sessions of all processes that share the database. */
export class SessionRows {
  readonly #database: Database;
  readonly #clock: () => number;

  constructor(database: Database, clock: () => number = Date.now) {
    this.#database = database;
    this.#clock = clock;
  }

  /** Stores a new session. @returns false when its scrape has one already. */
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

  /** Marks the session's page as open. From now on the session costs credits. */
  async activate(id: string): Promise<boolean> {
    const changed = await this.#database
      .prepared("UPDATE interact_sessions SET state = 'active' WHERE id = ? AND state = 'opening'")
      .run(id);
    return changed === 1;
  }

  /** Deletes a session that never began. */
  async release(id: string): Promise<void> {
    await this.#database.prepared("DELETE FROM interact_sessions WHERE id = ? AND state = 'opening'").run(id);
  }

  /** Marks a session whose page could not be opened again. It costs nothing, and is not retried. */
  async fail(id: string): Promise<void> {
    await this.#database
      .prepared(
        `UPDATE interact_sessions SET state = 'error', ended_at = ?, credits = 0 WHERE id = ? AND state = 'opening'`,
      )
      .run(this.#clock(), id);
  }

  /** Records a use. @returns false when the session has ended, or another process took it for dead. */
  async touch(id: string, { isPrompted = false }: { readonly isPrompted?: boolean } = {}): Promise<boolean> {
    const changed = await this.#database
      .prepared(
        `UPDATE interact_sessions SET last_used_at = ?, prompted = CASE WHEN ? = 1 THEN 1 ELSE prompted END WHERE id = ? AND state = 'active'`,
      )
      .run(this.#clock(), isPrompted ? 1 : 0, id);
    return changed === 1;
  }

  /**
   * Ends the session in the transaction of its charge, unless another process has ended it. An unpaid session
   * continues.
   */
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

  /** Sessions of a team that began, newest first. */
  list(teamId: string, state: SessionState | undefined): Promise<readonly SessionRow[]> {
    return this.#database
      .prepared<SessionRow>(
        `SELECT ${COLUMNS} FROM interact_sessions
         WHERE team_id = ? AND state <> 'opening' AND (state = ? OR ? = '')
         ORDER BY created_at DESC, id DESC LIMIT ${LISTED}`,
      )
      .all(teamId, state ?? "", state ?? "");
  }

  /** Lease names of the processes that have sessions. */
  async processes(): Promise<readonly string[]> {
    const rows = await this.#database
      .prepared<{ process: string }>(
        "SELECT DISTINCT process FROM interact_sessions WHERE state IN ('opening', 'active')",
      )
      .all();
    return rows.map(({ process }) => process);
  }

  /** Renames the process of its active sessions, after it got another lease. */
  async move(process: string, name: string): Promise<void> {
    if (process === name) return;
    await this.#database
      .prepared(
        "UPDATE interact_sessions SET process = ? WHERE process = ? AND state IN ('opening', 'active')",
      )
      .run(name, process);
  }

  /** Sessions of the process that have not ended. */
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
