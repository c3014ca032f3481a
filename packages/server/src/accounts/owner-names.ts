import type { Database } from "../storage/database/database.ts";

/** Names of teams and keys by id. Deleted teams and keys have no entry. */
interface OwnerNames {
  readonly teams: ReadonlyMap<string, string>;
  readonly keys: ReadonlyMap<string, string>;
}

export async function readOwnerNames(database: Database): Promise<OwnerNames> {
  const teams = await database.prepared<Named>("SELECT id, name FROM teams").all();
  const keys = await database.prepared<Named>("SELECT id, name FROM api_keys").all();
  return { teams: namesOf(teams), keys: namesOf(keys) };
}

interface Named {
  readonly id: string;
  readonly name: string;
}

function namesOf(rows: readonly Named[]) {
  return new Map(rows.map(({ id, name }) => [id, name]));
}
