import { randomUUID } from "node:crypto";

import { Client } from "pg";

import type { Database } from "../../packages/server/src/storage/database/database.ts";
import { openPostgres } from "../../packages/server/src/storage/database/postgres.ts";
import { clientConfig } from "../../packages/server/src/storage/database/postgres-pool.ts";
import { parsePostgresUrl } from "../../packages/server/src/storage/database/postgres-url.ts";
import { sqliteFile } from "../../packages/server/src/storage/database/sqlite-url.ts";
import { schemaAt } from "./shared-stores.ts";

/** Stands in for the driver of SQLite while suites run on Postgres. One in memory is gone once it is closed. */
export async function openSqlite(url: string): Promise<Database> {
  const file = sqliteFile(url);
  const schemaUrl = schemaAt(file ?? randomUUID());
  // For tests that run some migrations by themselves. Locked: even with IF NOT EXISTS, two at once fail.
  await withClient(schemaUrl, (client, schema) =>
    client.query(`SELECT pg_advisory_xact_lock(1); CREATE SCHEMA IF NOT EXISTS ${schema}`),
  );
  const database = openPostgres(schemaUrl);
  if (file !== undefined) return database;
  return {
    ...database,
    async close() {
      await database.close();
      await withClient(schemaUrl, (client, schema) =>
        client.query(`DROP SCHEMA IF EXISTS ${schema} CASCADE`),
      );
    },
  };
}

async function withClient(
  url: string,
  work: (client: Client, schema: string) => Promise<unknown>,
): Promise<void> {
  const address = parsePostgresUrl(url);
  const client = new Client(clientConfig(address));
  await client.connect();
  await work(client, address.schema);
  await client.end();
}
