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

/** Names by id, of these teams. */
export function namesOfTeams(database: Database, ids: readonly string[]): Promise<Record<string, string>> {
  return namesIn(database, "SELECT id, name FROM teams WHERE deleted_at IS NULL AND id IN", ids);
}

/** Names by id, of these keys. */
export function namesOfKeys(database: Database, ids: readonly string[]): Promise<Record<string, string>> {
  return namesIn(database, "SELECT id, name FROM api_keys WHERE name <> '' AND id IN", ids);
}

async function namesIn(database: Database, select: string, ids: readonly string[]) {
  if (ids.length === 0) return {};
  const rows = await database.prepared<Named>(`${select} (${ids.map(() => "?").join(", ")})`).all(...ids);
  return Object.fromEntries(rows.map(({ id, name }) => [id, name]));
}

interface Named {
  readonly id: string;
  readonly name: string;
}

function namesOf(rows: readonly Named[]) {
  return new Map(rows.map(({ id, name }) => [id, name]));
}
