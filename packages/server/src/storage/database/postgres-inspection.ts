import type { PostgresConnection } from "./postgres-pool.ts";

/** Version 13 introduced `pg_current_xact_id`; older versions are no longer maintained. */
const OLDEST_VERSION = 130_000;

const LOSES_COMMITS = new Map([
  ["fsync", "a power cut can destroy it"],
  ["full_page_writes", "a power cut can destroy it"],
  ["synchronous_commit", "a power cut can lose the last charges and jobs"],
]);

/**
 * Checks whether the server is fit for the service.
 * @returns sentences for the operator. @throws Error when the server is not fit.
 */
export async function inspectPostgres(connection: PostgresConnection): Promise<readonly string[]> {
  const setting = async (name: string) => {
    const { rows } = await connection.query("SELECT current_setting(?) AS value", [name]);
    return String(rows[0]?.["value"]);
  };
  if (Number(await setting("server_version_num")) < OLDEST_VERSION) {
    throw new Error(`Postgres ${await setting("server_version")} is too old. Use version 13 or newer.`);
  }
  const encoding = await setting("server_encoding");
  if (encoding !== "UTF8") {
    throw new Error(
      `The Postgres database has the encoding ${encoding}, which cannot hold all texts. Create it with: CREATE DATABASE pergamon ENCODING 'UTF8' TEMPLATE template0`,
    );
  }
  const warnings: string[] = [];
  for (const [name, loss] of LOSES_COMMITS) {
    if ((await setting(name)) === "off")
      warnings.push(`The Postgres database runs with ${name} = off: ${loss}.`);
  }
  return warnings;
}
