import { type Condition, condition, whereAll } from "../../storage/database/conditions.ts";
import type { Database, Statements } from "../../storage/database/database.ts";
import { insertRows } from "../../storage/database/insert-rows.ts";
import type { CountGroup } from "./figure-counts.ts";
import { type FigureQuery, type OwnerFigures, RETENTION_MS, type Span } from "./figure-spans.ts";

/** Selects the requests to add up. Without a host or format, all of them count. */
export interface SiteQuery extends FigureQuery {
  readonly host?: string | undefined;
  readonly format?: string | undefined;
}

export interface SiteSum {
  readonly name: string;
  readonly pages: number;
  readonly credits: number;
}

/** Maximum groups in a result: those with the most requests. */
const MAX_GROUPS = 500;
/** Sites are not counted by minute. */
const SPANS: readonly Span[] = ["hour", "day"];

const SITE_FIGURES = {
  into: "site_figures (span, team_id, format, start, host, key_id, pages, credits)",
  row: "(?, ?, ?, ?, ?, ?, ?, ?)",
  ending: `ON CONFLICT (span, team_id, format, start, host, key_id) DO UPDATE SET
    pages = site_figures.pages + excluded.pages, credits = site_figures.credits + excluded.credits`,
};

/** Adds counts to the rows of hours and days. */
export async function addSites(
  statements: Statements,
  groups: readonly (readonly [Span, CountGroup])[],
): Promise<void> {
  const values = groups
    .filter(([span]) => SPANS.includes(span))
    .flatMap(([span, { startMs, teamId, keyId, sites }]) =>
      [...sites.values()].map(({ host, format, pages, credits }) => [
        span,
        teamId,
        format,
        startMs,
        host,
        keyId,
        pages,
        credits,
      ]),
    );
  await insertRows(statements, SITE_FIGURES, values);
}

/** Sites, most frequent first. The empty name stands for the rest, which exceeded the limit. */
export function figuresBySite(database: Database, query: SiteQuery): Promise<readonly SiteSum[]> {
  return sumsBy(database, "host", { ...query, format: query.format ?? "" });
}

/** Formats, most frequent first. */
export function formatsOfSites(database: Database, query: SiteQuery): Promise<readonly SiteSum[]> {
  return sumsBy(database, "format", query);
}

async function sumsBy(
  database: Database,
  column: "host" | "format",
  query: SiteQuery,
): Promise<readonly SiteSum[]> {
  const where = whereOf(query, condition("team_id = ?", query.teamId ?? ""));
  return database
    .prepared<SiteSum>(
      `SELECT ${column} AS name, sum(pages) AS pages, sum(credits) AS credits FROM site_figures ${where.sql}
       GROUP BY ${column} ORDER BY sum(pages) DESC, ${column} LIMIT ?`,
    )
    .all(...where.values, MAX_GROUPS);
}

export async function ownersOfSites(
  database: Database,
  query: Omit<SiteQuery, "teamId" | "keyId">,
): Promise<readonly OwnerFigures[]> {
  const where = whereOf({ ...query, format: query.format ?? "" }, condition("team_id <> ''"));
  return database
    .prepared<OwnerFigures>(
      `SELECT team_id AS "teamId", key_id AS "keyId", sum(pages) AS pages, sum(credits) AS credits
       FROM site_figures ${where.sql} GROUP BY team_id, key_id`,
    )
    .all(...where.values);
}

function whereOf({ span, fromMs, toMs, keyId, host, format }: SiteQuery, team: Condition): Condition {
  return whereAll([
    condition("span = ?", span),
    team,
    format === undefined ? condition("format <> ''") : condition("format = ?", format),
    condition("start >= ? AND start < ?", fromMs, toMs),
    host === undefined ? undefined : condition("host = ?", host),
    keyId === undefined ? undefined : condition("key_id = ?", keyId),
  ]);
}

export async function eraseSites(database: Database, teamId: string): Promise<void> {
  const erase = database.prepared("DELETE FROM site_figures WHERE span = ? AND team_id = ?");
  for (const span of SPANS) await erase.run(span, teamId);
}

export async function deleteOldSites(database: Database, nowMs: number): Promise<void> {
  const remove = database.prepared("DELETE FROM site_figures WHERE span = ? AND start < ?");
  for (const span of SPANS) await remove.run(span, nowMs - RETENTION_MS[span]);
}
