import type { Database, SqlValue, Statements } from "../storage/database/database.ts";
import { insertRows } from "../storage/database/insert-rows.ts";
import type { LoggedWork } from "../accounts/work.ts";

/** The stored facts about one scrape. */
export interface ScrapeRecord extends LoggedWork {
  /** The requested URL. Credentials in it are removed before it is stored. */
  readonly url: string;
  /** HTTP status of the target. */
  readonly statusCode?: number | undefined;
  readonly cacheState?: "hit" | "miss" | undefined;
  /** Key of the answer that `saveAnswer` stores. */
  readonly answerKey?: string | undefined;
  /** The cached capture from which the answer can be rebuilt. Then the answer itself is not stored. */
  readonly captureId?: string | undefined;
  /** Page options and formats as JSON, for rebuilding the answer. */
  readonly recipe?: string | undefined;
  /** Source of the page: `cache`, or the name of an engine. */
  readonly way?: string | undefined;
  /** 1 when the answer lacks something that was requested. */
  readonly isPartial?: 1 | undefined;
  /** Id of the scrape that this one repeats. */
  readonly replayOf?: string | undefined;
  /** JSON with details that only the operator sees. */
  readonly details?: string | undefined;
}

const COLUMNS = `id, team_id AS "teamId", key_id AS "keyId", url, status, status_code AS "statusCode",
  error_code AS "errorCode", credits_used AS "creditsUsed", duration_ms AS "durationMs", cache_state AS "cacheState",
  origin, document_key AS "answerKey", capture_id AS "captureId", recipe, created_at AS "createdAtMs",
  formats, way, replay_of AS "replayOf", details, kind, parent_id AS "parentId",
  is_partial AS "isPartial"`;

/** Sessions, tool calls and refused calls only appear in the operator's log. */
const IS_REQUEST = "kind NOT IN ('session', 'tool', 'refused')";

/** Like a record, with null in place of undefined. */
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

/** Adds records. A record with an existing id changes nothing, and records of deleted teams are dropped. */
export async function insertScrapes(statements: Statements, records: readonly ScrapeRecord[]): Promise<void> {
  const deleted = await deletedTeams(statements, new Set(records.map(({ teamId }) => teamId)));
  const kept = records.filter(({ teamId }) => !deleted.has(teamId));
  await insertRows(statements, TARGET, kept.map(valuesOf));
}

const WRITTEN_COLUMNS = `id, team_id, key_id, url, status, status_code, error_code, credits_used, duration_ms,
  cache_state, origin, document_key, capture_id, recipe, created_at, host, formats, way, replay_of, details,
  kind, parent_id, is_partial`;
const COLUMN_NAMES = WRITTEN_COLUMNS.split(/,\s*/);
const TARGET = {
  into: `scrapes (${WRITTEN_COLUMNS})`,
  row: `(${COLUMN_NAMES.map(() => "?").join(", ")})`,
  // Answers to repeated requests.
  differing: ["id", "duration_ms", "created_at"].map((name) => COLUMN_NAMES.indexOf(name)),
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

/** Time at which the team's newest completed scrape began. */
export async function newestSuccess(database: Database, teamId: string): Promise<number | undefined> {
  const row = await database
    .prepared<{ createdAtMs: number }>(
      `SELECT created_at AS "createdAtMs" FROM scrapes WHERE team_id = ? AND status = 'completed' AND ${IS_REQUEST}
       ORDER BY id DESC LIMIT 1`,
    )
    .get(teamId);
  return row?.createdAtMs;
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

/** The text has a comma at each end, so that `%,name,%` finds one name. */
function formatsText(names: readonly string[]): string {
  return `,${names.join(",")},`;
}

export function formatsOf(text: string): readonly string[] {
  return text.split(",").filter((name) => name !== "");
}
