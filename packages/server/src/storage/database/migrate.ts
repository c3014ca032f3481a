import type { Database, Statements } from "./database.ts";
import { FIRST_VERSION, type Migration, migrations as allMigrations } from "./schema.ts";

/**
 * Runs the missing migrations, each in its own transaction together with its record. Several processes may
 * start at the same time, so each step checks again whether it is still due.
 * @returns the version of the data before; 0 when there was none.
 * @throws when the data has had a migration that this program does not know, or was written before 0.1.0;
 * nothing is changed then.
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
  refuseForeignData(found, migrations);
  for (const migration of migrations.filter(({ version }) => version > found)) {
    await database.transaction((tx) => step(tx, migration));
  }
  return found;
}

function refuseForeignData(found: number, migrations: readonly Migration[]): void {
  const reason = whyUnfit(found, migrations);
  if (reason !== undefined) throw new Error(`The database ${reason} Or use another data folder.`);
}

/** Reason why data of this version cannot be used; undefined when it can, or the database is empty. */
export function whyUnfit(
  version: number,
  migrations: readonly Migration[] = allMigrations,
): string | undefined {
  const oldest = Math.min(FIRST_VERSION, migrations[0]?.version ?? 0);
  const newest = migrations.at(-1)?.version ?? 0;
  if (version > newest)
    return `has version ${version}, but this program supports versions up to ${newest}. Install a newer version.`;
  if (version === 0 || version >= oldest) return undefined;
  return `was written by a build before 0.1.0 (version ${version}), which no release can read. It is left as it is: run it with the build that wrote it.`;
}

async function step(tx: Statements, migration: Migration): Promise<void> {
  const { version, name, statements, ofTextSearch = [] } = migration;
  if ((await versionOf(tx)) >= version) return;
  const wanted = tx.hasTextSearch ? [...statements, ...ofTextSearch] : statements;
  for (const sql of wanted) await tx.prepared(sql).run();
  await tx
    .prepared("INSERT INTO schema_versions (version, name, applied_at) VALUES (?, ?, ?)")
    .run(version, name, Date.now());
}

async function versionOf(statements: Statements): Promise<number> {
  const row = await statements
    .prepared<{ version: number | null }>("SELECT max(version) AS version FROM schema_versions")
    .get();
  return row?.version ?? 0;
}
