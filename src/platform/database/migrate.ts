import type { Database, Statements } from "./database.ts";
import { migrations as allMigrations } from "./migrations/all.ts";
import type { Migration } from "./migrations/interface/migration.ts";

/**
 * Runs the migrations that the data has not had, each in a transaction of its own with the note that it ran.
 * Several processes may start at the same time: each step checks again whether it is still due.
 * @returns the version of the data before; 0 when there was none.
 * @throws when the data has had a migration this program does not know.
 */
export async function migrate(
  database: Pick<Database, "prepared" | "transaction">,
  migrations: readonly Migration[] = allMigrations,
): Promise<number> {
  await database
    .prepared(
      "CREATE TABLE IF NOT EXISTS schema_versions (version integer PRIMARY KEY, name text NOT NULL, applied_at bigint NOT NULL)",
    )
    .run();
  const found = await versionOf(database);
  refuseNewerData(found, migrations);
  for (const migration of migrations.filter(({ version }) => version > found)) {
    await database.transaction((inside) => step(inside, migration));
  }
  return found;
}

function refuseNewerData(found: number, migrations: readonly Migration[]): void {
  const newest = migrations.at(-1)?.version ?? 0;
  if (found <= newest) return;
  throw new Error(
    `The database has version ${found}, but this program supports versions up to ${newest}. Install a newer version, or use another data folder.`,
  );
}

async function step(inside: Statements, migration: Migration): Promise<void> {
  const { version, name, statements, ofTextSearch = [] } = migration;
  if ((await versionOf(inside)) >= version) return;
  const wanted = inside.hasTextSearch ? [...statements, ...ofTextSearch] : statements;
  for (const sql of wanted) await inside.prepared(sql).run();
  await inside
    .prepared("INSERT INTO schema_versions (version, name, applied_at) VALUES (?, ?, ?)")
    .run(version, name, Date.now());
}

async function versionOf(statements: Statements): Promise<number> {
  const row = await statements
    .prepared<{ version: number | null }>("SELECT max(version) AS version FROM schema_versions")
    .get();
  return row?.version ?? 0;
}
