import type { Database, SqlValue, Statements } from "../storage/database/database.ts";
import { insertRows } from "../storage/database/insert-rows.ts";
import type { LoggedWork } from "../accounts/work.ts";

/** What is remembered of one scrape. */
export interface ScrapeRecord extends LoggedWork {
  /** As requested. Credentials in it are dropped before it is kept. */
  readonly url: string;
  /** Of the target. */
  readonly statusCode?: number | undefined;
  readonly cacheState?: "hit" | "miss" | undefined;
  /** Names the answer that `saveAnswer` keeps. */
  readonly answerKey?: string | undefined;
  /** The cached capture that the answer can be made from again; then none is kept. */
  readonly captureId?: string | undefined;
  /** How it is made: page options and formats, as JSON. */
  readonly recipe?: string | undefined;
  /** How the page was got: `cache`, or the name of an engine. */
  readonly way?: string | undefined;
  /** 1 when its answer lacks something that was asked for. */
  readonly isPartial?: 1 | undefined;
  /** The scrape that this one repeats. */
  readonly replayOf?: string | undefined;
  /** What only the operator looks at, as JSON. */
  readonly details?: string | undefined;
}

const COLUMNS = `id, team_id AS "teamId", key_id AS "keyId", url, status, status_code AS "statusCode",
  error_code AS "errorCode", credits_used AS "creditsUsed", duration_ms AS "durationMs", cache_state AS "cacheState",
  origin, document_key AS "answerKey", capture_id AS "captureId", recipe, created_at AS "createdAtMs",
  formats, way, replay_of AS "replayOf", details, kind, parent_id AS "parentId",
  is_partial AS "isPartial"`;

/** Sessions, tool calls and refused calls are lines of the operator's log only. */
const IS_REQUEST = "kind NOT IN ('session', 'tool', 'refused')";

/** Rows have null where records have nothing. */
type Row = {
  readonly [Name in Exclude<keyof ScrapeRecord, "host" | "formats">]-?: Exclude<
    ScrapeRecord[Name],
    undefined
  > | null;
} & {
  readonly formats: string | null;
} & {
  readonly [
    Name in "id" | "kind" | "teamId" | "url" | "status" | "creditsUsed" | "durationMs" | "createdAtMs"
  ]: ScrapeRecord[Name];
};

/** Adds records; one whose id is there already changes nothing, and of teams that were deleted none is kept. */
export async function insertScrapes(statements: Statements, records: readonly ScrapeRecord[]): Promise<void> {
  const deleted = await deletedTeams(statements, new Set(records.map(({ teamId }) => teamId)));
  const kept = records.filter(({ teamId }) => !deleted.has(teamId));
  await insertRows(statements, TARGET, kept.map(valuesOf));
}

const WRITTEN_COLUMNS = `id, team_id, key_id, url, status, status_code, error_code, credits_used, duration_ms,
  cache_state, origin, document_key, capture_id, recipe, created_at, host, formats, way, replay_of, details,
  kind, parent_id, is_partial`;
const TARGET = {
  into: `scrapes (${WRITTEN_COLUMNS})`,
  row: `(${WRITTEN_COLUMNS.split(",").fill("?").join(", ")})`,
  ending: "ON CONFLICT (id) DO NOTHING",
};

function valuesOf(record: ScrapeRecord): readonly SqlValue[] {
  return [
    record.id,
    record.teamId,
    record.keyId ?? null,
    record.url,
    record.status,
    record.statusCode ?? null,
    record.errorCode ?? null,
    record.creditsUsed,
    record.durationMs,
    record.cacheState ?? null,
    record.origin ?? null,
    record.answerKey ?? null,
    record.captureId ?? null,
    record.recipe ?? null,
    record.createdAtMs,
    record.host ?? null,
    record.formats ? formatsText(record.formats) : null,
    record.way ?? null,
    record.replayOf ?? null,
    record.details ?? null,
    record.kind ?? "scrape",
    record.parentId ?? null,
    record.isPartial ?? null,
  ];
}

async function deletedTeams(
  statements: Statements,
  teamIds: ReadonlySet<string>,
): Promise<ReadonlySet<string>> {
  const find = statements.prepared<{ id: string }>(
    "SELECT id FROM teams WHERE id = ? AND deleted_at IS NOT NULL",
  );
  const rows = [];
  for (const teamId of teamIds) rows.push(...(await find.all(teamId)));
  return new Set(rows.map(({ id }) => id));
}

export async function findScrape(database: Database, id: string): Promise<ScrapeRecord | undefined> {
  const row = await database.prepared<Row>(`SELECT ${COLUMNS} FROM scrapes WHERE id = ?`).get(id);
  return row && recordOf(row);
}

/** When the team's newest completed scrape began. */
export async function newestSuccess(database: Database, teamId: string): Promise<number | undefined> {
  const row = await database
    .prepared<{ createdAtMs: number }>(
      `SELECT created_at AS "createdAtMs" FROM scrapes WHERE team_id = ? AND status = 'completed' AND ${IS_REQUEST}
       ORDER BY created_at DESC LIMIT 1`,
    )
    .get(teamId);
  return row?.createdAtMs;
}

/** Deletes up to `count` records from before a time. @returns how many. */
export async function deleteScrapesBefore(
  database: Database,
  timeMs: number,
  count: number,
): Promise<number> {
  return database
    .prepared(
      "DELETE FROM scrapes WHERE id IN (SELECT id FROM scrapes WHERE created_at < ? ORDER BY created_at LIMIT ?)",
    )
    .run(timeMs, count);
}

function recordOf(row: Row): ScrapeRecord {
  return {
    ...row,
    keyId: row.keyId ?? undefined,
    statusCode: row.statusCode ?? undefined,
    errorCode: row.errorCode ?? undefined,
    cacheState: row.cacheState ?? undefined,
    origin: row.origin ?? undefined,
    answerKey: row.answerKey ?? undefined,
    captureId: row.captureId ?? undefined,
    recipe: row.recipe ?? undefined,
    formats: row.formats === null ? undefined : formatsOf(row.formats),
    way: row.way ?? undefined,
    replayOf: row.replayOf ?? undefined,
    details: row.details ?? undefined,
    parentId: row.parentId ?? undefined,
    isPartial: row.isPartial ?? undefined,
  };
}

/** With a comma at each end, so that one name is found by `%,name,%`. */
function formatsText(names: readonly string[]): string {
  return `,${names.join(",")},`;
}

/** The names in such a text. */
export function formatsOf(text: string): readonly string[] {
  return text.split(",").filter((name) => name !== "");
}
