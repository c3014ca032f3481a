import { join } from "node:path";

import { DatabaseSync } from "@photostructure/sqlite";
import { Client } from "pg";

import { openBlobs } from "../../packages/server/src/storage/blobs/drivers.ts";
import { clientConfig } from "../../packages/server/src/storage/database/postgres-pool.ts";
import { parsePostgresUrl } from "../../packages/server/src/storage/database/postgres-url.ts";
import { sharedStores } from "./shared-stores.ts";

/** Something that a service has stored. */
export interface Kept {
  readonly name: string;
  readonly bytes: Uint8Array;
}

const BLOB_FOLDERS = [
  "captures",
  "documents",
  "files",
  "monitors",
  "packs",
  "profiles",
  "uploads",
  "versions",
];

/** Blobs below these folders, wherever they are. */
export async function keptBlobs(dataDir: string, folders = BLOB_FOLDERS): Promise<readonly Kept[]> {
  const blobs = await openBlobs(`file:${join(dataDir, "blobs")}`);
  const kept: Kept[] = [];
  for (const folder of folders) {
    for await (const name of blobs.list(folder)) {
      const bytes = await blobs.get(name);
      if (bytes) kept.push({ name, bytes });
    }
  }
  await blobs.close();
  return kept;
}

/**
 * What a search through the files of the data folder does not find: compressed bytes in rows, and all that is in shared
 * stores.
 */
export async function keptElsewhere(dataDir: string): Promise<readonly Kept[]> {
  const { DATABASE_URL, BLOBS_URL = "file:" } = sharedStores(dataDir);
  const blobs = BLOBS_URL.startsWith("file:") ? [] : await keptBlobs(dataDir);
  const rows = DATABASE_URL === undefined ? bytesInRows(dataDir) : await rowsOf(DATABASE_URL);
  return [...blobs, ...rows];
}

/** The columns of bytes of the embedded database. */
function bytesInRows(dataDir: string): readonly Kept[] {
  const database = new DatabaseSync(join(dataDir, "pergamon.db"), { readOnly: true });
  try {
    const columns = database
      .prepare(
        `SELECT m.name AS name, c.name AS column FROM sqlite_master m, pragma_table_info(m.name) c
         WHERE m.type = 'table' AND c.type IN ('BLOB', 'bytea')`,
      )
      .all() as readonly { readonly name: string; readonly column: string }[];
    return columns.flatMap(({ name, column }) => {
      const rows = database.prepare(`SELECT "${column}" AS bytes FROM "${name}"`).all();
      return (rows as readonly { readonly bytes: unknown }[]).flatMap(({ bytes }) =>
        bytes instanceof Uint8Array ? [{ name: `pergamon.db, ${name}`, bytes }] : [],
      );
    });
  } finally {
    database.close();
  }
}

async function rowsOf(url: string): Promise<readonly Kept[]> {
  const address = parsePostgresUrl(url);
  const client = new Client(clientConfig(address));
  await client.connect();
  const tables = await client.query("SELECT tablename FROM pg_tables WHERE schemaname = $1", [
    address.schema,
  ]);
  const kept: Kept[] = [];
  for (const { tablename } of tables.rows) {
    const name = `pergamon.db of Postgres, ${tablename}`;
    const { rows } = await client.query(`SELECT * FROM ${address.schema}.${tablename}`);
    kept.push(
      ...(rows as readonly Readonly<Record<string, unknown>>[]).flatMap((row) => valuesOf(name, row)),
    );
  }
  await client.end();
  return kept;
}

/** A row as text, and its bytes as they are. */
function valuesOf(name: string, row: Readonly<Record<string, unknown>>): readonly Kept[] {
  const bytes = Object.values(row).filter((value) => value instanceof Uint8Array);
  return [Buffer.from(JSON.stringify(row)), ...bytes].map((value) => ({ name, bytes: value }));
}
