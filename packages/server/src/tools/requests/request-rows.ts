import { limits } from "../../api/limits.ts";
import type { AlsoWrite } from "../../accounts/ledger.ts";
import type { Database } from "../../storage/database/database.ts";

/** A stored request. It is written before anything leaves the service, and again with its charge. */
export interface ToolRequestRow {
  /** Made from the team and the id that the client chose. */
  readonly chargeId: string;
  readonly teamId: string;
  readonly keyId: string | null;
  /** JSON with the names of the called tools, without options. */
  readonly calls: string;
  /** A version 7 UUID, which names the charge in the ledger. */
  readonly scrapeId: string;
  /** Fingerprint of the request's content. */
  readonly fingerprint: string;
  readonly state: "running" | "completed" | "unpaid";
  /** Number of executions. Only the last one may end the request. */
  readonly attempt: number;
  readonly isReadOnly: number;
  /** Maximum price; null until it is known. */
  readonly quote: number | null;
  readonly deadlineAtMs: number;
  readonly createdAtMs: number;
  /** The process that runs it; empty when no process does any more; null when unknown. */
  readonly owner: string | null;
  /** Body of the answer. */
  readonly response: string | null;
}

/** Members that are left out do not filter. */
interface ToolRequestSearch {
  readonly teamId?: string | undefined;
  readonly state?: ToolRequestRow["state"] | undefined;
  readonly limit: number;
  readonly cursor?: string | undefined;
}

const COLUMNS = `charge_id AS "chargeId", team_id AS "teamId", key_id AS "keyId", calls, scrape_id AS "scrapeId", fingerprint, state, attempt,
  is_read_only AS "isReadOnly", quote, deadline_at AS "deadlineAtMs", created_at AS "createdAtMs", owner, response`;

export class RequestRows {
  readonly #database: Database;
  readonly #clock: () => number;

  constructor(database: Database, clock: () => number) {
    this.#database = database;
    this.#clock = clock;
  }

  /** Stores a new request. @returns undefined when it was stored; otherwise the existing row. */
  async claim(
    row: Omit<ToolRequestRow, "state" | "attempt" | "response" | "isReadOnly" | "quote">,
  ): Promise<ToolRequestRow | undefined> {
    const inserted = await this.#database
      .prepared(
        `INSERT INTO tool_requests
           (charge_id, team_id, key_id, calls, scrape_id, fingerprint, state, attempt, is_read_only, deadline_at,
            created_at, owner)
         VALUES (?, ?, ?, ?, ?, ?, 'running', 1, 0, ?, ?, ?) ON CONFLICT (charge_id) DO NOTHING`,
      )
      .run(
        row.chargeId,
        row.teamId,
        row.keyId,
        row.calls,
        row.scrapeId,
        row.fingerprint,
        row.deadlineAtMs,
        row.createdAtMs,
        row.owner,
      );
    return inserted === 1 ? undefined : this.get(row.chargeId);
  }

  async get(chargeId: string): Promise<ToolRequestRow | undefined> {
    const select = `SELECT ${COLUMNS} FROM tool_requests WHERE charge_id = ?`;
    return this.#database.prepared<ToolRequestRow>(select).get(chargeId);
  }

  /** Body of the answer that was charged under this id. */
  async answer(scrapeId: string): Promise<string | undefined> {
    const select = "SELECT response FROM tool_requests WHERE scrape_id = ?";
    const row = await this.#database.prepared<{ response: string | null }>(select).get(scrapeId);
    return row?.response ?? undefined;
  }

  /** Newest first. @param cursor scrape id of the last row of the previous page. */
  async list({ teamId, state, limit, cursor }: ToolRequestSearch): Promise<readonly ToolRequestRow[]> {
    const [team, before, wanted] = [teamId ?? "", cursor ?? "", state ?? ""];
    const select = `SELECT ${COLUMNS} FROM tool_requests
      WHERE (? = '' OR team_id = ?) AND (? = '' OR state = ?) AND (? = '' OR scrape_id < ?)
      ORDER BY scrape_id DESC LIMIT ?`;
    return this.#database
      .prepared<ToolRequestRow>(select)
      .all(team, team, wanted, wanted, before, before, limit);
  }

  /** Stores, before any call, the maximum price and whether the calls may be repeated. */
  async noteQuote(
    chargeId: string,
    { quote, isReadOnly }: { readonly quote: number; readonly isReadOnly: boolean },
  ): Promise<void> {
    await this.#database
      .prepared("UPDATE tool_requests SET quote = ?, is_read_only = ? WHERE charge_id = ?")
      .run(quote, isReadOnly ? 1 : 0, chargeId);
  }

  /** Takes over a request whose execution was lost. @returns false when another process took it over. */
  async restart(
    { chargeId, attempt }: ToolRequestRow,
    { deadlineAtMs, owner }: Pick<ToolRequestRow, "deadlineAtMs" | "owner">,
  ): Promise<boolean> {
    const changed = await this.#database
      .prepared(
        `UPDATE tool_requests SET attempt = attempt + 1, deadline_at = ?, owner = ?
         WHERE charge_id = ? AND attempt = ? AND state = 'running'`,
      )
      .run(deadlineAtMs, owner, chargeId, attempt);
    return changed === 1;
  }

  /** Deletes a request for which no call was made, so that its id may be used again. */
  async release(chargeId: string, attempt: number): Promise<void> {
    await this.#database
      .prepared("DELETE FROM tool_requests WHERE charge_id = ? AND attempt = ? AND state = 'running'")
      .run(chargeId, attempt);
  }

  /** Marks a request of unknown outcome as run by nobody. */
  async leave(chargeId: string, attempt: number): Promise<void> {
    await this.#database
      .prepared(
        "UPDATE tool_requests SET owner = '' WHERE charge_id = ? AND attempt = ? AND state = 'running'",
      )
      .run(chargeId, attempt);
  }

  /** Ends the request in the transaction of its charge, unless another process has ended it. */
  ending(chargeId: string, attempt: number, response: string): AlsoWrite {
    return async (tx, pay) => {
      const found = await tx
        .prepared(
          "SELECT 1 AS found FROM tool_requests WHERE charge_id = ? AND attempt = ? AND state = 'running'",
        )
        .get(chargeId, attempt);
      if (!found) return;
      const isPaid = await pay();
      await tx
        .prepared("UPDATE tool_requests SET state = ?, response = ? WHERE charge_id = ? AND attempt = ?")
        .run(isPaid ? "completed" : "unpaid", isPaid ? response : null, chargeId, attempt);
    };
  }

  /** Ends a request of unknown outcome without a charge. @returns false when it has ended otherwise. */
  async resolve({ chargeId, attempt }: ToolRequestRow, response: string): Promise<boolean> {
    const changed = await this.#database
      .prepared(
        "UPDATE tool_requests SET state = 'completed', response = ? WHERE charge_id = ? AND attempt = ? AND state = 'running'",
      )
      .run(response, chargeId, attempt);
    return changed === 1;
  }

  async erase(teamId: string): Promise<void> {
    await this.#database.prepared("DELETE FROM tool_requests WHERE team_id = ?").run(teamId);
    await this.#database.prepared("DELETE FROM provider_terms WHERE team_id = ?").run(teamId);
  }

  async prune(): Promise<void> {
    await this.#database
      .prepared(
        `DELETE FROM tool_requests WHERE created_at < ? OR team_id IN (SELECT id FROM teams WHERE deleted_at IS NOT NULL)`,
      )
      .run(this.#clock() - limits.keptMs.providerRequests);
  }
}
