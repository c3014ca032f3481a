import { randomUUID } from "node:crypto";

import { Client } from "pg";

import type { Database } from "../../src/platform/database/database.ts";
import { openPostgres } from "../../src/platform/database/postgres.ts";
import { clientConfig } from "../../src/platform/database/postgres-pool.ts";
import { parsePostgresUrl } from "../../src/platform/database/postgres-url.ts";
import { sqliteFile } from "../../src/platform/database/sqlite-url.ts";
import { schemaAt } from "./shared-stores.ts";

/** Stands in for the driver of SQLite while suites run on Postgres. One in memory is gone once it is closed. */
export async function openSqlite(url: string): Promise<Database> {
  const file = sqliteFile(url);
  const schemaUrl = schemaAt(file ?? randomUUID());
  const database = openPostgres(schemaUrl);
  if (file !== undefined) return database;
  return {
    ...database,
    async close() {
      await database.close();
      await drop(schemaUrl);
    },
  };
}

async function drop(url: string): Promise<void> {
  const address = parsePostgresUrl(url);
  const client = new Client(clientConfig(address));
  await client.connect();
  await client.query(`DROP SCHEMA IF EXISTS ${address.schema} CASCADE`);
  await client.end();
}
