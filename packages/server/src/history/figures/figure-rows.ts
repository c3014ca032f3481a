import type { Database, Statements } from "../../storage/database/database.ts";
import { insertRows } from "../../storage/database/insert-rows.ts";
import type { FigureKind } from "../../accounts/work.ts";
import { type CountGroup, joined } from "./figure-counts.ts";
import { type FigureQuery, type OwnerFigures, RETENTION_MS, type Span, spansMs } from "./figure-spans.ts";
import { addSites, deleteOldSites, eraseSites } from "./site-rows.ts";

const SPANS = Object.keys(spansMs) as readonly Span[];

/** Sums over all teams have rows of their own, so that overviews need not read the rows of each team. */
const EVERYBODY = { teamId: "", keyId: "" };

export interface FigureRow {
  readonly startMs: number;
  readonly kind: FigureKind;
  readonly name: string;
  readonly pages: number;
  readonly credits: number;
}

/** A statement must not contain a row twice. Rows that exist are increased. */
const FIGURES = {
  into: "figures (span, start, team_id, key_id, kind, name, pages, credits)",
  row: "(?, ?, ?, ?, ?, ?, ?, ?)",
  ending: `ON CONFLICT (span, start, team_id, key_id, kind, name) DO UPDATE SET
    pages = figures.pages + excluded.pages, credits = figures.credits + excluded.credits`,
};

/** Adds counts to the rows of every span: those of team and key, and those of all teams. */
export async function addFigures(statements: Statements, groups: readonly CountGroup[]): Promise<void> {
  const rows = rowsOf(groups);
  const values = rows.flatMap(([span, { startMs, teamId, keyId, counts }]) =>
    [...counts.values()].map(({ kind, name, pages, credits }) => [
      span,
      startMs,
      teamId,
      keyId,
      kind,
      name,
      pages,
      credits,
    ]),
  );
  await insertRows(statements, FIGURES, values);
  await addSites(statements, rows);
}

function rowsOf(groups: readonly CountGroup[]): readonly (readonly [Span, CountGroup])[] {
  return SPANS.flatMap((span) => {
    const merged = new Map<string, CountGroup>();
    for (const group of groups) {
      const startMs = Math.floor(group.startMs / spansMs[span]) * spansMs[span];
      // Requests of an unknown team only count in the sums over all teams.
      if (group.teamId !== "") merge(merged, { ...group, startMs });
      merge(merged, { ...group, ...EVERYBODY, startMs });
    }
    return [...merged.values()].map((group) => [span, group] as const);
  });
}

function merge(merged: Map<string, CountGroup>, group: CountGroup): void {
  const key = `${group.startMs} ${group.keyId} ${group.teamId}`;
  const known = merged.get(key);
  merged.set(key, known ? joined(group, known) : group);
}

/** Sums by time, kind and name; over all teams unless one is named. */
export async function readFigures(database: Database, query: FigureQuery): Promise<readonly FigureRow[]> {
  const { span, fromMs, toMs, teamId = "", keyId } = query;
  const columns = `start AS "startMs", kind, name, sum(pages) AS pages, sum(credits) AS credits`;
  const where = "WHERE span = ? AND start >= ? AND start < ? AND team_id = ?";
  const order = "GROUP BY start, kind, name ORDER BY start";
  if (keyId === undefined) {
    const all = database.prepared<FigureRow>(`SELECT ${columns} FROM figures ${where} ${order}`);
    return all.all(span, fromMs, toMs, teamId);
  }
  const ofKey = database.prepared<FigureRow>(
    `SELECT ${columns} FROM figures ${where} AND key_id = ? ${order}`,
  );
  return ofKey.all(span, fromMs, toMs, teamId, keyId);
}

export async function figuresByOwner(
  database: Database,
  { span, fromMs, toMs }: Omit<FigureQuery, "teamId" | "keyId">,
): Promise<readonly OwnerFigures[]> {
  return database
    .prepared<OwnerFigures>(
      `SELECT team_id AS "teamId", key_id AS "keyId", sum(pages) AS pages, sum(credits) AS credits FROM figures
       WHERE span = ? AND start >= ? AND start < ? AND team_id <> '' AND kind = 'all' GROUP BY team_id, key_id`,
    )
    .all(span, fromMs, toMs);
}

export async function eraseFigures(database: Database, teamId: string): Promise<void> {
  const erase = database.prepared("DELETE FROM figures WHERE span = ? AND team_id = ?");
  for (const span of SPANS) await erase.run(span, teamId);
  await eraseSites(database, teamId);
}

export async function deleteOldFigures(database: Database, nowMs: number): Promise<void> {
  const remove = database.prepared("DELETE FROM figures WHERE span = ? AND start < ?");
  for (const span of SPANS) await remove.run(span, nowMs - RETENTION_MS[span]);
  await deleteOldSites(database, nowMs);
}
