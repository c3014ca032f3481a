import { withoutCredentials } from "@pergamon-dev/kit/url";
import type { Database } from "../storage/database/database.ts";

/** The position at which a page of a list ended. */
export interface Position {
  readonly createdAtMs: number;
  readonly id: string;
}

/** A request or job of a team. */
export interface ActivityRow extends Position {
  /** The endpoint's name in the API. */
  readonly endpoint: string;
  /** The requested URL or query; empty when there is none. */
  readonly target: string;
}

interface ActivityFilter {
  readonly teamId: string;
  /** Undefined: all endpoints. */
  readonly endpoint?: string | undefined;
  /** The position at which the previous page ended. */
  readonly after?: Position | undefined;
  readonly count: number;
  /** Names of the kinds of jobs that clients start. Each is the name of its endpoint. */
  readonly jobKinds: readonly string[];
}

/** Requests with an immediate answer. Their kind is the name of their endpoint. */
const SINGLE_KINDS = ["scrape", "map", "search", "parse"];

/** Marks search queries among URLs. */
const SEARCH_MARK = /^search:/;

/** Browser sessions that belong to a scrape, and sessions that started without a page. */
const SESSION_CONDITIONS = new Map([
  ["interact", "scrapes.parent_id IS NOT NULL"],
  ["browser", "scrapes.parent_id IS NULL"],
]);

/** Requests and jobs of a team without the pages of its jobs, newest first. */
export async function activityOfTeam(
  database: Database,
  filter: ActivityFilter,
): Promise<readonly ActivityRow[]> {
  const { endpoint } = filter;
  const single = named(SINGLE_KINDS, endpoint);
  const families = named(filter.jobKinds, endpoint);
  const sessions = [...SESSION_CONDITIONS].filter(([name]) => endpoint === undefined || endpoint === name);
  const found = [
    ...(single.length > 0 ? await read(database, filter, singleRequests(single)) : []),
    ...(families.length > 0 ? await read(database, filter, jobs(families)) : []),
  ];
  for (const [name, condition] of sessions)
    found.push(...(await read(database, filter, browserSessions(name, condition))));
  return found.toSorted(newestFirst).slice(0, filter.count);
}

function named(known: readonly string[], endpoint: string | undefined): readonly string[] {
  return known.filter((name) => endpoint === undefined || name === endpoint);
}

interface Source {
  /** The columns `endpoint` and `target`, with the FROM clause. */
  readonly select: string;
  readonly table: "scrapes" | "job_runs";
  readonly condition: string;
}

function singleRequests(kinds: readonly string[]): Source {
  return {
    select: "scrapes.kind AS endpoint, scrapes.url AS target FROM scrapes",
    table: "scrapes",
    condition: `scrapes.parent_id IS NULL AND scrapes.kind IN (${listOf(kinds)})`,
  };
}

/** Jobs whose results are still kept. Their input is sealed, so their first page serves as the target. */
function jobs(families: readonly string[]): Source {
  return {
    select: `job_runs.family AS endpoint, coalesce(crawls.site_url,
        (SELECT url FROM scrapes WHERE scrapes.parent_id = job_runs.id AND scrapes.kind <> 'tool'
          ORDER BY scrapes.created_at, scrapes.id LIMIT 1),
        (SELECT url FROM job_errors WHERE job_errors.run_id = job_runs.id ORDER BY number LIMIT 1), '') AS target
      FROM job_runs LEFT JOIN crawls ON crawls.run_id = job_runs.id`,
    table: "job_runs",
    condition: `job_runs.is_purged = 0 AND job_runs.family IN (${listOf(families)})`,
  };
}

/** Sessions that have ended. */
function browserSessions(endpoint: string, condition: string): Source {
  return {
    select: `'${endpoint}' AS endpoint, coalesce(page.url, '') AS target
      FROM scrapes LEFT JOIN scrapes page ON page.id = scrapes.parent_id AND page.team_id = scrapes.team_id`,
    table: "scrapes",
    condition: `scrapes.kind = 'session' AND ${condition}`,
  };
}

/** Quotes names for SQL without escaping, so they must be constants. */
function listOf(names: readonly string[]): string {
  return names.map((name) => `'${name}'`).join(", ");
}

async function read(
  database: Database,
  { teamId, after, count }: ActivityFilter,
  { select, table, condition }: Source,
): Promise<readonly ActivityRow[]> {
  const { createdAtMs, id } = after ?? { createdAtMs: Number.MAX_SAFE_INTEGER, id: "" };
  const rows = await database
    .prepared<ActivityRow>(
      `SELECT ${table}.id, ${table}.created_at AS "createdAtMs", ${select}
       WHERE ${table}.team_id = ? AND ${condition}
         AND (${table}.created_at < ? OR (${table}.created_at = ? AND ${table}.id < ?))
       ORDER BY ${table}.created_at DESC, ${table}.id DESC LIMIT ?`,
    )
    .all(teamId, createdAtMs, createdAtMs, id, count);
  return rows.map((row) => ({ ...row, target: withoutCredentials(row.target.replace(SEARCH_MARK, "")) }));
}

function newestFirst(a: Position, b: Position): number {
  return b.createdAtMs - a.createdAtMs || (a.id < b.id ? 1 : -1);
}
