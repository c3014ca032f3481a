import { chunksOf } from "../platform/database/chunks.ts";
import type { Statements } from "../platform/database/database.ts";
import type { Charge } from "./ledger.ts";

/** Credits set aside before anything leaves the service on their account. */
export interface WrittenHold extends Charge {
  readonly teamId: string;
}

interface OwnedHold extends WrittenHold {
  readonly owner: string;
}

/** Collects the holds that begin and end in a transaction, and writes many with each statement. */
export class HoldWriter {
  readonly #inside: Statements;
  readonly #begun = new Map<string, OwnedHold>();
  readonly #ended = new Set<string>();

  constructor(inside: Statements) {
    this.#inside = inside;
  }

  /** Also its new amount. */
  begin(hold: OwnedHold): void {
    this.#begun.set(hold.id, hold);
    this.#ended.delete(hold.id);
  }

  end(id: string): void {
    this.#begun.delete(id);
    this.#ended.add(id);
  }

  async flush(): Promise<void> {
    const nowMs = Date.now();
    for (const holds of chunksOf([...this.#begun.values()])) {
      const rows = holds.map(() => "(?, ?, ?, ?, ?, ?)").join(", ");
      await this.#inside
        .prepared(
          `INSERT INTO ledger_holds (id, team_id, key_id, amount, created_at, owner) VALUES ${rows}
           ON CONFLICT (id) DO UPDATE SET amount = excluded.amount, owner = excluded.owner`,
        )
        .run(
          ...holds.flatMap(({ id, teamId, keyId, amount, owner }) => [
            id,
            teamId,
            keyId,
            amount,
            nowMs,
            owner,
          ]),
        );
    }
    for (const ids of chunksOf([...this.#ended])) {
      const list = ids.map(() => "?").join(", ");
      await this.#inside.prepared(`DELETE FROM ledger_holds WHERE id IN (${list})`).run(...ids);
    }
    this.#begun.clear();
    this.#ended.clear();
  }
}
