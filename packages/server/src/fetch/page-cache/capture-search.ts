import { setImmediate as nextTurn } from "node:timers/promises";

import { condition, likePattern, whereAll } from "../../storage/database/conditions.ts";
import type { Database } from "../../storage/database/database.ts";
import { cacheUrl } from "./page-cache-key.ts";
import { HAS_SHORT_ADDRESS, MAX_INDEXED_LENGTH, type Screenshot, sizesAfter } from "./capture-rows.ts";

/** A version of a page, for the operator. */
interface CaptureEntry {
  readonly id: string;
  readonly url: string;
  readonly scope: string;
  readonly statusCode: number;
  readonly sizeBytes: number;
  readonly screenshot: Screenshot;
  readonly teamId: string | null;
  readonly storedAtMs: number;
}

interface CaptureFilter {
  /** Part of the URL. */
  readonly url?: string | undefined;
  readonly limit: number;
  /** Id of the last entry of the previous page. */
  readonly cursor?: string | undefined;
}

const SELECT = `SELECT id, url, scope, status_code AS "statusCode", size_bytes AS "sizeBytes", screenshot,
  team_id AS "teamId", stored_at AS "storedAtMs" FROM captures`;
/** Rows that are summed between two pauses. */
const SUM_BATCH = 2000;
/** Rows that are read between two pauses. */
const HOST_BATCH = 1000;

/** Versions of pages, newest first. */
export async function searchCaptures(
  database: Database,
  { url, limit, cursor }: CaptureFilter,
): Promise<{ readonly data: readonly CaptureEntry[]; readonly cursor: string | null }> {
  const { sql, values } = whereAll([
    cursor === undefined ? undefined : condition("id < ?", cursor),
    url === undefined ? undefined : condition("url LIKE ? ESCAPE '!'", likePattern(url)),
  ]);
  const rows = await database
    .prepared<CaptureEntry>(`${SELECT} ${sql} ORDER BY id DESC LIMIT ?`)
    .all(...values, limit + 1);
  const data = rows.slice(0, limit);
  return { data, cursor: rows.length > limit ? (data.at(-1)?.id ?? null) : null };
}

/** Ids of the versions of exactly this address. */
export async function capturesOfUrl(
  database: Database,
  url: string,
  most: number,
): Promise<readonly string[]> {
  const indexed = url.length <= MAX_INDEXED_LENGTH ? `AND ${HAS_SHORT_ADDRESS}` : "";
  const rows = await database
    .prepared<{ id: string }>(`SELECT id FROM captures WHERE url = ? ${indexed} LIMIT ?`)
    .all(url, most);
  return rows.map(({ id }) => id);
}

/** Address of a version, including the parts that lists hide. */
export async function urlOfCapture(database: Database, id: string): Promise<string | undefined> {
  const row = await database.prepared<{ url: string }>("SELECT url FROM captures WHERE id = ?").get(id);
  return row?.url;
}

/**
 * Ids of the versions of all pages of a host, in small steps.
 * @param host as in URLs, with a port if they have one
 */
export async function capturesOfHost(
  database: Database,
  host: string,
  most: number,
): Promise<readonly string[]> {
  const name = hostOf(cacheUrl(`http://${host}/`));
  const found: string[] = [];
  let after: string | undefined = "";
  while (after !== undefined && found.length < most) {
    const rows = await database
      .prepared<{ id: string; url: string }>("SELECT id, url FROM captures WHERE id > ? ORDER BY id LIMIT ?")
      .all(after, HOST_BATCH);
    found.push(...rows.filter(({ url }) => hostOf(url) === name).map(({ id }) => id));
    after = rows.at(-1)?.id;
    await nextTurn();
  }
  return found.slice(0, most);
}

/** Host with its port. The start page of a host has no path. */
function hostOf(url: string): string {
  return url.slice(url.indexOf("//") + 2).replace(/[/?].*$/s, "");
}

/** Number and total size of versions, in small steps. */
export async function sizeOfCaptures(
  database: Database,
): Promise<{ readonly versions: number; readonly bytes: number }> {
  const row = await database.prepared<{ count: number }>("SELECT count(*) AS count FROM captures").get();
  let [bytes, after]: [number, string | null] = [0, ""];
  while (after !== null) {
    const part = await sizesAfter(database, after, SUM_BATCH);
    bytes += part.bytes;
    after = part.lastId;
    await nextTurn();
  }
  return { versions: row?.count ?? 0, bytes };
}
