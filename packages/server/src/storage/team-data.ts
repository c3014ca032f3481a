import type { Database } from "./database/database.ts";

/** Something that keeps data of teams. Pruning, and the deletion of a team, walk over all that there is of it. */
export interface TeamData {
  /** Deletes everything that was kept for the team. */
  erase(teamId: string): Promise<void>;
  /** Deletes what is too old or too much, in small steps between which requests run. */
  prune(): Promise<unknown>;
}

/** Every store of data of teams, in the order in which they were opened. */
export class AllTeamData implements TeamData {
  readonly #database: Pick<Database, "wipe">;
  readonly #stores: TeamData[] = [];

  constructor(database: Pick<Database, "wipe">) {
    this.#database = database;
  }

  /** A store that is added is pruned and erased with the others. */
  add<Store extends TeamData>(store: Store): Store {
    this.#stores.push(store);
    return store;
  }

  async prune(): Promise<void> {
    for (const store of this.#stores) await store.prune();
  }

  /** What a team has stored, and the pages it had fetched, in every file. */
  async erase(teamId: string): Promise<void> {
    for (const store of this.#stores) await store.erase(teamId);
    await this.#database.wipe?.();
  }
}
