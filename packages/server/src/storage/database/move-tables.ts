import { createHash } from "node:crypto";

import { ownProperty } from "@pergamon-dev/kit/own-property";
import type { Database, SqlValue, Statements } from "./database.ts";
import { insertRows } from "./insert-rows.ts";

/** A table that was moved now or by an earlier attempt. */
export interface MovedTable {
  readonly name: string;
  readonly rows: number;
}

interface Table {
  readonly name: string;
  readonly columns: readonly string[];
  /** Columns of the primary key, in its order. */
  readonly key: readonly string[];
}

/** Tables of running processes, by the clock of their machine. Their rows mean nothing elsewhere. */
const FLEETING: ReadonlySet<string> = new Set([
  "leases",
  "slot_seats",
  "host_pauses",
  "rates",
  "messages",
  "limit_stores",
  "limit_members",
]);
/** Tables that the migrations maintain themselves. */
const OWN: ReadonlySet<string> = new Set(["schema_versions"]);
/** Table that the migrations fill. The moved rows replace theirs. */
const BEGUN = "sequences";
/** This table goes first, because other tables refer to it. */
const FIRST = "teams";
const ROWS_AT_ONCE = 500;

/**
 * Moves all rows of an SQLite database into an empty database. Each table moves in one transaction that also
 * records the move, so an interrupted run continues there. Finally every table is read again and compared.
 * @throws Error when the target has rows of its own, or differs in the end.
 */
export async function moveTables(
  from: Database,
  to: Database,
  onTable: (table: MovedTable) => void,
): Promise<readonly MovedTable[]> {
  await from.migrate();
  await to.migrate();
  await to
    .prepared(
      "CREATE TABLE IF NOT EXISTS moved_tables (name text PRIMARY KEY, row_count bigint NOT NULL, digest text NOT NULL)",
    )
    .run();
  // Nothing else writes meanwhile.
  const moved = await from.transaction(async (source) => {
    const tables = await tablesOf(source);
    await refuseFilled(to, tables);
    const done: MovedTable[] = [];
    for (const table of tables) {
      const entry = { name: table.name, rows: await moveTable(source, to, table) };
      onTable(entry);
      done.push(entry);
    }
    for (const table of tables) await compare(to, table);
    return done;
  });
  await to.prepared("DROP TABLE moved_tables").run();
  return moved;
}

async function tablesOf(source: Statements): Promise<readonly Table[]> {
  const named = await source
    .prepared<{ name: string }>(
      "SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE 'sqlite!_%' ESCAPE '!' ORDER BY name <> ?, name",
    )
    .all(FIRST);
  const names = named.map(({ name }) => name).filter((name) => !FLEETING.has(name) && !OWN.has(name));
  return Promise.all(
    names.map(async (name) => {
      const columns = await source
        .prepared<{ name: string; pk: number }>(`SELECT name, pk FROM pragma_table_info('${name}')`)
        .all();
      const key = columns.filter(({ pk }) => pk > 0).toSorted((a, b) => a.pk - b.pk);
      return { name, columns: columns.map((column) => column.name), key: key.map((column) => column.name) };
    }),
  );
}

/** @throws Error when the target holds rows that no earlier attempt has moved. */
async function refuseFilled(to: Database, tables: readonly Table[]): Promise<void> {
  for (const { name } of tables) {
    if (name === BEGUN || (await digestOf(to, name)) !== undefined) continue;
    const row = await to.prepared<{ found: number }>(`SELECT count(*) AS found FROM ${name}`).get();
    if (row && row.found > 0) {
      throw new Error(
        `The target has ${row.found} rows in ${name} already, and nothing was changed. Move into an empty database or schema.`,
      );
    }
  }
}

/** @returns the number of rows. */
async function moveTable(source: Statements, to: Database, table: Table): Promise<number> {
  const earlier = await digestOf(to, table.name);
  if (earlier) return earlier.rows;
  const into = `${table.name} (${table.columns.join(", ")})`;
  const row = `(${table.columns.map(() => "?").join(", ")})`;
  const move = async (tx: Statements) => {
    if (table.name === BEGUN) await tx.prepared(`DELETE FROM ${BEGUN}`).run();
    const digest = new Digest();
    for await (const rows of pagesOf(source, table)) {
      digest.add(rows);
      await insertRows(tx, { into, row }, rows);
    }
    await tx
      .prepared("INSERT INTO moved_tables (name, row_count, digest) VALUES (?, ?, ?)")
      .run(table.name, digest.rows, digest.text);
    return digest.rows;
  };
  return to.transaction(move);
}

async function compare(to: Database, table: Table): Promise<void> {
  const expected = await digestOf(to, table.name);
  const digest = new Digest();
  for await (const rows of pagesOf(to, table)) digest.add(rows);
  if (expected?.digest === digest.text) return;
  throw new Error(
    `The table ${table.name} differs from its original: ${digest.rows} of ${expected?.rows ?? 0} rows. The target was written to during the move. Delete the target and move again.`,
  );
}

async function digestOf(to: Database, name: string) {
  return to
    .prepared<{ rows: number; digest: string }>(
      "SELECT row_count AS rows, digest FROM moved_tables WHERE name = ?",
    )
    .get(name);
}

/** Reads rows in key order, which is the same in every database. */
async function* pagesOf(
  statements: Statements,
  { name, columns, key }: Table,
): AsyncIterable<readonly (readonly SqlValue[])[]> {
  const listed = columns.join(", ");
  const order = `ORDER BY ${key.join(", ")} LIMIT ${ROWS_AT_ONCE}`;
  const after = `WHERE (${key.join(", ")}) > (${key.map(() => "?").join(", ")})`;
  let last: readonly SqlValue[] | undefined;
  for (;;) {
    const rows = await statements
      .prepared<Record<string, SqlValue>>(`SELECT ${listed} FROM ${name} ${last ? after : ""} ${order}`)
      .all(...(last ?? []));
    yield rows.map((row) => columns.map((column) => withoutNull(ownProperty(row, column) ?? null)));
    const end = rows.at(-1);
    if (!end || rows.length < ROWS_AT_ONCE) return;
    last = key.map((column) => ownProperty(end, column) ?? null);
  }
}

/** Replaces U+0000 as Postgres requires. */
function withoutNull(value: SqlValue): SqlValue {
  return typeof value === "string" ? value.replaceAll("\0", "\uFFFD") : value;
}

/** Drivers return bytes as different classes. */
function asText(value: SqlValue): SqlValue {
  return value instanceof Uint8Array ? Buffer.from(value).toString("base64") : value;
}

/** Digest of rows in their order. */
class Digest {
  rows = 0;
  readonly #hash = createHash("sha256");

  add(rows: readonly (readonly SqlValue[])[]): void {
    this.rows += rows.length;
    for (const row of rows) this.#hash.update(`${JSON.stringify(row.map(asText))}\n`);
  }

  get text(): string {
    return `${this.rows} ${this.#hash.copy().digest("hex")}`;
  }
}
