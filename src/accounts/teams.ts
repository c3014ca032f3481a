import type { Database } from "../platform/database/database.ts";

export interface Team {
  readonly id: string;
  readonly name: string;
}

/** Who everybody is in open mode, and the team of the first keys in keyed mode. */
const DEFAULT_TEAM: Team = { id: "default", name: "Default" };

/** The implicit team, made on the first start. */
export async function ensureDefaultTeam(database: Database): Promise<Team> {
  const { id, name } = DEFAULT_TEAM;
  await database
    .prepared("INSERT INTO teams (id, name, created_at) VALUES (?, ?, ?) ON CONFLICT (id) DO NOTHING")
    .run(id, name, Date.now());
  const found = await database.prepared<Team>("SELECT id, name FROM teams WHERE id = ?").get(id);
  return { ...(found ?? DEFAULT_TEAM) };
}
