import type { Statements } from "../platform/database/database.ts";
import type { RunState } from "./job-run.ts";
import type { PlacedRun, RunPlace, RunPlaces } from "./run-place.ts";
import { type RunRow, runOf } from "./run-rows.ts";

/** Which runs an operator looks for. */
export interface RunFilter {
  readonly teamId?: string | undefined;
  readonly family?: string | undefined;
  readonly state?: RunState | undefined;
  /** Of the page before. */
  readonly cursor?: string | undefined;
  readonly limit: number;
}

/** Runs of all teams, newest first: their ids tell when they began. */
export async function searchRuns(
  places: RunPlaces,
  filter: RunFilter,
): Promise<{ readonly data: readonly PlacedRun[]; readonly cursor: string | null }> {
  const found: PlacedRun[] = [];
  for (const place of await places.all()) found.push(...(await searchPlace(place, filter)));
  const sorted = found.toSorted((a, b) => (a.run.id < b.run.id ? 1 : -1));
  const data = sorted.slice(0, filter.limit);
  return { data, cursor: sorted.length > filter.limit ? (data.at(-1)?.run.id ?? null) : null };
}

/** One more than are wanted, so that it is known whether there are more. */
async function searchPlace(
  place: RunPlace,
  { teamId = "", family = "", state, cursor = "", limit }: RunFilter,
): Promise<readonly PlacedRun[]> {
  const rows = await place.database
    .prepared<RunRow>(
      `SELECT * FROM job_runs WHERE is_purged = 0 AND (? = '' OR team_id = ?) AND (? = '' OR family = ?)
         AND (? = '' OR state = ?) AND (? = '' OR id < ?)
       ORDER BY id DESC LIMIT ?`,
    )
    .all(teamId, teamId, family, family, state ?? "", state ?? "", cursor, cursor, limit + 1);
  return rows.map((row) => ({ run: runOf(row), place }));
}

/**
 * What a run is recognised by: the URL of its first document or, without any, of its first failure. Records of scrapes
 * are written a moment later than documents.
 */
export async function firstUrl(statements: Statements, runId: string): Promise<string | undefined> {
  const document = await statements
    .prepared<{ url: string | null }>(
      `SELECT url FROM job_documents LEFT JOIN scrapes ON scrapes.id = job_documents.scrape_id
       WHERE run_id = ? AND position = 0`,
    )
    .get(runId);
  if (document) return document.url ?? undefined;
  const failure = await statements
    .prepared<{ url: string }>("SELECT url FROM job_errors WHERE run_id = ? ORDER BY number LIMIT 1")
    .get(runId);
  return failure?.url;
}
