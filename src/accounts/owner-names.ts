import type { Database } from "../platform/database/database.ts";

/** What teams and keys are called, by their ids. Empty for what was deleted. */
export interface OwnerNames {
  readonly teams: ReadonlyMap<string, string>;
  readonly keys: ReadonlyMap<string, string>;
}

/** Names of all teams and keys that there are. */
export async function readOwnerNames(database: Database): Promise<OwnerNames> {
  const teams = await database.query.selectFrom("teams").select(["id", "name"]).execute();
  const keys = await database.query.selectFrom("api_keys").select(["id", "name"]).execute();
  return { teams: namesOf(teams), keys: namesOf(keys) };
}

function namesOf(rows: readonly { readonly id: string; readonly name: string }[]) {
  return new Map(rows.map(({ id, name }) => [id, name]));
}
