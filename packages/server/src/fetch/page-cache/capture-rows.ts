import { chunksOf } from "../../storage/database/chunks.ts";
import type { Database } from "../../storage/database/database.ts";
import { insertRows } from "../../storage/database/insert-rows.ts";

/** Database facts of a stored capture. */
export interface StoredCapture {
  readonly captureId: string;
  /** Time when the page was stored or last found unchanged, from which its age counts. */
  readonly cachedAtMs: number;
  readonly waitForMs: number;
  readonly statusCode: number;
  /** Size of the blob, so usually compressed. */
  readonly sizeBytes: number;
  readonly screenshot: Screenshot;
  /**
   * `page` is the body as received. Documents may be stored in a converted form. Site files are not pages.
   */
  readonly representation: Representation;
  /** Team that fetched it. */
  readonly teamId: string;
  /** How often in a row the site has said that it is unchanged, since its bytes were last seen. */
  readonly confirmations: number;
  /** Equal for visits that brought the same page. Empty when it is not told. */
  readonly contentHash: string;
  /** 1 when its site can be asked whether it has changed, else 0. */
  readonly hasValidator: number;
}

export type Screenshot = "none" | "viewport" | "full-page";
export type Representation = "page" | "parsed" | "base64" | "site-file";

/** Names under which captures are found. */
export interface CaptureName {
  /** Who may read it: `instance` for all teams, `team <id>` for one, `nobody`. */
  readonly scope: string;
  readonly keyHash: string;
}

/** Stored captures that may answer. All bounds include their end. */
export interface CandidateQuery extends CaptureName {
  readonly oldestMs: number;
  readonly newestMs: number;
  /** Earliest storage time of captures with a screenshot. */
  readonly oldestScreenshotMs: number;
  readonly leastWaitForMs: number;
  /** `none` also accepts captures with a screenshot. */
  readonly screenshot: Screenshot;
  /** Leaves out captures with unverified TLS. */
  readonly needsTrust: boolean;
}

/** Number of the newest captures that take part in the choice (contract, section 3.24). */
const CANDIDATES = 5;

const COLUMNS = `id AS "captureId", stored_at AS "cachedAtMs", wait_for_ms AS "waitForMs", status_code AS "statusCode",
  size_bytes AS "sizeBytes", screenshot, representation, team_id AS "teamId", confirmations,
  content_hash AS "contentHash", has_validator AS "hasValidator"`;
const CANDIDATE = `SELECT ${COLUMNS} FROM captures
  WHERE scope = ? AND key_hash = ? AND stored_at >= ? AND stored_at <= ? AND wait_for_ms >= ?
    AND has_unverified_tls <= ?
    AND (screenshot = 'none' OR stored_at >= ?)`;
const NEWEST_FIRST = `ORDER BY stored_at DESC, id DESC LIMIT ${CANDIDATES}`;

/** The newest captures that may answer each query, newest first. */
export async function newestCandidates(
  database: Database,
  queries: readonly CandidateQuery[],
): Promise<readonly (readonly StoredCapture[])[]> {
  const parts = queries.map(({ screenshot }, index) => {
    const same = screenshot === "none" ? "" : "AND screenshot = ?";
    return `SELECT ${index} AS place, newest${index}.* FROM (${CANDIDATE} ${same} ${NEWEST_FIRST}) AS newest${index}`;
  });
  const rows = await database
    .prepared<StoredCapture & { place: number }>(`${parts.join(" UNION ALL ")} ORDER BY 1, 3 DESC, 2 DESC`)
    .all(...queries.flatMap(valuesOf));
  return queries.map((_query, index) => rows.filter(({ place }) => place === index));
}

function valuesOf(query: CandidateQuery): readonly (string | number)[] {
  const { scope, keyHash, screenshot } = query;
  const { oldestMs, newestMs, leastWaitForMs, needsTrust, oldestScreenshotMs } = query;
  const worst = needsTrust ? 0 : 1;
  const values = [scope, keyHash, oldestMs, newestMs, leastWaitForMs, worst, oldestScreenshotMs];
  return screenshot === "none" ? values : [...values, screenshot];
}

export interface NewCapture extends Omit<StoredCapture, "confirmations">, CaptureName {
  readonly url: string;
  readonly hasUnverifiedTls: boolean;
}

const CAPTURES = {
  into: `captures (id, scope, key_hash, url, screenshot, wait_for_ms, status_code, size_bytes, representation, stored_at,
    team_id, has_unverified_tls, content_hash, has_validator)`,
  row: "(?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
  ending: "ON CONFLICT (id) DO NOTHING",
};

/** Captures that are there already stay as they are. */
export async function insertCaptures(database: Database, captures: readonly NewCapture[]): Promise<void> {
  const rows = captures.map((row) => [
    row.captureId,
    row.scope,
    row.keyHash,
    row.url,
    row.screenshot,
    row.waitForMs,
    row.statusCode,
    row.sizeBytes,
    row.representation,
    row.cachedAtMs,
    row.teamId,
    row.hasUnverifiedTls ? 1 : 0,
    row.contentHash,
    row.hasValidator,
  ]);
  await insertRows(database, CAPTURES, rows);
}

/** Makes captures as young as new ones. */
export async function renewCaptures(
  database: Database,
  renewals: readonly Pick<StoredCapture, "captureId" | "confirmations">[],
  storedAtMs: number,
): Promise<void> {
  for (const confirmations of new Set(renewals.map((renewal) => renewal.confirmations))) {
    const alike = renewals.filter((renewal) => renewal.confirmations === confirmations);
    for (const chunk of chunksOf(alike)) {
      const places = chunk.map(() => "?").join(", ");
      await database
        .prepared(`UPDATE captures SET stored_at = ?, confirmations = ? WHERE id IN (${places})`)
        .run(storedAtMs, confirmations, ...chunk.map(({ captureId }) => captureId));
    }
  }
}

/** @returns whether it existed. */
export async function deleteCapture(database: Database, captureId: string): Promise<boolean> {
  return (await database.prepared("DELETE FROM captures WHERE id = ?").run(captureId)) > 0;
}

/** Ids of the captures that a team fetched. */
export async function capturesOf(database: Database, teamId: string): Promise<readonly string[]> {
  const rows = await database
    .prepared<{ id: string }>("SELECT id FROM captures WHERE team_id = ?")
    .all(teamId);
  return rows.map(({ id }) => id);
}

/** Maximum length of indexed addresses, because databases limit index entries. */
export const MAX_INDEXED_LENGTH = 2000;
export const HAS_SHORT_ADDRESS = `length(url) <= ${MAX_INDEXED_LENGTH}`;

/**
 * Addresses of a host's pages, as `cacheUrl` spells them, that the team fetched successfully. Very long ones
 * are left out.
 */
export async function urlsOfHost(
  database: Database,
  teamId: string,
  host: string,
  count: number,
): Promise<readonly string[]> {
  const statement = database.prepared<{ url: string }>(
    `SELECT DISTINCT url FROM captures WHERE url > ? AND url < ? AND ${HAS_SHORT_ADDRESS} AND team_id = ? AND representation = 'page'
       AND status_code >= 200 AND status_code < 300 ORDER BY url LIMIT ?`,
  );
  const urls: string[] = [];
  for (const scheme of ["https", "http"]) {
    // Addresses that start with the host and a slash sort between these two.
    const rows = await statement.all(
      `${scheme}://${host}/`,
      `${scheme}://${host}0`,
      teamId,
      count - urls.length,
    );
    urls.push(...rows.map(({ url }) => url));
  }
  return urls;
}

/** The oldest captures, oldest first. */
export async function oldestCaptures(database: Database, count: number): Promise<readonly StoredCapture[]> {
  return database
    .prepared<StoredCapture>(`SELECT ${COLUMNS} FROM captures ORDER BY stored_at, id LIMIT ?`)
    .all(count);
}

/** Total size of up to `count` captures whose id follows `afterId`, and the last of these ids. */
export async function sizesAfter(
  database: Database,
  afterId: string,
  count: number,
): Promise<{ readonly bytes: number; readonly lastId: string | null }> {
  const row = await database
    .prepared<{ bytes: number | null; lastId: string | null }>(
      `SELECT sum(size_bytes) AS bytes, max(id) AS "lastId"
       FROM (SELECT id, size_bytes FROM captures WHERE id > ? ORDER BY id LIMIT ?) AS part`,
    )
    .get(afterId, count);
  return { bytes: row?.bytes ?? 0, lastId: row?.lastId ?? null };
}
