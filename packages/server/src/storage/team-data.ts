import type { Database } from "./database/database.ts";

/** A store of team data. Pruning and the deletion of a team visit every store. */
export interface TeamData {
  /** Deletes everything of the team. */
  erase(teamId: string): Promise<void>;
  /** Deletes old or excess data, in small steps between which requests run. */
  prune(): Promise<unknown>;
}

/** Every store of team data, in the order in which they were opened. */
export class AllTeamData implements TeamData {
  readonly #database: Pick<Database, "wipe">;
  readonly #stores: TeamData[] = [];

  constructor(database: Pick<Database, "wipe">) {
    this.#database = database;
  }

  /** Registers a store for pruning and erasure. */
  add<Store extends TeamData>(store: Store): Store {
    this.#stores.push(store);
    return store;
  }

  async prune(): Promise<void> {
    for (const store of this.#stores) await store.prune();
  }

  /** Erases a team's data and the pages fetched for it, in every store. */
  async erase(teamId: string): Promise<void> {
    for (const store of this.#stores) await store.erase(teamId);
    await this.#database.wipe?.();
  }
}
